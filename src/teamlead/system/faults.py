"""Named points at which a test may make this process die, stop, or meet a failing disk.

They lie before and after every step that others can see. Nothing happens at them unless TEAMLEAD_FAULT was
set when the process started:

    record FILE      adds the name of each point that is reached to FILE, one a line
    kill NAME#K      SIGKILL to itself when NAME is reached for the K-th time
    stop NAME#K      SIGSTOP, likewise; term NAME#K: SIGTERM
    ENOSPC NAME#K    an OSError, likewise; so does any other name in `errno`
    ENOSPC NAME#K+   from then on at every point that comes before a write: the disk stays full
"""

import errno
import os
import signal
import threading
from collections.abc import Callable

VARIABLE = "TEAMLEAD_FAULT"

_on_reach: Callable[[str], None] | None = None


def reach(name: str) -> None:
    if _on_reach is not None:
        _on_reach(name)


def arm(fault: str) -> None:
    """Sets what this process does at a point from now on; "" for nothing."""
    global _on_reach  # noqa: PLW0603 - one variable, so that a point costs one look while nothing is armed
    action, _, target = fault.partition(" ")
    if not action:
        _on_reach = None
    elif action == "record":
        _on_reach = _recorder(target)
    else:
        _on_reach = _at(target, _deed(action))


def _recorder(file: str) -> Callable[[str], None]:
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def on_reach(name: str) -> None:
        os.write(descriptor, f"{name}\n".encode())

    return on_reach


def _at(target: str, deed: Callable[[], None]) -> Callable[[str], None]:
    wanted, _, number = target.rpartition("#")
    lasting = number.endswith("+")
    left = int(number.rstrip("+"))
    # Points are reached from several threads.
    lock = threading.Lock()

    def on_reach(name: str) -> None:
        nonlocal left
        with lock:
            left -= name == wanted
            due = left == 0 and name == wanted
            still = lasting and left <= 0 and not name.startswith("start ") and not name.endswith(": after")
        if due or still:
            deed()

    return on_reach


def _deed(action: str) -> Callable[[], None]:
    signals = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP, "term": signal.SIGTERM}
    if action in signals:
        return lambda: os.kill(os.getpid(), signals[action])
    number: int = getattr(errno, action)

    def fail() -> None:
        raise OSError(number, os.strerror(number))

    return fail


arm(os.environ.get(VARIABLE, ""))
