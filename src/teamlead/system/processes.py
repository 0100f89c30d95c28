"""Starting programs, and ending them whole.

- A program leads a session and a process group of its own, and is signalled as a group.
- Nothing is signalled but what we started: the leader is reaped last, so that its pid, which names the group,
  cannot be used again while signals are sent.
- Once the leader has ended, the rest of its group is killed. `wait` returns when none of the group is alive.
- Time-outs count the loop's clock, which stands still while the machine sleeps; the idle one counts from the
  last output.

A process that left the group with setsid is not reached.
"""

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from teamlead.errors import Failed
from teamlead.system.identity import group_gone, identify
from teamlead.system.output import Sink

Stop = Literal["hard", "idle", "cancelled"]

TIMEOUT_GRACE = 0.6
CHUNK = 256 * 1024
DRAIN = 16
"""Pieces read after the end: more than any pipe holds, and an end to reading from a process that got away."""


class ProcessEnd(NamedTuple):
    exit_code: int
    """Negative: the signal that ended it."""
    stopped: Stop | None = None
    """Why we ended it, if we did."""


async def spawn(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdout: Sink,
    stderr: Sink | None = None,
    stdin: bytes = b"",
    hard_timeout: float = 0.0,
    idle_timeout: float = 0.0,
) -> "Process":
    """Starts a program; without `stderr` its errors go where its output goes. A time-out of 0 is none.

    The sinks are closed when it has ended, or if it cannot be started.
    """
    try:
        popen = _popen(argv, cwd, env, stdin, subprocess.STDOUT if stderr is None else subprocess.PIPE)
    except OSError as error:
        for sink in filter(None, (stdout, stderr)):
            sink.close()
        raise Failed(f"cannot start {argv[0]!r} in {str(cwd)!r}: {error.strerror}") from error
    streams = {
        stream: sink for stream, sink in ((popen.stdout, stdout), (popen.stderr, stderr)) if stream and sink
    }
    return Process(popen, streams, hard_timeout, idle_timeout)


def _popen(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str], stdin: bytes, stderr: int
) -> subprocess.Popen[bytes]:
    # A file, not a pipe: a program that never reads its input can then block nobody.
    with tempfile.TemporaryFile() as source:
        source.write(stdin)
        source.seek(0)
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=env,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=stderr,
            bufsize=0,
            start_new_session=True,
        )


class Process:
    """A program that runs. Belongs to the loop it was started on."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        streams: Mapping[IO[bytes], Sink],
        hard_timeout: float,
        idle_timeout: float,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._popen = popen
        self._sinks = dict(streams)
        self._open = set(streams)
        self._idle_timeout = idle_timeout
        self._last_output = self._loop.time()
        self._timers: list[asyncio.TimerHandle] = []
        self._stopped: Stop | None = None
        self._failure: OSError | None = None
        self._reaped = False
        self._settling: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[ProcessEnd] = self._loop.create_future()
        self.identity = identify(popen.pid)
        for stream in streams:
            os.set_blocking(stream.fileno(), False)
            self._loop.add_reader(stream.fileno(), self._readable, stream)
        if hard_timeout:
            self._later(hard_timeout, self._stop, "hard", TIMEOUT_GRACE)
        if idle_timeout:
            self._later(idle_timeout, self._check_idle)
        _on_exit(self._loop, popen.pid, self._exited)

    async def wait(self) -> ProcessEnd:
        """Raises OSError if its output could not be stored; it was ended then."""
        return await asyncio.shield(self._ended)

    async def cancel(self, grace: float) -> None:
        """SIGINT, SIGTERM after half of `grace`, SIGKILL after it. Of two calls the sooner end holds."""
        self._stop("cancelled", grace)
        await asyncio.wait([self._ended])

    def _stop(self, why: Stop, grace: float) -> None:
        if self._reaped:
            return
        self._stopped = self._stopped or why
        self._signal(signal.SIGINT if grace > 0 else signal.SIGKILL)
        self._later(grace / 2, self._signal, signal.SIGTERM)
        self._later(grace, self._signal, signal.SIGKILL)

    def _later(self, delay: float, callback: Callable[..., None], *args: Any) -> None:
        self._timers.append(self._loop.call_later(delay, callback, *args))

    def _signal(self, number: signal.Signals) -> None:
        if not self._reaped:
            # macOS forbids signalling a group of which only the zombie is left.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, number)

    def _check_idle(self) -> None:
        left = self._last_output + self._idle_timeout - self._loop.time()
        if left > 0:
            self._later(left, self._check_idle)
        else:
            self._stop("idle", TIMEOUT_GRACE)

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
        self._signal(signal.SIGKILL)
        for stream in list(self._open):
            self._drain(stream)
        for sink in self._sinks.values():
            try:
                sink.close()
            except OSError as error:
                self._failure = self._failure or error
        for timer in self._timers:
            timer.cancel()
        self._reaped = True
        self._settling = self._loop.create_task(self._settle(self._popen.wait()))

    async def _settle(self, exit_code: int) -> None:
        await group_gone(self._popen.pid)
        if self._failure:
            self._ended.set_exception(self._failure)
        else:
            self._ended.set_result(ProcessEnd(exit_code, self._stopped))


def _on_exit(loop: asyncio.AbstractEventLoop, pid: int, callback: Callable[[], None]) -> None:
    """Calls back once the child has ended, and leaves it unreaped."""
    try:
        watch = os.pidfd_open(pid)
    except (AttributeError, OSError):
        threading.Thread(target=_wait_in_thread, args=(loop, pid, callback), daemon=True).start()
        return

    def ended() -> None:
        loop.remove_reader(watch)
        os.close(watch)
        callback()

    loop.add_reader(watch, ended)


def _wait_in_thread(loop: asyncio.AbstractEventLoop, pid: int, callback: Callable[[], None]) -> None:
    if sys.platform == "darwin":
        queue = select.kqueue()
        exits = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
        with contextlib.suppress(ProcessLookupError):
            queue.control([exits], 1)
        queue.close()
    else:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    # The loop may have closed meanwhile: then nobody waits.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback)
