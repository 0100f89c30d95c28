"""Programs are started here, and ended with all that they have started.

- A program is held by a warden, which ends with it everything it has started, also when this process is
  killed. Where there are no wardens, its process group is ended.
- `wait` returns when nothing of it is alive.
- Time-outs count the time in which this process ran: neither the machine's sleep nor a pause of this process,
  in which the program may have been paused too, counts. The idle one counts from the last output.
"""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, Protocol

from teamlead.errors import Failed
from teamlead.ports.rooms import Room
from teamlead.system import warden_client
from teamlead.system.environment import belonging
from teamlead.system.exhaustion import EXHAUSTED, exhausted
from teamlead.system.faults import reach
from teamlead.system.process_groups import Group
from teamlead.system.program_streams import Input, Sink
from teamlead.system.rooms.availability import doubt, means
from teamlead.system.rooms.entering import Entrance, enter
from teamlead.system.warden_client import Stdio
from teamlead.system.wardens import marks

Stop = Literal["hard", "idle", "cancelled"]

TIMEOUT_GRACE = 0.6
CHUNK = 16 * 1024
"""Small: between two pieces of one program's flood, all others have their turn."""
PACE = 1.0
"""Seconds between two looks at the time. Where one comes later, there was a pause, which does not count."""
DRAIN = 64
"""Pieces read after the end: all that a pipe can hold, and an end to reading from what got away."""


class ProcessEnd(NamedTuple):
    exit_code: int
    """Negative: the signal that ended it."""
    stopped: Stop | None = None
    """Why we ended it, if we did."""
    entered: bool = True
    """False: its room could not be made, and the exit code is not its own. What was said tells why."""


class Program(Protocol):
    """What runs, as far as it has to be ended."""

    @property
    def pid(self) -> int: ...

    @property
    def entered(self) -> bool: ...

    def when_ended(self, callback: Callable[[], None]) -> None: ...

    def signal(self, number: signal.Signals) -> None: ...

    async def settle(self) -> int:
        """Waits until nothing of it is alive; returns its exit code, negative for a signal."""


def prepare() -> None:
    """Prepares ahead, so that the first program starts as fast as the others."""
    # If not now, then when it is needed.
    with contextlib.suppress(OSError):
        if _wardens:
            warden_client.prepare()


async def spawn(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdout: Sink,
    stderr: Sink | None = None,
    stdin: bytes | None = b"",
    hard_timeout: float = 0.0,
    idle_timeout: float = 0.0,
    mark: str = "",
    kept: int | None = None,
    room: Room | None = None,
) -> "Process":
    """Starts a program; without `stderr` its errors go where its output goes. A time-out of 0 is none.

    `stdin` is its whole input; with None its input stays open, for `write` and `close_input`.
    The sinks are closed when it has ended, or if it cannot be started. By `mark` a later leader can end it.
    The descriptor `kept` is held open by its warden, if it has one, until nothing of it is alive.
    In a `room` a `cwd` below the copy is meant as `Room.seen` tells it.
    """
    streams: dict[IO[bytes], Sink] = {}
    talk: Input | None = None
    try:
        with contextlib.ExitStack() as passed:
            output = _pipe(streams, stdout, passed)
            errors = output if stderr is None else _pipe(streams, stderr, passed)
            if stdin is None:
                read, write = os.pipe()
                passed.callback(os.close, read)
                talk = Input(write)
                source = read
            else:
                source = _input(stdin, passed)
            stdio = Stdio(source, output, errors)
            marked = {**env, marks.VARIABLE: mark or marks.new(), **belonging()}
            reach(f"start {Path(argv[0]).name}: before")
            if room:
                entry = await asyncio.to_thread(_enter, argv, cwd, marked, room)
            else:
                entry = Entrance(argv, cwd, marked)
            program = await _start(entry, stdio, kept)
            reach(f"start {Path(argv[0]).name}: after")
    except BaseException as error:
        for stream in streams:
            stream.close()
        for sink in filter(None, (stdout, stderr)):
            sink.close()
        if talk is not None:
            talk.close()
        if isinstance(error, OSError):
            what = f"cannot start {argv[0]!r} in {str(cwd)!r}"
            if error.errno in EXHAUSTED:
                raise exhausted(f"{error.strerror}: {what}") from error
            raise Failed(f"{what}: {error.strerror}") from error
        raise
    return Process(program, streams, talk, hard_timeout, idle_timeout)


def _pipe(streams: dict[IO[bytes], Sink], sink: Sink, passed: contextlib.ExitStack) -> int:
    read, write = os.pipe()
    passed.callback(os.close, write)
    streams[open(read, "rb", buffering=0)] = sink  # noqa: PTH123, SIM115 - a descriptor, closed with its sink
    return write


def _input(data: bytes, passed: contextlib.ExitStack) -> int:
    # A file, not a pipe: a program that never reads its input can then block nobody.
    source = passed.enter_context(_file())
    source.write(data)
    source.seek(0)
    return source.fileno()


def _file() -> IO[bytes]:
    if sys.platform == "linux":
        return open(os.memfd_create("input"), "r+b", buffering=0)  # noqa: PTH123 - the caller closes it
    return tempfile.TemporaryFile(buffering=0)


async def _start(start: Entrance, stdio: Stdio, kept: int | None) -> Program:
    global _wardens  # noqa: PLW0603 - what this system can do does not change while we run
    if _wardens:
        try:
            return await warden_client.start(
                start.argv,
                start.cwd,
                start.env,
                stdio,
                kept,
                steps=start.steps,
                holds_room=start.holds_room,
            )
        except warden_client.Unsupported:
            _wardens = False
    return Group(start.argv, start.cwd, start.env, stdio)


def _enter(argv: Sequence[str], cwd: Path, env: Mapping[str, str], room: Room) -> Entrance:
    found = means()
    if not found.make(room.house.kind):
        raise Failed(f"cannot start {argv[0]!r} in a room: {found.why_not}", remedy=found.remedy)
    return enter(argv, cwd, env, room, found)


_wardens = sys.platform == "linux"


class Process:
    """A program that runs. Belongs to the loop it was started on."""

    def __init__(
        self,
        program: Program,
        streams: Mapping[IO[bytes], Sink],
        talk: Input | None,
        hard_timeout: float,
        idle_timeout: float,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._program = program
        self._sinks = dict(streams)
        self._talk = talk
        self._open = set(streams)
        self._limits: dict[Stop, float] = {"hard": hard_timeout, "idle": idle_timeout}
        self._spent: dict[Stop, float] = {"hard": 0.0, "idle": 0.0}
        self._last_look = self._last_output = self._loop.time()
        self._next_look: asyncio.TimerHandle | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self._stopped: Stop | None = None
        self._failure: OSError | None = None
        self._over = False
        self._settling: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[ProcessEnd] = self._loop.create_future()
        self.pid = program.pid
        for stream in streams:
            os.set_blocking(stream.fileno(), False)
            self._loop.add_reader(stream.fileno(), self._readable, stream)
        self._look_later()
        program.when_ended(self._exited)

    async def wait(self) -> ProcessEnd:
        """Waits for its end. Raises OSError if its output could not be stored; then it was ended for that."""
        return await asyncio.shield(self._ended)

    @property
    def stopped(self) -> Stop | None:
        """Says why we end it, once we do."""
        return self._stopped

    def write(self, data: bytes) -> bool:
        """Writes to its input, and returns whether the program can still read it."""
        return self._talk is not None and self._talk.write(data)

    def close_input(self) -> None:
        """Closes its input. What was written before still arrives."""
        if self._talk is not None:
            self._talk.finish()

    async def cancel(self, grace: float) -> None:
        """Sends SIGINT, SIGTERM after half of `grace`, SIGKILL after it. Of two calls the sooner holds."""
        self._stop("cancelled", grace)
        await asyncio.wait([self._ended])

    def _stop(self, why: Stop, grace: float) -> None:
        if self._over:
            return
        self._stopped = self._stopped or why
        self._signal(signal.SIGINT if grace > 0 else signal.SIGKILL)
        self._later(grace / 2, self._signal, signal.SIGTERM)
        self._later(grace, self._signal, signal.SIGKILL)

    def _later(self, delay: float, callback: Callable[..., None], *args: Any) -> None:
        self._timers.append(self._loop.call_later(delay, callback, *args))

    def _signal(self, number: signal.Signals) -> None:
        if not self._over:
            self._program.signal(number)

    def _look_later(self) -> None:
        left = [limit - self._spent[why] for why, limit in self._limits.items() if limit]
        if left:
            self._next_look = self._loop.call_later(min(PACE, *left), self._look)

    def _look(self) -> None:
        """What waits to be read was read before: the loop turns to its streams first."""
        now = self._loop.time()
        passed = min(now - self._last_look, PACE)
        self._spent["hard"] += passed
        silent = now - self._last_output
        self._spent["idle"] = min(self._spent["idle"] + passed, silent)
        self._last_look = now
        for why, limit in self._limits.items():
            if limit and self._spent[why] >= limit:
                self._stop(why, TIMEOUT_GRACE)
                return
        self._look_later()

    def _readable(self, stream: IO[bytes]) -> bool:
        """Takes one piece; returns whether there may be more at once."""
        try:
            data = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._close(stream)
            return False
        self._last_output = self._loop.time()
        try:
            self._sinks[stream].write(data)
        except OSError as error:
            self._fail(error)
            self._close(stream)
        return stream in self._open

    def _drain(self, stream: IO[bytes]) -> None:
        for _ in range(DRAIN):
            if not self._readable(stream):
                break
        if stream in self._open:
            self._close(stream)

    def _fail(self, error: OSError) -> None:
        self._failure = self._failure or error
        self._signal(signal.SIGKILL)

    def _close(self, stream: IO[bytes]) -> None:
        self._open.discard(stream)
        self._loop.remove_reader(stream.fileno())
        stream.close()

    def _exited(self) -> None:
        if self._talk is not None:
            self._talk.close()
        for stream in list(self._open):
            self._drain(stream)
        for sink in self._sinks.values():
            try:
                sink.close()
            except OSError as error:
                self._failure = self._failure or error
        for timer in filter(None, (self._next_look, *self._timers)):
            timer.cancel()
        self._over = True
        self._settling = self._loop.create_task(self._settle())

    async def _settle(self) -> None:
        exit_code = await self._program.settle()
        if not self._program.entered:
            doubt()
        if self._failure:
            self._ended.set_exception(self._failure)
        else:
            self._ended.set_result(ProcessEnd(exit_code, self._stopped, self._program.entered))
