"""The agent asks before it uses a tool: the policy answers at once, or a person does before a deadline."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from teamlead.core.policy.calls import Call, refusal
from teamlead.ports.runner import RunSpec
from teamlead.runners.acp.permissions import call_of, outcome, sentence
from teamlead.runners.acp.updates import Tool
from teamlead.runners.run_events import Event


class Decisions:
    def __init__(self, spec: RunSpec, answer: Callable[[int | str, dict[str, Any]], None]) -> None:
        self._spec = spec
        self._answer = answer
        self._asked: set[asyncio.Task[None]] = set()
        self._late: list[Event] = []
        self.refused = ""
        """Why the call was rejected after which the agent has neither said nor tried anything."""

    def decide(self, request: int | str, tool: Tool, options: object) -> Iterable[Event]:
        call = call_of(tool.name, tool.known, self._spec.place, self._spec.room)
        why = refusal(self._spec.policy, self._spec.scope, call)
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
