"""The leader, as its agents reach it through the team's tools."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from teamlead.core import facts as f
from teamlead.core.model import Question
from teamlead.core.state import Escalation, TeamState
from teamlead.ports import Letter, TaskLine

Put = Callable[[f.AnyFact], Awaitable[None]]


class Listening:
    """Implements `ports.Listener`."""

    def __init__(self, state: TeamState, put: Put) -> None:
        self._state = state
        self._put = put
        self._waiting: dict[str, list[asyncio.Future[None]]] = {}

    async def put(self, fact: f.AnyFact) -> None:
        await self._put(fact)

    async def ask(self, task: str, attempt: int, question: Question, call: str) -> str:
        await self._put(f.Asked(task, attempt, question, call))
        return self._state.calls[call]

    async def answer(self, escalation: str, patience: float) -> str | None:
        record = self._state.escalations[escalation]
        if _over(record) is None:
            settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(escalation, []).append(settled)
            await asyncio.wait([settled], timeout=patience)
        if _over(record) is None:
            attempt = self._state.tasks[record.task].live
            await self._put(f.QuestionParked(record.task, attempt.number if attempt else 0, escalation))
        return _over(record)

    def unread(self, task: str) -> Sequence[Letter]:
        messages = (self._state.messages[name] for name in self._state.tasks[task].unread)
        return [Letter(message.id, message.sender, message.text) for message in messages]

    def tasks(self) -> Sequence[TaskLine]:
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
