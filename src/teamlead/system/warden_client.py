"""Programs start under a warden: this is the leader's side (see wardens/ for the other one).

One nursery serves this process. It is started ahead of the first program, and again if it was killed: its
wardens live on without it.
"""

import asyncio
import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import Failed
from teamlead.system import process_limits, wardens
from teamlead.system.environment import BELONGS_TO_REPOSITORY, allowed, belonging
from teamlead.system.file_modes import users_umask
from teamlead.system.wardens import marks
from teamlead.system.wardens.messages import FAREWELL, UNSUPPORTED, StartRequest, send, write_order

ANSWER_WITHIN = 30.0
CLOSE_WITHIN = 5.0
DIE_WITHIN = 0.5
RETIRE_WITHIN = 0.1
ATTEMPTS = 3


class Unsupported(Exception):
    """There are no wardens on this system."""


class Stdio(NamedTuple):
    stdin: int
    stdout: int
    stderr: int


def supported() -> bool:
    """Whether wardens work here: it asks the system itself."""
    if sys.platform != "linux":
        return False
    return subprocess.run(_argv(), env=allowed(), check=False).returncode == 0


def _argv(*arguments: str) -> list[str]:
    # Neither the user's site packages nor the current folder have a say in what runs here.
    return [sys.executable, "-I", "-S", str(Path(wardens.__file__).parent), *arguments]


class Ward:
    """A program that a warden holds. Its control socket is what keeps it alive."""

    def __init__(self, control: socket.socket, mark: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._control = control
        self._mark = mark
        self._insisting: asyncio.Task[None] | None = None
        self._text = b""
        self._start: asyncio.Future[bool] = self._loop.create_future()
        self._end: asyncio.Future[int | None] = self._loop.create_future()
        self.pid = 0
        self.tried = False
        """Whether its program may have run."""
        self.entered = True
        control.setblocking(False)
        self._loop.add_reader(control, self._readable)
        _wards.add(self)

    async def started(self) -> bool:
        """Waits for the start. Raises OSError if there is a warden, and its program could not be started."""
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                return await asyncio.shield(self._start)
        except asyncio.CancelledError:
            # The program may run already: whoever gives it up may rely on its end.
            self.signal(signal.SIGKILL)
            await asyncio.wait([self._end], timeout=CLOSE_WITHIN)
            self.close()
            raise
        except OSError:
            self.close()
            raise

    def when_ended(self, callback: Callable[[], None]) -> None:
        self._end.add_done_callback(lambda _: callback())

    def signal(self, number: signal.Signals) -> None:
        """Sends SIGKILL to the whole tree, other signals to the program's group."""
        if not self._end.done():
            with contextlib.suppress(OSError):
                self._control.send(bytes([number]))
            if number == signal.SIGKILL and not self._insisting:
                self._insisting = self._loop.create_task(self._insist())

    async def _insist(self) -> None:
        """Kills it ourselves until it ends: whoever should end it may have been stopped."""
        while not (await asyncio.wait([self._end], timeout=DIE_WITHIN))[0]:
            await asyncio.to_thread(marks.send, _nursery_mark(), signal.SIGCONT)
            await asyncio.to_thread(marks.send, self._mark, signal.SIGKILL)

    async def settle(self) -> int:
        """Returns the exit code, once nothing of the tree is alive."""
        code = await self._end
        if code is None:
            # Warden and nursery were both killed.
            await asyncio.to_thread(marks.end, self._mark)
            return -signal.SIGKILL
        return code

    def close(self) -> None:
        if self._control.fileno() >= 0:
            self._loop.remove_reader(self._control)
            self._control.close()

    def let_go(self) -> None:
        """Closes the socket without the loop, which may belong to another process or be closed."""
        self._control.close()

    def _readable(self) -> None:
        try:
            data = self._control.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        *lines, self._text = (self._text + data).split(b"\n")
        for line in lines:
            what, *values = line.decode().split()
            self._told(what, values)
        if not data:
            self._ended(None)

    def _told(self, what: str, values: Sequence[str]) -> None:
        if what == "starting":
            self.tried = True
        elif what == "started":
            self.pid = int(values[0])
            self._start.set_result(True)
        elif what == "failed":
            self._start.set_exception(OSError(int(values[0]), os.strerror(int(values[0]))))
        elif what == "ended":
            self.entered = "outside" not in values
            self._ended(int(values[0]))

    def _ended(self, code: int | None) -> None:
        self.close()
        if not self._start.done():
            self._start.set_result(False)
        if not self._end.done():
            self._end.set_result(code)


class _Nursery:
    def __init__(self, belongs: Mapping[str, str]) -> None:
        self.repository = belongs.get(BELONGS_TO_REPOSITORY)
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._requests.setblocking(False)
        with theirs:
            self._process = subprocess.Popen(
                _argv(str(theirs.fileno()), marks.own(), str(process_limits.BEFORE)),
                cwd="/",
                env=allowed() | {marks.VARIABLE: _nursery_mark(), **belongs},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                # No session of its own: see wardens/ for who wakes it if it was stopped.
                process_group=0,
            )
        self.pid = self._process.pid
        self._loop: asyncio.AbstractEventLoop | None = None

    def watch(self) -> None:
        """Starts another one at once if it is killed: somebody has to see the leader's death."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            # It says nothing: what can be read is its end.
            loop.add_reader(self._requests, self._killed)

    def _killed(self) -> None:
        code = _retire(self)
        if code is not None and code < 0:
            # If not now, then when it is needed.
            with contextlib.suppress(OSError):
                _current().watch()

    def ask(self, request: StartRequest) -> bool:
        # Somebody may have stopped it.
        self._process.send_signal(signal.SIGCONT)
        return send(self._requests, request)

    def let_go(self) -> None:
        self._requests.close()

    def close(self, within: float) -> int | None:
        """Closes it, and returns its exit code if it ends in time: it does when nothing of it is left."""
        if self._requests.fileno() >= 0:
            if self._loop and not self._loop.is_closed():
                self._loop.remove_reader(self._requests)
            with contextlib.suppress(OSError):
                self._requests.send(FAREWELL)
            self.let_go()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(within)
        return None


def prepare() -> None:
    """Starts the nursery: then the first program need not wait for it."""
    _current()


async def start(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    stdio: Stdio,
    kept: int | None = None,
    *,
    steps: Sequence[str] = (),
    holds_room: bool = False,
) -> Ward:
    """Raises OSError if the program cannot be started, Unsupported if it has to be done without a warden.

    `kept` is a descriptor that stays open until nothing of the program's tree is alive. `steps` are taken
    before the program starts. One that `holds_room` starts another one, which signals and exit codes are for.
    """
    order = write_order(str(cwd), argv, env, steps, holds_room=holds_room, umask=users_umask())
    try:
        for _ in range(ATTEMPTS):
            nursery = _current()
            nursery.watch()
            ours, theirs = socket.socketpair()
            with theirs:
                request = StartRequest(order, theirs.fileno(), *stdio, -1 if kept is None else kept)
                asked = nursery.ask(request)
            ward = Ward(ours, env[marks.VARIABLE])
            with contextlib.suppress(TimeoutError):
                if asked and await ward.started():
                    return ward
            ward.close()
            if ward.tried:
                await asyncio.to_thread(marks.end, env[marks.VARIABLE])
                break
            if _retire(nursery) == UNSUPPORTED:
                raise Unsupported
            os.lseek(order, 0, os.SEEK_SET)
    finally:
        os.close(order)
    raise Failed(f"cannot start {argv[0]!r}: the process that watches over it was killed")


def _nursery_mark() -> str:
    """Returns the mark of the nursery and its wardens, which share its environment."""
    return f"{marks.own()}-nursery"


def _current() -> _Nursery:
    belongs = belonging()
    for nursery in _nurseries[-1:]:
        if nursery.repository != belongs.get(BELONGS_TO_REPOSITORY):
            # It has served what was asked before it was known for which repository this process works.
            _retire(nursery)
    with _lock:
        if not _nurseries:
            _nurseries.append(_Nursery(belongs))
        return _nurseries[-1]


def _retire(nursery: _Nursery) -> int | None:
    """Returns its exit code, if it has ended. The next program gets another one."""
    with _lock:
        code = nursery.close(RETIRE_WITHIN)
        if nursery in _nurseries:
            _nurseries.remove(nursery)
            if code is None:
                _retired.append(nursery)
    return code


_lock = threading.Lock()
_nurseries: list[_Nursery] = []
"""The one that is asked, if there is one."""
_retired: list[_Nursery] = []
"""Those that were given up, and may still have wardens."""
_wards: "weakref.WeakSet[Ward]" = weakref.WeakSet()


def _let_go() -> None:
    """Closes all in a fork of the leader: it must not keep the leader's programs alive."""
    for ward in _wards:
        ward.let_go()
    for nursery in _nurseries:
        nursery.let_go()
    _nurseries.clear()


def _close() -> None:
    for ward in _wards:
        ward.let_go()
    for nursery in (*_nurseries, *_retired):
        nursery.close(CLOSE_WITHIN)


os.register_at_fork(after_in_child=_let_go)
atexit.register(_close)
