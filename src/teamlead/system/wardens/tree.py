"""The processes below this one: hearing of their deaths, adopting, reaping and killing them.

Nothing foreign is killed. A pid names the same process until it is reaped, and children of this process are
reaped by nobody else. Of a deeper one, the process that has the pid is pinned by pidfd; then it is read who
its parent is; then that parent, pinned before, is seen to be there still, so that its pid was its own all the
time. A signal through a pidfd reaches the pinned process or nobody.
"""

import contextlib
import os
import signal
from collections.abc import Collection, Iterator

PR_SET_CHILD_SUBREAPER = 36
GIVE_UP = 10.0
"""Seconds to wait for deaths. What is stuck in the kernel runs no code of its own any more; what has become
another user's is out of reach."""


def adopt_orphans() -> bool:
    import ctypes  # noqa: PLC0415 - the leader knows this module too, and does not need that

    done: int = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return done == 0


def _nothing(*_: object) -> None:
    """A handler, so that the signal wakes and does no more."""


def ignore_ends() -> None:
    """Only the leader's death ends us. Not ignored by the system: programs would inherit that."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, _nothing)


def bell() -> int:
    """Returns a descriptor that can be read once a child has died or was stopped."""
    ear, mouth = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _nothing)
    return ear


def hear(ear: int) -> None:
    with contextlib.suppress(BlockingIOError):
        os.read(ear, 4096)


def reaped() -> Iterator[tuple[int, int]]:
    """Reaps what has ended, and returns pids with their exit codes."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield pid, os.waitstatus_to_exitcode(status)


def wake_stopped() -> None:
    """Wakes wardens that somebody stopped: they would not notice their leader's death."""
    with contextlib.suppress(ChildProcessError):
        while stopped := os.waitid(os.P_ALL, 0, os.WSTOPPED | os.WNOHANG):
            os.kill(stopped.si_pid, signal.SIGCONT)


def childless() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def strike(spared: Collection[int] = ()) -> bool:
    """Kills all below this process but `spared`; returns whether anything was there, be it dying already.

    Each is stopped before its children are listed: it starts no more of them, and none can see another die
    and do something about it. What is out of reach for want of descriptors rises as the others die.
    """
    own = os.getpid()
    found = [(pid, own, -1) for pid in children(own) if pid not in spared]
    something = bool(found)
    pins = []
    while found:
        pid, parent, parent_pin = found.pop()
        pin = seize(pid, parent, parent_pin)
        if pin >= 0:
            pins.append(pin)
            found += [(child, pid, pin) for child in children(pid)]
    for pin in pins:
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(pin, signal.SIGKILL)
        os.close(pin)
    return something


def seize(pid: int, parent: int, parent_pin: int) -> int:
    """Stops a child of `parent`, and returns its pidfd; -1 if it is no such child, or cannot be had.

    `parent_pin` is the parent's pidfd, -1 for this process.
    """
    try:
        pin = os.pidfd_open(pid)
    except OSError:
        return -1
    try:
        if int(stat(pid)[1]) == parent:
            if parent_pin >= 0:
                signal.pidfd_send_signal(parent_pin, 0)
            signal.pidfd_send_signal(pin, signal.SIGSTOP)
            return pin
    except OSError:
        pass
    os.close(pin)
    return -1


def children(pid: int) -> list[int]:
    """Lists children that can be read: it may miss some if others die meanwhile."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - pathlib costs start-up time
            # A thread that has just ended has handed its children to the others.
            with (
                contextlib.suppress(FileNotFoundError, ProcessLookupError),
                open(f"/proc/{pid}/task/{thread}/children", "rb") as file,  # noqa: PTH123
            ):
                found += [int(child) for child in file.read().split()]
    return found


def stat(pid: int) -> list[bytes]:
    """Returns the fields from the state on."""
    with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        return file.read().rpartition(b")")[2].split()
