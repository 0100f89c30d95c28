"""Wakes the leader when the clock alone has something to say.

The wall clock may jump, and the machine may sleep: it is looked at again now and then, however far away the
moment is.
"""

import asyncio
from collections.abc import Callable, Mapping

from teamlead.core.state.records import MACHINE
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import consequence
from teamlead.ports.clock import Clock

LONGEST = 30.0
"""Seconds between two looks at the clock."""


class Alarm:
    def __init__(
        self, state: TeamState, clock: Clock, postponed: Mapping[str, None], wake: Callable[[], None]
    ) -> None:
        """`postponed`: what waits for the machine."""
        self._state = state
        self._clock = clock
        self._postponed = postponed
        self._wake = wake
        self._timer: asyncio.TimerHandle | None = None

    def set(self) -> None:
        self.close()
        moment = self._state.next_timer()
        machine = self._state.holds.get(MACHINE) if self._postponed else None
        if machine is not None and machine.until is not None:
            moment = min(machine.until, machine.until if moment is None else moment)
        if moment is None:
            return
        now = self._clock.now()
        if moment > now:
            self._watch_clock(moment)
        elif self._postponed or consequence(self._state, now):
            # It came during this turn. Where nothing follows, a free slot is missing, whose coming wakes us.
            self._wake()

    def _watch_clock(self, moment: float) -> None:
        left = moment - self._clock.now()
        if left > 0:
            wait = min(left, LONGEST)
            self._timer = asyncio.get_running_loop().call_later(wait, self._watch_clock, moment)
        else:
            self._wake()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
