"""Processes known by a mark in their environment: the last resort, when no warden is left that holds them.

A mark is random, and only what a marked process starts inherits it. A process is pinned by pidfd before its
environment is read: should its pid be another's by then, the signal reaches nobody.
"""

import contextlib
import os
import signal
import time

from teamlead.system.wardens.tree import GIVE_UP

VARIABLE = "TEAMLEAD_MARK"
PAUSE = 0.001
LOOKS = 10
"""In vain, until there is held to be none."""


def new() -> str:
    return os.urandom(16).hex()


def own() -> str:
    """Returns the mark for the git calls of this process; a fork has another one."""
    if os.getpid() not in _own:
        _own.clear()
        _own[os.getpid()] = new()
    return _own[os.getpid()]


_own: dict[int, str] = {}


def send(mark: str, number: int) -> int:
    """Sends a signal to all that carry the mark and live, but not to this process; returns to how many."""
    return _Search(mark).send(number)


def end(mark: str) -> bool:
    """Kills all that carry the mark, until none is found any more; returns whether any was."""
    search = _Search(mark)
    give_up = time.monotonic() + GIVE_UP
    found = False
    quiet = 0
    while quiet < LOOKS and time.monotonic() < give_up:
        if search.send(signal.SIGKILL):
            found = True
            quiet = 0
        quiet += 1
        time.sleep(PAUSE)
    return found


class _Search:
    def __init__(self, mark: str) -> None:
        self._words = f"{VARIABLE}={mark}\0".encode()
        self._strangers = {os.getpid()}
        """Looked at once: another look is fast enough for one that changes its pid all the time."""

    def send(self, number: int) -> int:
        try:
            pids = {int(name) for name in os.listdir("/proc") if name.isdecimal()}  # noqa: PTH208
        except OSError:
            return 0
        return sum(self._carries(pid, number) for pid in pids - self._strangers)

    def _carries(self, pid: int, number: int) -> bool:
        try:
            pin = os.pidfd_open(pid)
        except (AttributeError, OSError):
            return False
        try:
            environment = _environment(pid)
            if self._words in environment:
                signal.pidfd_send_signal(pin, number)
                return True
            # One that is just starting another program shows nothing, and is looked at again.
            if environment:
                self._strangers.add(pid)
        except PermissionError:
            self._strangers.add(pid)
        except OSError:
            pass
        finally:
            os.close(pin)
        return False


def _environment(pid: int) -> bytes:
    """Reads it from one of its threads: a process whose first thread has ended looks like a zombie."""
    for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - pathlib costs start-up time
        with (
            contextlib.suppress(ProcessLookupError),
            open(f"/proc/{pid}/task/{thread}/environ", "rb") as file,  # noqa: PTH123
        ):
            if found := file.read():
                return found
    return b""
