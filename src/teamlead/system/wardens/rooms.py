"""A program in a room: below the one that holds the room, and below the room's first process.

Neither of the two passes signals on. The first dies of them at once, and its room with it; the second, as the
first process of its pid namespace, does not notice them. Its group is also the program's.
"""

import contextlib
import os
import signal

from teamlead.system.wardens.tree import children

FATAL = {
    *(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT),
    *(signal.SIGBUS, signal.SIGFPE, signal.SIGKILL, signal.SIGUSR1, signal.SIGSEGV, signal.SIGUSR2),
    *(signal.SIGPIPE, signal.SIGALRM, signal.SIGTERM, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGSYS),
}


STATUS = b"--json-status-fd"


def told_to(argv: list[bytes], descriptor: int) -> list[bytes]:
    """The same, but who holds the room tells there how it goes."""
    return [argv[0], STATUS, str(descriptor).encode(), *argv[1:]]


def entered(descriptor: int) -> bool:
    """Whether there was a room, once its holder has ended: else the exit code is not the program's."""
    try:
        return b'"exit-code"' in os.read(descriptor, 4096)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)


def send(holder: int, number: int) -> None:
    """To the program's group. `holder` is a child of this process, and not reaped."""
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
