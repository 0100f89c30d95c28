"""A program that starts the kinds of processes that get away from whoever started them.

Prints `ready` when all are there. Then waits, exits, or kills its parent, as its argument says.
Whatever becomes of the test, none of them outlives the deadline.
"""

import ctypes
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
STUBBORN = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LIFETIME = 60
DEADLINE = int(time.monotonic()) + LIFETIME
TIMER_ABSTIME = 1


def end_by_deadline() -> None:
    """A timer that sends SIGKILL: it ends also what is stopped. A fork does not inherit it."""
    timer = ctypes.c_void_p()
    event = ctypes.create_string_buffer(struct.pack("Pii", 0, signal.SIGKILL, 0), 64)
    when = struct.pack("llll", 0, 0, DEADLINE, 0)
    library = ctypes.CDLL(None)
    assert library.timer_create(time.CLOCK_MONOTONIC, event, ctypes.byref(timer)) == 0
    assert library.timer_settime(timer, TIMER_ABSTIME, when, None) == 0


def fork(body: Callable[[], None]) -> None:
    if os.fork() == 0:
        end_by_deadline()
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


def be_stubborn() -> None:
    for number in STUBBORN:
        signal.signal(number, signal.SIG_IGN)


def ignore_signals() -> None:
    be_stubborn()
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


def chain(length: int = 20) -> None:
    if length:
        fork(lambda: chain(length - 1))
    stay()


def never_rest() -> None:
    """Another pid every few milliseconds."""
    os.setsid()
    os.write(READY, b".")
    while time.monotonic() < DEADLINE:
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
    end_by_deadline()
    for kind, _ in KINDS:
        fork(kind)
    missing = sum(count for _, count in KINDS)
    while missing:
        missing -= len(os.read(WAITING, 100))
    be_stubborn()
    print("ready", flush=True)
    if sys.argv[1] == "kill parent":
        os.kill(os.getppid(), signal.SIGKILL)
    if sys.argv[1] != "exit":
        stay()
