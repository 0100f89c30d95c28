"""Claude's tools in our words, and what the policy says to a call."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from teamlead.core.model import Tool, ToolPolicy
from teamlead.core.policy.calls import Call, refusal
from teamlead.ports.rooms import Room
from teamlead.runners.named_paths import resolved
from teamlead.runners.untrusted_fields import text
from teamlead.system.text import clip

_TOOLS: Mapping[Tool, Sequence[str]] = {
    "read": ("Read",),
    "search": ("Glob", "Grep"),
    "edit": ("Edit", "Write", "NotebookEdit"),
    "shell": ("Bash",),
    "web": ("WebFetch", "WebSearch"),
}
_KINDS: Mapping[str, Tool] = {name: tool for tool, names in _TOOLS.items() for name in names}
LONGEST = 2000
_PLACES = ("file_path", "notebook_path", "path")


def tool_names(policy: ToolPolicy) -> list[str]:
    """Lists the tools that it keeps. All others are taken away, also those for its own sessions."""
    return [name for tool in policy.tools for name in _TOOLS[tool]]


def _kind(name: str) -> Tool | Literal["team", "other"]:
    return "team" if name.startswith("mcp__team__") else _KINDS.get(name, "other")


def is_known(name: str) -> bool:
    return name in _KINDS


class Gate:
    """Decides every call of one run."""

    def __init__(
        self, policy: ToolPolicy, scope: Sequence[str], copy: Path, room: Room | None = None
    ) -> None:
        self._policy = policy
        self._scope = scope
        self._room = room
        self._copy = os.path.realpath(copy)
        self._place = str(room.seen(copy)) if room else self._copy
        """What the agent calls it."""

    def refusal(self, name: str, given: Mapping[str, Any], folder: str) -> str:
        """Says why not, in a sentence for the agent; "" if it may. `folder` is where the agent is."""
        call = Call(_kind(name), self._paths(given, folder), text(given.get("command")), self._place)
        return refusal(self._policy, self._scope, call)

    def asks(self, name: str) -> bool:
        """Whether a person must allow it."""
        return _kind(name) in self._policy.asks

    def sentence(self, name: str, given: Mapping[str, Any], folder: str) -> str:
        """Says what a person is asked to allow."""
        if paths := self._paths(given, folder):
            return f"{_kind(name)} {', '.join(paths)}"
        what = next((value for value in given.values() if isinstance(value, str)), "")
        return (
            f"run `{clip(what, LONGEST)}`" if _kind(name) == "shell" else f"use {name}: {clip(what, LONGEST)}"
        )

    def _paths(self, given: Mapping[str, Any], folder: str) -> tuple[str, ...]:
        return tuple(self._real(folder, text(given[key])) for key in _PLACES if given.get(key))

    def _real(self, folder: str, path: str) -> str:
        """Returns where it really is, from the copy's root: a link in the copy may lead out of it."""
        try:
            return os.path.relpath(resolved(Path(self._place, folder, path), self._room), self._copy)
        except ValueError:
            return os.pardir  # Text with a zero byte is no path, and so in no scope.
