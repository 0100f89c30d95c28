"""From the name of an agent, as users write it, to its runner: "KIND:ARGUMENT"."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from teamlead.errors import UsageError
from teamlead.ports import Runner
from teamlead.runners.scripted import ScriptedRunner


class CheckedRunner(Runner, Protocol):
    def validate(self) -> None:
        """Raises if the agent cannot run at all: its script is missing or broken, its program is absent."""
        ...


def _scripted(file: str) -> CheckedRunner:
    if not file:
        raise UsageError("the scripted agent needs a script", remedy="write scripted:FILE")
    # The agent itself runs in its working copy, where a relative path would mean another file.
    return ScriptedRunner(Path(file).absolute())


_KINDS: Mapping[str, Callable[[str], CheckedRunner]] = {"scripted": _scripted}


def runner_for(agent: str) -> CheckedRunner:
    kind, _, argument = agent.partition(":")
    if kind not in _KINDS:
        raise UsageError(f"unknown agent {agent!r}", remedy=f"known kinds: {', '.join(_KINDS)}")
    return _KINDS[kind](argument)


def validate(agent: str) -> None:
    """To be called for every agent of a session before it starts."""
    runner_for(agent).validate()
