"""Kills trees while their pids are used again at once by others; says how many of the others were killed.

`pid_reuse.py careful|careless SECONDS`, as the first process of a pid namespace of its own.
"""

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from teamlead.system.wardens import tree

LAST_PID = Path("/proc/sys/kernel/ns_last_pid")


def pause() -> None:
    select.select([], [], [], 0.001)


def fork(body: Callable[[], None]) -> int:
    # The lowest pid that is free.
    LAST_PID.write_text("10")
    if pid := os.fork():
        return pid
    body()
    os._exit(0)


def bystanders(end: float) -> None:
    """Says how many of its children were killed."""
    killed = 0
    while time.monotonic() < end:
        for pid in [fork(pause) for _ in range(4)]:
            killed += os.waitpid(pid, 0)[1] != 0
    print(killed, flush=True)


def short_lived() -> None:
    """Reaps its children, so that their pids are free."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        for pid in [fork(pause) for _ in range(4)]:
            os.waitpid(pid, 0)


def careless() -> None:
    """As `tree.strike`, by number alone."""
    found = tree.children(os.getpid())
    for pid in found:
        found += tree.children(pid)
    for _ in range(4):
        pause()
    for pid in reversed(found):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def strikes(strike: Callable[[], object], end: float) -> None:
    assert tree.adopt_orphans()
    while time.monotonic() < end:
        for _ in range(2):
            fork(short_lived)
        pause()
        while not tree.childless():
            strike()
            for _ in tree.reaped():
                pass


def main(how: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    others = fork(lambda: bystanders(end))
    striking = fork(lambda: strikes(tree.strike if how == "careful" else careless, end))
    assert {os.waitpid(pid, 0)[1] for pid in (striking, others)} == {0}


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
