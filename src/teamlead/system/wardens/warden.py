"""A warden: holds one program, and ends its whole tree."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import time

from teamlead.system.wardens import tree
from teamlead.system.wardens.bell import bell, hear
from teamlead.system.wardens.messages import Request, receive, tell

STRIKE_AGAIN = 0.01
SLOWLY = 1.0


def live(requests: socket.socket) -> None:
    """A warden's whole life, for one request."""
    # A group of its own in the leader's session: if it was stopped and its nursery dies, the system wakes it.
    os.setpgid(0, 0)
    if not tree.adopt_orphans():
        raise OSError
    ear = bell()
    fds = receive(requests).fds
    requests.close()
    if fds:
        request = Request(*fds)
        with socket.socket(fileno=request.control) as control:
            _Warden(control, ear).run(request)


class _Warden:
    def __init__(self, control: socket.socket, ear: int) -> None:
        self._control = control
        self._ear = ear
        self._program = 0
        self._code: int | None = None
        self._ending = False
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def run(self, request: Request) -> None:
        if self._poll.poll(0):
            # The leader died, or gave it up, before the program was started.
            return
        self._poll.register(self._ear, select.POLLIN)
        tell(self._control, "starting")
        try:
            self._program = _start(request)
        except OSError as error:
            tell(self._control, f"failed {error.errno}")
            return
        tell(self._control, f"started {self._program}")
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
                # Not reaped, so the group with its number is its own.
                with contextlib.suppress(OSError):
                    os.killpg(self._program, number)

    def _end(self) -> None:
        give_up = time.monotonic() + tree.GIVE_UP
        while not tree.childless() and time.monotonic() < give_up:
            self._strike(STRIKE_AGAIN)
        tell(self._control, f"ended {-signal.SIGKILL if self._code is None else self._code}")
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


def _start(request: Request) -> int:
    with open(request.order, "rb") as order:  # noqa: PTH123 - a descriptor
        cwd, count, *words = order.read().split(b"\0")
    program = subprocess.Popen(
        words[: int(count)],
        cwd=cwd,
        env=dict(word.split(b"=", 1) for word in words[int(count) :]),
        stdin=request.stdin,
        stdout=request.stdout,
        stderr=request.stderr,
        start_new_session=True,
    )
    # The program's pipes must end with the program.
    for fd in {request.stdin, request.stdout, request.stderr}:
        os.close(fd)
    program.returncode = 0  # It is reaped with the rest of its tree.
    return program.pid
