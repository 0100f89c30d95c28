"""Time under the test's control: a clock, and an event loop that runs by it and never sleeps."""

import asyncio
from asyncio import _set_running_loop
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import closing
from contextvars import Context, copy_context
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

Result = TypeVar("Result")
Callback = Callable[..., object]

DAY = 86400.0
FINEST = 1e-6
"""Two moments closer than this are one, so that rounding never makes the loop wait for almost nothing."""


class FakeClock:
    """Implements `ports.clock.Clock`.

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


class Waiting:
    """A callback and its context, in place of `asyncio.Handle`. Lean: millions are made."""

    __slots__ = ("arguments", "callback", "context", "given_up")

    def __init__(self, callback: Callback, arguments: tuple[Any, ...], context: Context | None) -> None:
        self.callback = callback
        self.arguments = arguments
        self.context = copy_context() if context is None else context
        self.given_up = False

    def cancel(self) -> None:
        self.given_up = True

    def cancelled(self) -> bool:
        return self.given_up


class VirtualLoop(asyncio.BaseEventLoop):
    """Jumps to the next timer where another loop would sleep. Without a next timer it raises `Stuck`.

    For code without threads, sockets and subprocesses: their time is real, and it does not wait. An error in
    a callback, which other loops only log, ends the test.
    """

    def __init__(self, clock: FakeClock, *, most: float = 30 * DAY) -> None:
        """`most`: seconds after which a test that still waits is taken for one that waits for ever."""
        super().__init__()
        self._clock = clock
        self._end = clock.passed() + most
        self._soon: deque[Waiting] = deque()
        self._timers: list[tuple[float, int, Waiting]] = []
        self._numbers = count()

    def time(self) -> float:
        return self._clock.passed()

    def call_soon(self, callback: Callback, *args: Any, context: Context | None = None) -> Waiting:  # type: ignore[override]
        waiting = Waiting(callback, args, context)
        self._soon.append(waiting)
        return waiting

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callback, *args: Any, context: Context | None = None
    ) -> Waiting:
        return self.call_at(self._clock.passed() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callback, *args: Any, context: Context | None = None
    ) -> Waiting:
        waiting = Waiting(callback, args, context)
        heappush(self._timers, (when, next(self._numbers), waiting))
        return waiting

    def create_future(self) -> "asyncio.Future[Any]":
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, **options: Any) -> "asyncio.Task[Any]":
        return asyncio.Task(coro, loop=self, **options)

    def run_until_complete(self, future: Any) -> Any:
        task = asyncio.ensure_future(future, loop=self)
        _set_running_loop(self)
        try:
            while not task.done():
                self._turn()
        finally:
            _set_running_loop(None)
        return task.result()

    def _turn(self) -> None:
        ready, timers = self._soon, self._timers
        if not ready:
            self._jump()
        soon = self._clock.passed() + FINEST
        while timers and timers[0][0] <= soon:
            ready.append(heappop(timers)[2])
        for _ in range(len(ready)):
            waiting = ready.popleft()
            if not waiting.given_up:
                waiting.context.run(waiting.callback, *waiting.arguments)

    def _jump(self) -> None:
        timers = self._timers
        while timers and timers[0][2].given_up:
            heappop(timers)
        if not timers:
            raise Stuck("every task waits, and no timer is set that could wake one")
        self._clock.advance(max(0.0, timers[0][0] - self._clock.passed()))
        if self._clock.passed() > self._end:
            raise Stuck("still waiting after the longest time this loop was made for")

    def close(self) -> None:
        """Ends what is left: each task gets its chance to tidy up, in no time."""
        left = asyncio.all_tasks(self)
        for task in left:
            task.cancel()
        if left:
            self.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        super().close()


def run_virtual(work: Coroutine[Any, Any, Result], clock: FakeClock, *, most: float = 30 * DAY) -> Result:
    """Runs like `asyncio.run`, in virtual time: hours of waiting take no time."""
    with closing(VirtualLoop(clock, most=most)) as loop:
        result: Result = loop.run_until_complete(work)
    return result
