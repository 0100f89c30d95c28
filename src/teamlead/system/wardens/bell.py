"""A bell tells that a child has died or was stopped: a descriptor that can be waited for."""

import contextlib
import os
import signal


def _nothing(*_: object) -> None:
    """A handler, so that the signal wakes and does no more."""


def ignore_ends() -> None:
    """Only the leader's death ends us. Not ignored by the system: programs would inherit that."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, _nothing)


def bell() -> int:
    """Returns a descriptor that can be read then."""
    ear, mouth = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _nothing)
    return ear


def hear(ear: int) -> None:
    with contextlib.suppress(BlockingIOError):
        os.read(ear, 4096)
