"""The nursery: forks the wardens, and takes the place of one that was killed."""

import contextlib
import errno
import gc
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from typing import NamedTuple

from teamlead.system.wardens import marks, tree
from teamlead.system.wardens.messages import CONTROL, FAREWELL, UNSUPPORTED, StartRequest, receive, send, tell
from teamlead.system.wardens.tree import bell, hear, ignore_ends
from teamlead.system.wardens.warden import STRIKE_AGAIN, live


def main(arguments: Sequence[str]) -> None:
    if not _supported():
        sys.exit(UNSUPPORTED)
    if arguments:
        descriptor, mark, limit = arguments
        ignore_ends()
        gc.disable()
        gc.freeze()
        _Nursery(socket.socket(fileno=int(descriptor)), mark, int(limit)).run()
        os._exit(0)


def _supported() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
        os.stat(f"/proc/{os.getpid()}/task/{os.getpid()}/children")  # noqa: PTH116
    except (AttributeError, OSError):
        return False
    return tree.adopt_orphans()


class _Spare(NamedTuple):
    """A warden without a program."""

    pid: int
    ear: socket.socket


class _Nursery:
    def __init__(self, requests: socket.socket, mark: str, limit: int) -> None:
        """`limit`: how many descriptors programs may have. What the leader raised is not for them."""
        self._requests = requests
        self._mark = mark
        self._limit = limit
        self._listening = True
        self._bereft = False
        self._wardens: dict[int, StartRequest] = {}
        self._orphaned: list[StartRequest] = []
        self._bell = bell()
        self._poll = select.poll()
        self._poll.register(self._bell, select.POLLIN)
        self._poll.register(requests, select.POLLIN)
        self._spare: _Spare | None = None
        self._prepare()

    def run(self) -> None:
        """Runs until the leader has gone and nothing that it started is left."""
        while self._listening or self._wardens or self._orphaned:
            ready = dict(self._poll.poll(1000 * STRIKE_AGAIN if self._orphaned else None))
            if self._requests.fileno() in ready:
                self._take()
            hear(self._bell)
            tree.wake_stopped()
            self._reap()
        if self._bereft:
            marks.end(self._mark)

    def _take(self) -> None:
        text, fds = receive(self._requests)
        if text in {b"", FAREWELL}:
            self._listening = False
            self._poll.unregister(self._requests)
            self._bereft = text != FAREWELL
            if self._bereft:
                # Wardens that were stopped after their nursery was killed.
                marks.send(os.environ[marks.VARIABLE], signal.SIGCONT)
                # Asked to end, git removes its locks. The next leader must not meet it at work.
                marks.send(self._mark, signal.SIGTERM)
            return
        try:
            self._hand_over(StartRequest(*fds))
        except (OSError, TypeError) as error:
            # Out of processes or descriptors; without the latter some have not even arrived. The leader is
            # told, or reads the end of this program's control socket.
            if len(fds) > CONTROL:
                tell(fds[CONTROL], f"failed {getattr(error, 'errno', None) or errno.EMFILE}")
            for fd in fds:
                os.close(fd)
        else:
            self._prepare()

    def _hand_over(self, request: StartRequest) -> None:
        if not self._spare or not send(self._spare.ear, request):
            # None could be forked ahead, or somebody killed it.
            self._spare = self._fork()
            if not send(self._spare.ear, request):
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
            live(theirs, self._limit)
            code = 0
        finally:
            os._exit(code)

    def _reap(self) -> None:
        for pid, code in tree.reaped():
            if self._spare and self._spare.pid == pid:
                self._spare = None
            request = self._wardens.pop(pid, None)
            if request and code == 0:
                _release(request)
            elif request:
                self._orphaned.append(request)
        spared = {*self._wardens, *(spare.pid for spare in [self._spare] if spare)}
        # Twice: a list of children may miss some if others die while it is read.
        if self._orphaned and not tree.strike(spared) and not tree.strike(spared):
            for request in self._orphaned:
                tell(request.control, f"ended {-signal.SIGKILL}")
                _release(request)
            self._orphaned.clear()


def _release(request: StartRequest) -> None:
    os.close(request.control)
    if request.kept >= 0:
        os.close(request.kept)
