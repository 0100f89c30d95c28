"""A program that starts the kinds of processes that get away from whoever started them.

`nasty_tree.py [kill:N | stop:N | exit]...`: says `ready` when all are there, then does to its ancestors
what it was told: 1 is its parent, 2 the parent of that one. Whatever becomes of the test, none of its
processes outlives the deadline.
"""

import ctypes
import os
import platform
import select
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
PR_SET_CHILD_SUBREAPER = 36
CLONE_NEW_PIDS_AND_USERS = 0x30000000
TIMER_ABSTIME = 1
SYS_EXIT = 60 if platform.machine() == "x86_64" else 93
STUBBORN = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LIFETIME = 60
DEADLINE = int(time.monotonic()) + LIFETIME
LIBRARY = ctypes.CDLL(None)


def end_by_deadline() -> None:
    """A timer that sends SIGKILL: it ends also what is stopped. A fork does not inherit it."""
    timer = ctypes.c_void_p()
    event = ctypes.create_string_buffer(struct.pack("Pii", 0, signal.SIGKILL, 0), 64)
    when = struct.pack("llll", 0, 0, DEADLINE, 0)
    assert LIBRARY.timer_create(time.CLOCK_MONOTONIC, event, ctypes.byref(timer)) == 0
    assert LIBRARY.timer_settime(timer, TIMER_ABSTIME, when, None) == 0


def fork(body: Callable[[], None]) -> int:
    if pid := os.fork():
        return pid
    end_by_deadline()
    LIBRARY.prctl(PR_SET_NAME, body.__name__.encode(), 0, 0, 0)
    body()
    os._exit(0)


def here() -> None:
    os.write(READY, b".")


def stay() -> None:
    here()
    while True:
        signal.pause()


def own_session() -> None:
    os.setsid()
    stay()


def twice_forked() -> None:
    os.setsid()
    fork(stay)


def be_stubborn() -> None:
    for number in STUBBORN:
        signal.signal(number, signal.SIG_IGN)


def stubborn() -> None:
    be_stubborn()
    stay()


def no_death_signal() -> None:
    LIBRARY.prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
    os.setsid()
    stubborn()


def adopting() -> None:
    LIBRARY.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.setsid()
    fork(twice_forked)
    fork(own_session)
    stubborn()


def chain(length: int = 10) -> None:
    if length:
        fork(lambda: chain(length - 1))
    stay()


def never_resting() -> None:
    """Another pid every few milliseconds."""
    os.setsid()
    here()
    while time.monotonic() < DEADLINE:
        select.select([], [], [], 0.003)
        if os.fork():
            os._exit(0)


def bomb(generations: int = 3) -> None:
    """Each has two children, and replaces those that die."""
    os.setsid()
    for _ in range(2 if generations else 0):
        fork(lambda: bomb(generations - 1))
    here()
    while time.monotonic() < DEADLINE:
        if generations:
            os.wait()
            fork(lambda: bomb(generations - 1))
        else:
            signal.pause()


def daemon() -> None:
    os.setsid()
    os.chdir("/")
    fork(without_descriptors)


def without_descriptors() -> None:
    here()
    os.closerange(0, 256)
    while True:
        signal.pause()


def stopped() -> None:
    os.setsid()
    here()
    os.kill(os.getpid(), signal.SIGSTOP)


def parent_of_zombies() -> None:
    for _ in range(3):
        fork(lambda: os._exit(0))
    own_session()


def without_main_thread() -> None:
    """Looks like a zombie, and lives."""
    threading.Thread(target=stay).start()
    os.setsid()
    LIBRARY.syscall(SYS_EXIT, 0)


def threaded() -> None:
    """Its child is the child of a thread, one that runs and one that has ended."""
    threads = [threading.Thread(target=fork, args=(own_session,)) for _ in range(2)]
    threads.append(threading.Thread(target=stay))
    for thread in threads:
        thread.start()
    stay()


def own_namespace() -> None:
    """The first process of a pid namespace, where that is allowed."""
    LIBRARY.unshare(CLONE_NEW_PIDS_AND_USERS)
    fork(stubborn)
    stay()


def without_environment() -> None:
    os.setsid()
    here()
    os.execve("/bin/sleep", [os.environ["NASTY"], str(LIFETIME)], {})


KINDS: dict[Callable[[], None], int] = {
    stay: 1,
    own_session: 1,
    twice_forked: 1,
    stubborn: 1,
    no_death_signal: 1,
    adopting: 3,
    chain: 11,
    never_resting: 1,
    bomb: 15,
    daemon: 1,
    stopped: 1,
    parent_of_zombies: 1,
    without_main_thread: 1,
    threaded: 4,
    own_namespace: 2,
    without_environment: 1,
}
"""And how many of them say that they are there."""

WAITING, READY = os.pipe()


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def main(orders: list[str]) -> None:
    end_by_deadline()
    attacks = [order.split(":") for order in orders if ":" in order]
    kinds = dict(KINDS)
    if {"kill:1", "kill:2"} <= set(orders):
        # The one that nobody can find then.
        del kinds[without_environment]
    for kind in kinds:
        fork(kind)
    missing = sum(kinds.values())
    while missing:
        missing -= len(os.read(WAITING, 100))
    be_stubborn()
    ancestors = [os.getppid(), parent(os.getppid())]
    print("ready", flush=True)
    for what, generation in attacks:
        os.kill(ancestors[int(generation) - 1], signal.SIGKILL if what == "kill" else signal.SIGSTOP)
    print("done", flush=True)
    if "exit" not in orders:
        stay()


if __name__ == "__main__":
    main(sys.argv[1:])
