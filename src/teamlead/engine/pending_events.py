"""Events that have happened, on their way to the journal.

What looking at the world would find again may stay in memory for a moment, and is written with what comes
next.
"""

import asyncio
from collections.abc import Callable, Sequence

from teamlead.core.events import AnyEvent
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Parts
from teamlead.ports.journal import Commit, Outcome, Stamped

LONGEST = 0.005
"""Seconds in memory."""


class PendingEvents:
    def __init__(self, state: TeamState, parts: Parts, wake: Callable[[], None]) -> None:
        self._state = state
        self._parts = parts
        self._wake = wake
        self._events: list[Stamped] = []
        self._timer: asyncio.TimerHandle | None = None
        self.overdue = False

    def add(self, now: float, events: Sequence[AnyEvent]) -> None:
        self._events += [Stamped(now, event) for event in events]

    def write_soon(self) -> None:
        if self._events and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LONGEST, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._events:
            self.overdue = True
            self._wake()

    async def write(self, *, durable: bool, outcomes: Sequence[Outcome] = ()) -> None:
        self.overdue = False
        if not self._events and not outcomes:
            return
        rows = self._parts.view(self._state, list(self._state.touched))
        self._state.touched.clear()
        events, self._events = self._events, []
        await self._parts.journal.commit(Commit(events, rows, outcomes, durable))

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
