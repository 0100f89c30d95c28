"""The agent asks before it uses a tool: its tools in our words, who decides, and our answers in its words."""

import asyncio
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from teamlead.core.model import Tool
from teamlead.core.policy.calls import Call, refusal
from teamlead.ports.rooms import Room
from teamlead.ports.runner import RunSpec
from teamlead.runners.acp.updates import ToolCall
from teamlead.runners.run_events import Event
from teamlead.runners.untrusted_fields import resolved, table, tables, text
from teamlead.system.text import clip

_TOOLS: Mapping[str, Tool] = {
    "read": "read",
    "search": "search",
    "edit": "edit",
    "delete": "edit",
    "move": "edit",
    "execute": "shell",
    "fetch": "web",
}
_PATHS = ("file_path", "filePath", "filepath", "path", "notebook_path", "destination")
_TEAM = re.compile(r"(Tool: )?(mcp[_.:/-]+)?team[_.:/]\w+$")
"""One of the team's tools, as the agents spell the name of an MCP server and its tool."""
LONGEST = 500
_SHELLS = {"sh", "bash", "zsh"}


def call_of(name: str, tool: Mapping[str, Any], root: Path, room: Room | None = None) -> Call:
    """Says a tool call in our words. Agents name the same thing in different places: all of them count."""
    told = text(tool.get("kind"))
    kind = _TOOLS.get(told)
    if kind is None:
        # The names of other kinds are up to the model.
        return Call("team" if told in ("", "other") and _TEAM.match(name) else "other")
    if kind == "shell":
        return Call(kind, command=_command(tool), root=str(root.resolve()))
    # An agent that follows a link changes what it points to.
    paths = dict.fromkeys(resolved(root / path, room) for path in _paths(tool))
    return Call(kind, tuple(paths), root=resolved(root, room))


def _paths(tool: Mapping[str, Any]) -> Iterator[str]:
    given = table(tool.get("rawInput"))
    named = [given.get(key) for key in _PATHS]
    shown = [item.get("path") for item in (*tables(tool.get("locations")), *tables(tool.get("content")))]
    for path in (*named, *shown, *table(given.get("changes"))):
        if isinstance(path, str) and path and "\0" not in path:
            yield path


def _command(tool: Mapping[str, Any]) -> str:
    command = table(tool.get("rawInput")).get("command")
    if isinstance(command, str):
        return command
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        shell, *rest = command
        if Path(shell).name in _SHELLS and len(rest) == 2 and rest[0] in ("-c", "-lc"):
            return str(rest[1])
        return shlex.join(command)
    return text(tool.get("title")).strip("`")


def sentence(name: str, call: Call) -> str:
    """Says what a person is asked to allow."""
    if call.tool == "shell":
        return f"run `{clip(call.command, LONGEST)}`"
    if call.paths:
        return f"{call.tool} {', '.join(os.path.relpath(path, call.root) for path in call.paths)}"
    return f"use {clip(name, LONGEST)}"


def outcome(options: object, *, allowed: bool) -> dict[str, str]:
    """Allows it once: the agent would not ask again for what is allowed for ever, whatever its arguments."""
    verb = "allow" if allowed else "reject"
    by_kind = {text(option.get("kind")): text(option.get("optionId")) for option in tables(options)}
    for kind in (f"{verb}_once", f"{verb}_always"):
        if by_kind.get(kind):
            return {"outcome": "selected", "optionId": by_kind[kind]}
    return {"outcome": "cancelled"}


class Decisions:
    """The policy answers at once, or a person does before a deadline."""

    def __init__(self, spec: RunSpec, answer: Callable[[int | str, dict[str, Any]], None]) -> None:
        self._spec = spec
        self._answer = answer
        self._asked: set[asyncio.Task[None]] = set()
        self._late: list[Event] = []
        self.refused = ""
        """Why the call was rejected after which the agent has neither said nor tried anything."""

    def decide(self, request: int | str, tool: ToolCall, options: object) -> Iterable[Event]:
        call = call_of(tool.name, tool.known, self._spec.place, self._spec.room)
        why = refusal(self._spec.policy, self._spec.scope, call, self._spec.protects)
        if not why and call.tool in self._spec.policy.asks:
            task = asyncio.create_task(self._ask_person(request, tool.name, call, options))
            self._asked.add(task)
            task.add_done_callback(self._asked.discard)
            return []
        return self._decided(request, tool.name, options, why)

    def late(self) -> Iterable[Event]:
        """Returns what a person refused since the last call."""
        late, self._late = self._late, []
        return late

    def withdraw(self) -> None:
        """Asks nobody any longer: the agent is told to stop."""
        for task in self._asked:
            task.cancel()

    async def _ask_person(self, request: int | str, name: str, call: Call, options: object) -> None:
        why = "nobody could be asked whether it may be done"
        try:
            if self._spec.permit:
                why = await self._spec.permit(sentence(name, call))
        finally:
            self._late += self._decided(request, name, options, why)

    def _decided(self, request: int | str, name: str, options: object, why: str) -> list[Event]:
        self._answer(request, {"outcome": outcome(options, allowed=not why)})
        self.refused = why
        return [{"type": "denied", "name": name, "reason": why}] if why else []
