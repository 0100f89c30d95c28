"""A program that starts the kinds of processes that get away from whoever started them.

Prints `ready` when all are there. Then waits, exits, or kills its parent, as its argument says.
"""

import ctypes
import os
import select
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
STUBBORN = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def fork(body: Callable[[], None]) -> None:
    if os.fork() == 0:
        body()
        os._exit(0)


def stay() -> None:
    os.write(READY, b".")
    while True:
        signal.pause()


def stay_in_own_session() -> None:
    os.setsid()
    stay()


def fork_twice() -> None:
    os.setsid()
    fork(stay)


def ignore_signals() -> None:
    for number in STUBBORN:
        signal.signal(number, signal.SIG_IGN)
    stay()


def clear_death_signal() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
    os.setsid()
    ignore_signals()


def adopt() -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.setsid()
    fork(fork_twice)
    fork(stay_in_own_session)
    ignore_signals()


def chain() -> None:
    for _ in range(20):
        if os.fork():
            stay()
    stay()


def never_rest() -> None:
    """Another pid every few milliseconds."""
    os.setsid()
    os.write(READY, b".")
    while True:
        select.select([], [], [], 0.003)
        if os.fork():
            os._exit(0)


KINDS = (
    (stay, 1),
    (stay_in_own_session, 1),
    (fork_twice, 1),
    (ignore_signals, 1),
    (clear_death_signal, 1),
    (adopt, 3),
    (chain, 21),
    (never_rest, 1),
)

WAITING, READY = os.pipe()

if __name__ == "__main__":
    for kind, _ in KINDS:
        fork(kind)
    missing = sum(count for _, count in KINDS)
    while missing:
        missing -= len(os.read(WAITING, 100))
    print("ready", flush=True)
    if sys.argv[1] == "kill parent":
        os.kill(os.getppid(), signal.SIGKILL)
    if sys.argv[1] != "exit":
        ignore_signals()
