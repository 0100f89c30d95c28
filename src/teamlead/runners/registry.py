"""From the name of an agent, as users write it, to its runner: "KIND" or "KIND:ARGUMENT".

Runners are imported when one is asked for: a session pays for those it uses.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from teamlead.errors import UsageError
from teamlead.ports.runner import Runner


class CheckedRunner(Runner, Protocol):
    def validate(self) -> None:
        """Raises if the agent cannot run at all: its script is missing or broken, its program is absent."""
        ...


class AgentKind(NamedTuple):
    target: str
    argument: Literal["", "COMMAND", "FILE"] = ""


KINDS: Mapping[str, AgentKind] = {
    "claude": AgentKind("claude.runner:ClaudeRunner"),
    "codex": AgentKind("codex.runner:CodexRunner"),
    "gemini": AgentKind("gemini.runner:GeminiRunner"),
    "acp": AgentKind("acp.runner:AcpRunner", "COMMAND"),
    "command": AgentKind("command:CommandRunner", "COMMAND"),
    "scripted": AgentKind("scripted:ScriptedRunner", "FILE"),
}
FORMS = [f"{name}:{kind.argument}" if kind.argument else name for name, kind in KINDS.items()]


def runner_for(agent: str) -> CheckedRunner:
    name, _, argument = agent.partition(":")
    if name not in KINDS:
        raise UsageError(f"unknown agent {agent!r}", remedy=f"there are: {', '.join(FORMS)}")
    kind = KINDS[name]
    if bool(argument.strip()) != bool(kind.argument):
        what = f"needs a {kind.argument.lower()}" if kind.argument else "takes no argument"
        form = FORMS[list(KINDS).index(name)]
        raise UsageError(f"agent {agent!r}: {name} {what}", remedy=f"write {form}")
    module, _, attribute = kind.target.partition(":")
    make: Callable[..., CheckedRunner] = getattr(import_module(f"teamlead.runners.{module}"), attribute)
    # The agent runs in its working copy, where a relative path would mean another file.
    match kind.argument:
        case "FILE":
            return make(Path(argument).absolute())
        case "COMMAND":
            return make(_words(agent, argument))
    return make()


def _words(agent: str, command: str) -> Sequence[str]:
    try:
        program, *arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"agent {agent!r}: {error}", remedy="quote it as in a shell") from error
    return [str(Path(program).absolute()) if "/" in program else program, *arguments]


def validate(agent: str) -> None:
    """Is called for every agent of a session before it starts."""
    runner_for(agent).validate()
