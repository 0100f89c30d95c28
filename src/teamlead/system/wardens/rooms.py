"""A program in a room: below the one that holds the room, and below the room's first process.

Neither of the two passes signals on. The first dies of them at once, and its room with it; the second, as the
first process of its pid namespace, does not notice them. Its group is also the program's.
"""

import contextlib
import os
import signal

from teamlead.system.wardens.steps import take
from teamlead.system.wardens.tree import children

FATAL = {
    *(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT),
    *(signal.SIGBUS, signal.SIGFPE, signal.SIGKILL, signal.SIGUSR1, signal.SIGSEGV, signal.SIGUSR2),
    *(signal.SIGPIPE, signal.SIGALRM, signal.SIGTERM, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGSYS),
}
STATUS = b"--json-status-fd"
OUTSIDE = b"outside"


def told_to(argv: list[bytes], descriptor: int) -> list[bytes]:
    """Returns the same order, but who holds the room tells there how it goes."""
    return [argv[0], STATUS, str(descriptor).encode(), *argv[1:]]


def approach(steps: list[bytes], status: int) -> None:
    """Takes the steps into a room in the process that is to be the program, and ends it if one fails."""
    try:
        take(steps)
    except OSError as error:
        os.write(2, f"{error.strerror or error}\n".encode())
        os.write(status, OUTSIDE)
        os._exit(1)


def entered(status: int, *, held: bool) -> bool:
    """Whether there was a room, once the program has ended: else the exit code is not its own.

    `held`: it has a holder, who tells the exit code of what it held.
    """
    try:
        told = os.read(status, 4096)
    except BlockingIOError:
        told = b""
    finally:
        os.close(status)
    return OUTSIDE not in told and (not held or b'"exit-code"' in told)


def send(holder: int, number: int) -> None:
    """Sends a signal to the program's group. `holder` is a child of this process, and not reaped."""
    with contextlib.suppress(OSError):
        # While it is stopped it reaps nobody: the number of the first process names that one, or its zombie.
        os.kill(holder, signal.SIGSTOP)
        try:
            os.waitid(os.P_PID, holder, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            for first in children(holder):
                with contextlib.suppress(OSError):
                    os.killpg(first, number)
        finally:
            os.kill(holder, signal.SIGCONT)


def exit_code(code: int) -> int:
    """Whoever holds a room tells a program's death by a signal as a shell does."""
    number = code - 128
    return -number if number in FATAL else code
