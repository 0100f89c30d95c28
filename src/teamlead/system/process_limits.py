"""What this process may use at a time: descriptors up to the limit, and threads that are started ahead."""

import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Barrier
from typing import Final

from teamlead.system.exhaustion import exhausted

BEFORE: Final = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
"""For the programs that we start: some look at every number below their limit, or know none above 1023."""
WORKERS = 8
NONE_LEFT = "can't start new thread"
"""So says Python, with nothing but a RuntimeError."""


def raise_limit() -> None:
    """Raises the limit as far as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    _set(hard)


@contextmanager
def limit_of_before() -> Iterator[None]:
    """Sets the limit of before, for a program that is started inside."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    _set(BEFORE)
    try:
        yield
    finally:
        _set(soft)


def _set(soft: int) -> None:
    # macOS calls a limit unlimited, and takes no such number.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


class Threads(ThreadPoolExecutor):
    """For what blocks. All are started ahead: a machine may be out of threads when we need one."""

    def __init__(self) -> None:
        super().__init__(WORKERS, "teamlead")
        all_there = Barrier(WORKERS)
        try:
            for _ in range(WORKERS):
                self.submit(all_there.wait)
        except RuntimeError as error:
            all_there.abort()
            raise exhausted(f"no thread can be started: {error}") from error
