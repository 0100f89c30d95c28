"""Waiting while the planner's account may not be used, whoever met the limit: a planning or a session."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from teamlead.core import holds
from teamlead.core.runs import RunEnd
from teamlead.errors import Failed
from teamlead.ports import Held
from teamlead.views.moments import until
from teamlead.wiring.holds import UserHolds
from teamlead.wiring.staffing import Tell

POLL = 1.0
"""Seconds: somebody may release it before its time."""
UNSERVED = frozenset({"limit", "unavailable"})


class Unserved(Failed):
    """The service turned it away, for a time. Nothing was wrong with what it was asked."""


@dataclass
class Patience:
    kind: str
    shared: UserHolds
    tell: Tell
    now: Callable[[], float] = time.time
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep
    _strikes: int = 0

    async def wait(self) -> None:
        """Until nothing holds it, here or in a session."""
        told = None
        while (held := self.shared.held(self.kind)) is not None:
            if held != told:
                when = until(held.until, self.now())
                self.tell(f"{self.kind} is on hold {when}: {held.reason}. Planning goes on by itself then.")
                told = held
            await self.pause(min(POLL, max(0.0, held.until - self.now())))

    def heed(self, end: RunEnd) -> None:
        """Holds it for everybody if it was turned away. Raises Unserved: it can be asked again later."""
        if end.status not in UNSERVED:
            self._strikes = 0
            return
        ends = holds.ends(end.status, end.reset_at, self._strikes, self.now())
        self._strikes += 1
        if ends is not None:
            self.shared.hold(self.kind, Held(ends, end.detail or holds.WORDS[end.status]))
            raise Unserved(f"{self.kind} was not served: {end.detail}")
