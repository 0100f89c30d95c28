"""A warden: holds one program, and ends its whole tree.

A program in a room is below the one that holds the room, and below the room's first process. Neither of the
two passes signals on. The first dies of them at once, and its room with it; the second, as the first process
of its pid namespace, does not notice them. Its group is also the program's.
"""

import contextlib
import os
import resource
import select
import signal
import socket
import subprocess
import time
from functools import partial
from typing import NamedTuple

from teamlead.system.wardens import tree
from teamlead.system.wardens.messages import Order, StartRequest, read_order, receive, tell
from teamlead.system.wardens.steps import take
from teamlead.system.wardens.tree import bell, children, hear

STRIKE_AGAIN = 0.01
SLOWLY = 1.0

FATAL = {
    *(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT),
    *(signal.SIGBUS, signal.SIGFPE, signal.SIGKILL, signal.SIGUSR1, signal.SIGSEGV, signal.SIGUSR2),
    *(signal.SIGPIPE, signal.SIGALRM, signal.SIGTERM, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGSYS),
}
STATUS = b"--json-status-fd"
OUTSIDE = b"outside"


def live(requests: socket.socket, limit: int) -> None:
    """A warden's whole life, for one request. Its program may have as many descriptors as `limit` says."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    # A group of its own in the leader's session: if it was stopped and its nursery dies, the system wakes it.
    os.setpgid(0, 0)
    if not tree.adopt_orphans():
        raise OSError
    ear = bell()
    fds = receive(requests).fds
    requests.close()
    if fds:
        request = StartRequest(*fds)
        with socket.socket(fileno=request.control) as control:
            _Warden(control, ear).run(request)


class _Warden:
    def __init__(self, control: socket.socket, ear: int) -> None:
        self._control = control
        self._ear = ear
        self._program = 0
        self._status = -1
        """Where it is told how the way into a room goes, if the program is to have one."""
        self._holds_room = False
        """Whether the program starts another one in a room."""
        self._entered = True
        self._code: int | None = None
        self._ending = False
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def run(self, request: StartRequest) -> None:
        if self._poll.poll(0):
            # The leader died, or gave it up, before the program was started.
            return
        self._poll.register(self._ear, select.POLLIN)
        tell(self._control.fileno(), "starting")
        try:
            order = read_order(request.order)
            self._holds_room = order.holds_room
            self._program, self._status = _start(request, order)
        except OSError as error:
            tell(self._control.fileno(), f"failed {error.errno}")
            return
        tell(self._control.fileno(), f"started {self._program}")
        while not self._ending:
            self._turn(None)
        self._end()

    def _turn(self, pause: float | None) -> None:
        ready = dict(self._poll.poll(pause and 1000 * pause))
        hear(self._ear)
        for pid, code in tree.reaped():
            if pid == self._program:
                self._code = code
                self._ending = True
                if self._holds_room:
                    self._code = _exit_code_in_room(code)
                if self._status >= 0:
                    # Killed, it has said nothing, and did not fail.
                    self._entered = _entered(self._status, held=self._holds_room) or code < 0
        if self._control.fileno() in ready:
            self._obey()

    def _obey(self) -> None:
        try:
            asked = self._control.recv(64)
        except OSError:
            asked = b""
        if not asked:
            self._poll.unregister(self._control)
        if not asked or signal.SIGKILL in asked:
            self._ending = True
        elif self._code is None:
            for number in asked:
                self._signal(number)

    def _signal(self, number: int) -> None:
        if self._holds_room:
            _signal_in_room(self._program, number)
        else:
            # Not reaped, so the group with its number is its own.
            with contextlib.suppress(OSError):
                os.killpg(self._program, number)

    def _end(self) -> None:
        give_up = time.monotonic() + tree.GIVE_UP
        while not tree.childless() and time.monotonic() < give_up:
            self._strike(STRIKE_AGAIN)
        code = -signal.SIGKILL if self._code is None else self._code
        tell(self._control.fileno(), f"ended {code}{'' if self._entered else ' outside'}")
        while not tree.childless():
            self._strike(SLOWLY)

    def _strike(self, pause: float) -> None:
        begun = time.monotonic()
        tree.strike()
        now = time.monotonic()
        # A long strike gets as long to take effect: not each death that wakes us needs another one.
        again = now + max(pause, now - begun)
        while not tree.childless() and (left := again - time.monotonic()) > 0:
            self._turn(left)


class _Started(NamedTuple):
    pid: int
    status: int


def _start(request: StartRequest, order: Order) -> _Started:
    status, told = -1, -1
    if order.holds_room or order.steps:
        status, told = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    argv = _told_to(order.argv, told) if order.holds_room else order.argv
    program = subprocess.Popen(
        argv,
        cwd=order.cwd,
        env=order.env,
        stdin=request.stdin,
        stdout=request.stdout,
        stderr=request.stderr,
        start_new_session=True,
        pass_fds=(told,) if order.holds_room else (),
        preexec_fn=partial(_approach, order.steps, told) if order.steps else None,  # noqa: PLW1509 - there is one thread
        umask=order.umask,
    )
    # The program's pipes must end with the program.
    for fd in {request.stdin, request.stdout, request.stderr, told} - {-1}:
        os.close(fd)
    program.returncode = 0  # It is reaped with the rest of its tree.
    return _Started(program.pid, status)


def _told_to(argv: list[bytes], descriptor: int) -> list[bytes]:
    """Returns the same order, but who holds the room tells there how it goes."""
    return [argv[0], STATUS, str(descriptor).encode(), *argv[1:]]


def _approach(steps: list[bytes], status: int) -> None:
    """Takes the steps into a room in the process that is to be the program, and ends it if one fails."""
    try:
        take(steps)
    except OSError as error:
        os.write(2, f"{error.strerror or error}\n".encode())
        os.write(status, OUTSIDE)
        os._exit(1)


def _entered(status: int, *, held: bool) -> bool:
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


def _signal_in_room(holder: int, number: int) -> None:
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


def _exit_code_in_room(code: int) -> int:
    """Whoever holds a room tells a program's death by a signal as a shell does."""
    number = code - 128
    return -number if number in FATAL else code
