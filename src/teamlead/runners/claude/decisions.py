"""Claude asks before it uses a tool: the policy answers at once, or a person does before a deadline.

It asks once about each call, and a second time about some: before it changes its own settings, for one.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from teamlead.ports.runner import RunSpec
from teamlead.runners.claude.outgoing_messages import Voice
from teamlead.runners.claude.permissions import Gate
from teamlead.runners.run_events import Event
from teamlead.runners.untrusted_fields import table, text


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
    def __init__(self, spec: RunSpec, voice: Voice) -> None:
        self._gate = Gate(spec.policy, spec.scope, spec.cwd, spec.room)
        self._permit = spec.permit
        self._voice = voice
        self._asked: dict[str, asyncio.Task[None]] = {}
        """What a person is being asked, by the request."""
        self._permitted: set[str] = set()
        self._late: list[Event] = []

    def decide(self, request: str, asked: dict[str, Any]) -> Iterable[Event]:
        question = _question(request, asked)
        if question is None:
            self._voice.decline(request, f"{asked.get('subtype')!r} is not possible here")
            return
        _, use, name, given, folder, answer = question
        why = self._gate.refusal(name, given, folder)
        if not why and use not in self._permitted and self._gate.asks(name):
            self._asked[request] = asyncio.create_task(self._ask_person(question))
            return
        self._voice.answer(request, answer(why))
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
            self._voice.answer(question.request, question.answer(why))


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
