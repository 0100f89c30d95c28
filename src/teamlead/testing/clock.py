"""Time under the test's control: a clock, and an event loop that runs by it and never sleeps."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

DAY = 86400.0
FINEST = 1e-6
"""Two moments closer than this are one, so that rounding never makes the loop wait for almost nothing."""


class FakeClock:
    """Implements `ports.Clock`.

    `advance` lets time pass; `jump` sets the wall clock alone, as a person or a time server does.
    """

    def __init__(self, start: float = 1_000_000.0) -> None:
        self._wall = start
        self._passed = 0.0

    def now(self) -> float:
        return self._wall + self._passed

    def passed(self) -> float:
        """Seconds since the clock was made, whatever the wall clock says."""
        return self._passed

    def advance(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("time does not run backwards; `jump` sets the wall clock back")
        self._passed += seconds

    def jump(self, seconds: float) -> None:
        self._wall += seconds


class Stuck(AssertionError):
    """Everything waits for something that will never happen."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """Jumps to the next timer where another loop would sleep. Without a next timer it raises `Stuck`.

    For code without threads, sockets and subprocesses: their time is real, and it does not wait.
    """

    def __init__(self, clock: FakeClock, *, most: float = 30 * DAY) -> None:
        """`most`: seconds after which a test that still waits is taken for one that waits for ever."""
        self._clock = clock
        super().__init__(_Jumping(clock, most))
        self._clock_resolution = FINEST

    def time(self) -> float:
        return self._clock.passed()

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """An error in a callback, which other loops only log, ends the test."""
        if "handle" in context and isinstance(context.get("exception"), Exception):
            raise context["exception"]
        super().call_exception_handler(context)


class _Jumping(selectors.SelectSelector):
    def __init__(self, clock: FakeClock, most: float) -> None:
        super().__init__()
        self._clock = clock
        self._end = clock.passed() + most

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            # Without a system call: there is nothing out there that could report.
            return []
        if timeout is None:
            raise Stuck("every task waits, and no timer is set that could wake one")
        self._clock.advance(timeout)
        if self._clock.passed() > self._end:
            raise Stuck("still waiting after the longest time this loop was made for")
        return []


def run_virtual(work: Coroutine[Any, Any, Result], clock: FakeClock, *, most: float = 30 * DAY) -> Result:
    """As `asyncio.run`, in virtual time: hours of waiting take no time."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock, most=most)) as runner:
        return runner.run(work)
