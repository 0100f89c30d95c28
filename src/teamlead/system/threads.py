"""Threads for what blocks. All are started ahead: a machine may be out of threads when we need one."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from teamlead.system.exhaustion import exhausted

WORKERS = 8
NONE_LEFT = "can't start new thread"
"""So says Python, with nothing but a RuntimeError."""


class Threads(ThreadPoolExecutor):
    def __init__(self) -> None:
        super().__init__(WORKERS, "teamlead")
        all_there = Barrier(WORKERS)
        try:
            for _ in range(WORKERS):
                self.submit(all_there.wait)
        except RuntimeError as error:
            all_there.abort()
            raise exhausted(f"no thread can be started: {error}") from error
