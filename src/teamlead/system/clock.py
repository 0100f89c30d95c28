"""The time that decisions and records count in."""

import time
from collections.abc import Callable


class SteadyClock:
    """Wall time that never goes back. Implements `ports.clock.Clock`.

    Where the wall clock is set back, this one goes on from where it was: a pause lasts no longer than it
    should, and what happens later has a later time. Where it jumps ahead, or the machine slept, this one
    follows.
    """

    def __init__(
        self,
        after: float = 0.0,
        wall: Callable[[], float] = time.time,
        awake: Callable[[], float] = time.monotonic,
    ) -> None:
        """`after`: the latest moment on record."""
        self._wall = wall
        self._awake = awake
        self._now = after
        self._seen = awake()

    def now(self) -> float:
        seen = self._awake()
        self._now = max(self._wall(), self._now + seen - self._seen)
        self._seen = seen
        return self._now
