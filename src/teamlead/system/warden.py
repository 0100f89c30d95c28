"""The small resident program under which all that is supervised runs: a nursery, and a warden a program.

Started by its path, without site packages, so it imports nothing but a little of the standard library.

- A warden adopts what its program abandons (it is a subreaper), so nothing below it can leave its tree:
  neither by a session of its own, nor by forking twice.
- Its control socket is its lifeline. The leader holds the only other end: whatever happens to the leader, the
  warden reads an end of file. It then kills the tree, as it does when the program ends, until it has no child
  left. Only then does it report the end.
- The nursery adopts what a killed warden leaves, and does the same in its place.
- Nothing foreign is signalled. A child cannot lose its pid before its parent has reaped it, and the parent is
  this process; of deeper ones the parent is checked while both are pinned by pidfd.
- One warden is forked ahead of its program, because a fork of Python costs more than most starts.
"""

import contextlib
import gc
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from typing import NamedTuple

UNSUPPORTED = 69
"""Exit code: this system cannot do it."""

PR_SET_CHILD_SUBREAPER = 36
STRIKE_AGAIN = 0.01
GIVE_UP = 10.0
"""Seconds after which the end is reported though something cannot be killed: it is stuck in the kernel, where
it runs no code of its own any more, or it has become another user's."""
SLOWLY = 1.0
DEEPEST = 100
"""Each level takes a descriptor while its children are visited. What is deeper rises as its parents die."""


class Request(NamedTuple):
    """The descriptors of a message, in this order; `kept` may be absent."""

    order: int
    control: int
    stdin: int
    stdout: int
    stderr: int
    kept: int = -1


def main() -> None:
    if not _supported():
        sys.exit(UNSUPPORTED)
    if len(sys.argv) > 1:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            # Not ignored: programs would inherit that.
            signal.signal(number, _nothing)
        gc.disable()
        gc.freeze()
        _Nursery(socket.socket(fileno=int(sys.argv[1]))).run()
        os._exit(0)


def _supported() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
        os.stat(f"/proc/{os.getpid()}/task/{os.getpid()}/children")  # noqa: PTH116
    except (AttributeError, OSError):
        return False
    return _adopt_orphans()


def _adopt_orphans() -> bool:
    import ctypes  # noqa: PLC0415 - the leader knows this module too, and does not need that

    done: int = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return done == 0


def _nothing(*_: object) -> None:
    """A handler, so that the signal wakes and does no more."""


def _bell() -> int:
    """Can be read when a child has died."""
    ear, mouth = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _nothing)
    return ear


def _hear(ear: int) -> None:
    with contextlib.suppress(BlockingIOError):
        os.read(ear, 4096)


def _receive(source: socket.socket) -> list[int]:
    """The descriptors of a request; none if whoever held the other end is gone."""
    try:
        return socket.recv_fds(source, 1, len(Request._fields), socket.MSG_CMSG_CLOEXEC)[1]
    except ConnectionError:
        return []


def _forward(target: socket.socket, request: Request) -> bool:
    try:
        socket.send_fds(target, [b"."], [fd for fd in request if fd >= 0], socket.MSG_NOSIGNAL)
    except OSError:
        return False
    return True


class _Spare(NamedTuple):
    """A warden without a program."""

    pid: int
    ear: socket.socket


class _Nursery:
    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests
        self._listening = True
        self._wardens: dict[int, Request] = {}
        self._orphaned: list[Request] = []
        self._bell = _bell()
        self._poll = select.poll()
        self._poll.register(self._bell, select.POLLIN)
        self._poll.register(requests, select.POLLIN)
        self._spare: _Spare | None = None
        self._prepare()

    def run(self) -> None:
        """Until the leader has gone and nothing that it started is left."""
        while self._listening or self._wardens or self._orphaned:
            ready = dict(self._poll.poll(1000 * STRIKE_AGAIN if self._orphaned else None))
            if self._requests.fileno() in ready:
                self._take()
            _hear(self._bell)
            _wake_stopped()
            self._reap()

    def _take(self) -> None:
        fds = _receive(self._requests)
        if not fds:
            self._listening = False
            self._poll.unregister(self._requests)
            return
        try:
            self._hand_over(Request(*fds))
        except (OSError, TypeError):
            # Out of processes or descriptors. The leader reads the end of this program's control socket.
            for fd in fds:
                os.close(fd)
        else:
            self._prepare()

    def _hand_over(self, request: Request) -> None:
        if not self._spare or not _forward(self._spare.ear, request):
            # None could be forked ahead, or somebody killed it.
            self._spare = self._fork()
            if not _forward(self._spare.ear, request):
                raise OSError
        self._wardens[self._spare.pid] = request
        self._spare = None
        for fd in (request.order, request.stdin, request.stdout, request.stderr):
            os.close(fd)

    def _prepare(self) -> None:
        # If not now, then when it is needed.
        with contextlib.suppress(OSError):
            self._spare = self._fork()

    def _fork(self) -> _Spare:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            pid = os.fork()
        except OSError:
            ours.close()
            theirs.close()
            raise
        if pid:
            theirs.close()
            return _Spare(pid, ours)
        code = 1
        try:
            ours.close()
            self._requests.close()
            os.close(self._bell)
            for other in (*self._wardens.values(), *self._orphaned):
                _release(other)
            _live(theirs)
            code = 0
        finally:
            os._exit(code)

    def _reap(self) -> None:
        for pid, code in _reaped():
            if self._spare and self._spare.pid == pid:
                self._spare = None
            request = self._wardens.pop(pid, None)
            if request and code == 0:
                _release(request)
            elif request:
                self._orphaned.append(request)
        spared = {*self._wardens, *(spare.pid for spare in [self._spare] if spare)}
        # Twice: a list of children may miss some if others die while it is read.
        if self._orphaned and not _strike(spared) and not _strike(spared):
            for request in self._orphaned:
                with socket.socket(fileno=os.dup(request.control)) as control:
                    _tell(control, f"ended {-signal.SIGKILL}")
                _release(request)
            self._orphaned.clear()


def _release(request: Request) -> None:
    os.close(request.control)
    if request.kept >= 0:
        os.close(request.kept)


def _live(ear: socket.socket) -> None:
    """A warden's whole life."""
    os.setsid()
    if not _adopt_orphans():
        raise OSError
    bell = _bell()
    fds = _receive(ear)
    ear.close()
    if fds:
        request = Request(*fds)
        with socket.socket(fileno=request.control) as control:
            _Warden(control, bell).run(request)


class _Warden:
    def __init__(self, control: socket.socket, bell: int) -> None:
        self._control = control
        self._bell = bell
        self._program = 0
        self._code: int | None = None
        self._ending = False
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def run(self, request: Request) -> None:
        if self._poll.poll(0):
            # The leader died, or gave it up, before the program was started.
            return
        self._poll.register(self._bell, select.POLLIN)
        _tell(self._control, "starting")
        try:
            self._program = _start(request)
        except OSError as error:
            _tell(self._control, f"failed {error.errno}")
            return
        _tell(self._control, f"started {self._program} {_start_time(self._program)}")
        while not self._ending:
            self._turn(None)
        self._end()

    def _turn(self, pause: float | None) -> None:
        ready = dict(self._poll.poll(pause and 1000 * pause))
        _hear(self._bell)
        for pid, code in _reaped():
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
        give_up = time.monotonic() + GIVE_UP
        while not _childless() and time.monotonic() < give_up:
            _strike()
            self._turn(STRIKE_AGAIN)
        _tell(self._control, f"ended {-signal.SIGKILL if self._code is None else self._code}")
        while not _childless():
            _strike()
            self._turn(SLOWLY)


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


def _tell(control: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):
        control.send(f"{line}\n".encode(), socket.MSG_NOSIGNAL | socket.MSG_DONTWAIT)


def _reaped() -> Iterator[tuple[int, int]]:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield pid, os.waitstatus_to_exitcode(status)


def _wake_stopped() -> None:
    """A warden that somebody stopped would not notice its leader's death."""
    with contextlib.suppress(ChildProcessError):
        while stopped := os.waitid(os.P_ALL, 0, os.WSTOPPED | os.WNOHANG):
            os.kill(stopped.si_pid, signal.SIGCONT)


def _childless() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def _strike(spared: Collection[int] = ()) -> bool:
    """Kills all below this process but `spared`; returns whether there was anything, be it dying already."""
    own = os.getpid()
    targets = [pid for pid in _children(own) if pid not in spared]
    for pid in targets:
        _kill(pid, own, None, DEEPEST)
    return bool(targets)


def _kill(pid: int, parent: int, parent_pin: int | None, depth: int) -> None:
    """The children first: while their parent lives, they are known to be its."""
    try:
        pin = os.pidfd_open(pid)
    except OSError:
        return
    try:
        if _parent(pid) != parent:
            return
        if parent_pin is not None:
            # Still there: so its pid was its own when it was read as the parent's.
            signal.pidfd_send_signal(parent_pin, 0)
        for child in _children(pid) if depth else ():
            _kill(child, pid, pin, depth - 1)
        signal.pidfd_send_signal(pin, signal.SIGKILL)
    except OSError:
        pass
    finally:
        os.close(pin)


def _children(pid: int) -> list[int]:
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - pathlib costs start-up time
        # A thread that has just ended has handed its children to the others.
        with (
            contextlib.suppress(FileNotFoundError, ProcessLookupError),
            open(f"/proc/{pid}/task/{thread}/children", "rb") as file,  # noqa: PTH123
        ):
            found += [int(child) for child in file.read().split()]
    return found


def _stat(pid: int) -> list[bytes]:
    with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        return file.read().rpartition(b")")[2].split()


def _parent(pid: int) -> int:
    return int(_stat(pid)[1])


def _start_time(pid: int) -> str:
    return _stat(pid)[19].decode()


if __name__ == "__main__":
    main()
