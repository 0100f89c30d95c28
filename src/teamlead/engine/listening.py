"""The leader, as its agents reach it through the team's tools."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from teamlead.core import facts as f
from teamlead.core.amounts import show_duration
from teamlead.core.asking.escalation import ALLOW, OPTIONS
from teamlead.core.model import Question
from teamlead.core.state.records import Escalation
from teamlead.core.state.team_state import TeamState
from teamlead.ports.team import Letter, TaskLine

Put = Callable[[f.AnyFact], Awaitable[None]]


class Listening:
    """Implements `ports.team.Listener`."""

    def __init__(self, state: TeamState, put: Put) -> None:
        self._state = state
        self._put = put
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._asked = 0

    async def put(self, fact: f.AnyFact) -> None:
        await self._put(fact)

    async def ask(self, task: str, attempt: int, question: Question, call: str) -> str:
        await self._put(f.Asked(task, attempt, question, call))
        return self._state.calls[call]

    async def permission(self, task: str, attempt: int, what: str, patience: float) -> str:
        """Why the agent may not do it; empty: a person allowed it."""
        self._asked += 1
        call = f"{task}:{attempt}:permission:{self._asked}"
        until = f"Without an answer within {show_duration(patience)} it is a no."
        question = Question(f"{task} wants to {what}. Allow it? {until}", OPTIONS["permission"])
        await self._put(f.PermissionAsked(task, attempt, question, call))
        record = self._state.escalations[self._state.calls[call]]
        await self._settled(record, patience)
        if _over(record) is None:
            await self._put(f.PermissionLapsed(task, attempt, record.id))
        if record.state == "resolved":
            return "" if record.resolution.lower() == ALLOW else "a person did not allow it"
        return f"nobody allowed it: {record.resolution}"

    async def answer(self, escalation: str, patience: float) -> str | None:
        record = self._state.escalations[escalation]
        await self._settled(record, patience)
        if _over(record) is None:
            task = record.asker.task
            attempt = self._state.tasks[task].live
            await self._put(f.QuestionParked(task, attempt.number if attempt else 0, escalation))
        return _over(record)

    async def _settled(self, record: Escalation, patience: float) -> None:
        if _over(record) is None:
            settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            waiting = self._waiting.setdefault(record.id, set())
            waiting.add(settled)
            try:
                await asyncio.wait([settled], timeout=patience)
            finally:
                # A question may stay open for days, and its call may be repeated.
                waiting.discard(settled)

    async def unread(self, task: str) -> Sequence[Letter]:
        messages = (self._state.messages[name] for name in self._state.members[task].unread)
        return [Letter(each.id, each.sender, each.text, each.type, each.summary) for each in messages]

    async def tasks(self) -> Sequence[TaskLine]:
        return [
            TaskLine(
                task.spec.id,
                task.spec.title,
                task.state,
                task.spec.role,
                task.live.note if task.live else "",
            )
            for task in self._state.tasks.values()
        ]

    def look(self) -> None:
        """Called when something has happened: whoever waits for an answer that has come is woken."""
        for name in list(self._waiting):
            if _over(self._state.escalations[name]) is not None:
                for settled in self._waiting.pop(name):
                    if not settled.done():
                        settled.set_result(None)


def _over(record: Escalation) -> str | None:
    """The answer, or why there will be none; None while it is open."""
    if record.state == "withdrawn":
        return f"(nobody will answer: {record.resolution})"
    return record.resolution if record.state == "resolved" else None
