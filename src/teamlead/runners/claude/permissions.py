"""Claude asks before it uses a tool: its tools in our words, what the policy says, and who answers.

It asks once about each call, and a second time about some: before it changes its own settings, for one.
"""

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from teamlead.core.model import Tool, ToolPolicy
from teamlead.core.policy.calls import Call, refusal
from teamlead.ports.rooms import Room
from teamlead.ports.runner import RunSpec
from teamlead.runners.claude.outgoing_messages import OutgoingMessages
from teamlead.runners.run_events import Event
from teamlead.runners.untrusted_fields import resolved, table, text
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
        self,
        policy: ToolPolicy,
        scope: Sequence[str],
        copy: Path,
        room: Room | None = None,
        protects: Sequence[str] = (),
    ) -> None:
        self._policy = policy
        self._scope = scope
        self._protects = protects
        self._room = room
        self._copy = os.path.realpath(copy)
        self._place = str(room.seen(copy)) if room else self._copy
        """What the agent calls it."""

    def refusal(self, name: str, given: Mapping[str, Any], folder: str) -> str:
        """Says why not, in a sentence for the agent; "" if it may. `folder` is where the agent is."""
        call = Call(_kind(name), self._paths(given, folder), text(given.get("command")), self._place)
        return refusal(self._policy, self._scope, call, self._protects)

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


class _Question(NamedTuple):
    request: str
    use: str
    """The call it is about."""
    name: str
    given: dict[str, Any]
    folder: str
    answer: Callable[[str], dict[str, Any]]
    """From a reason of refusal, or "", to what it is told."""


class Decisions:
    """The policy answers at once, or a person does before a deadline."""

    def __init__(self, spec: RunSpec, outgoing: OutgoingMessages) -> None:
        self._gate = Gate(spec.policy, spec.scope, spec.cwd, spec.room, spec.protects)
        self._permit = spec.permit
        self._outgoing = outgoing
        self._asked: dict[str, asyncio.Task[None]] = {}
        """What a person is being asked, by the request."""
        self._permitted: set[str] = set()
        self._late: list[Event] = []

    def decide(self, request: str, asked: dict[str, Any]) -> Iterable[Event]:
        question = _question(request, asked)
        if question is None:
            self._outgoing.decline(request, f"{asked.get('subtype')!r} is not possible here")
            return
        _, use, name, given, folder, answer = question
        why = self._gate.refusal(name, given, folder)
        if not why and use not in self._permitted and self._gate.asks(name):
            self._asked[request] = asyncio.create_task(self._ask_person(question))
            return
        self._outgoing.answer(request, answer(why))
        if why:
            yield {"type": "denied", "name": name, "reason": why}

    def withdrawn(self, request: str) -> None:
        """Notes that it no longer waits for an answer."""
        if request in self._asked:
            self._asked.pop(request).cancel()

    def late(self) -> Iterable[Event]:
        """Returns what a person refused since the last call."""
        late, self._late = self._late, []
        return late

    def close(self) -> None:
        for request in list(self._asked):
            self.withdrawn(request)

    async def _ask_person(self, question: _Question) -> None:
        why = "nobody could be asked whether it may be done"
        try:
            if self._permit:
                why = await self._permit(self._gate.sentence(question.name, question.given, question.folder))
        finally:
            self._asked.pop(question.request, None)
            if why:
                self._late.append({"type": "denied", "name": question.name, "reason": why})
            else:
                self._permitted.add(question.use)
            self._outgoing.answer(question.request, question.answer(why))


def _question(request: str, asked: dict[str, Any]) -> _Question | None:
    use = text(asked.get("tool_use_id"))
    match asked.get("subtype"):
        case "hook_callback":
            call = table(asked.get("input"))
            name, given = text(call.get("tool_name")), table(call.get("tool_input"))
            return _Question(
                request=request,
                use=use,
                name=name,
                given=given,
                folder=text(call.get("cwd")),
                answer=_hook_answer,
            )
        case "can_use_tool":
            name, given = text(asked.get("tool_name")), table(asked.get("input"))
            allow = {"behavior": "allow", "updatedInput": given}
            return _Question(
                request=request,
                use=use,
                name=name,
                given=given,
                folder="",
                answer=lambda why: {"behavior": "deny", "message": why} if why else allow,
            )
    return None


def _hook_answer(why: str) -> dict[str, Any]:
    verdict = {"permissionDecision": "deny", "permissionDecisionReason": why}
    decision = verdict if why else {"permissionDecision": "allow"}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}
