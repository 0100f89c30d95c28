"""A process with teamlead loaded, which forks for each call of the command line.

Starting Python anew for each of thousands of calls would take most of the time. A call is a real process with
its own environment, folder, streams and exit code: all that it shares with others is what was imported, and
which rooms this machine has.
"""

import atexit
import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NoReturn

from teamlead.__main__ import main
from teamlead.cli.main import COMMANDS
from teamlead.system import faults
from teamlead.system.rooms.availability import means

HEAVY = ("wiring.leadership", "sessions.opening", "plans.load", "cli.live", "cli.person")
LONGEST = 200_000
"""Bytes of a request: the arguments and the environment of a call."""


@contextmanager
def interruptible() -> Iterator[None]:
    """What is started here can be interrupted, also where a shell started the tests with SIGINT ignored.

    Programs inherit that a signal is ignored, but not its handler.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Call:
    """The part of `subprocess.Popen` that tests need, for a process that another one started."""

    def __init__(self, answers: socket.socket) -> None:
        self._answers = answers
        self.pid = int(answers.recv(64))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        with suppress(BlockingIOError):
            self._ended(0.0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        try:
            return self._ended(timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired(f"call {self.pid}", timeout or 0) from None

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            # It may end, and be waited for, at this moment.
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, timeout: float | None) -> int:
        if self.returncode is None:
            self._answers.settimeout(timeout)
            self.returncode = int(self._answers.recv(64))
            self._answers.close()
        return self.returncode


class Zygote:
    """`program`: a module that ends in `call_program(serve())`."""

    def __init__(self, program: str) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, interruptible():
            self._process = subprocess.Popen(
                [sys.executable, "-m", program],
                cwd=Path(__file__).parents[1],
                # Each has an order of its own for what a set holds, as every start of the program does.
                env={**os.environ, "PYTHONHASHSEED": "random", "PYTHONWARNINGS": "error"},
                stdin=theirs.fileno(),
            )

    def call(
        self,
        arguments: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        out: IO[bytes],
        err: IO[bytes],
        given: IO[bytes] | None = None,
        **prepared: Any,
    ) -> Call:
        """`given`: its standard input; `prepared`: for what the program calls before the command."""
        answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = [list(arguments), str(cwd), dict(environment), prepared]
        with theirs, Path(os.devnull).open("rb") as nothing:
            streams = [(given or nothing).fileno(), out.fileno(), err.fileno(), theirs.fileno()]
            socket.send_fds(self._requests, [json.dumps(request).encode()], streams)
        return Call(answers)

    def run(
        self,
        arguments: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        text: str = "",
        merged: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """As subprocess does; `text` is its standard input, `merged` that stderr goes to stdout."""
        with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
            given.write(text.encode())
            given.seek(0)
            call = self.call(
                arguments,
                cwd=cwd or Path.cwd(),
                environment=os.environ if environment is None else environment,
                out=out,
                err=out if merged else err,
                given=given,
            )
            try:
                code = call.wait()
            finally:
                call.kill()
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(arguments, code, out.read().decode(), err.read().decode())


@cache
def zygote(program: str = __name__) -> Zygote:
    """One for all tests of a process; it ends with it, as nobody can ask it any more."""
    return Zygote(program)


def serve(prepare: Callable[..., None] = lambda: None) -> list[str]:
    """Returns in each call, with its arguments. The process itself ends with the last request."""
    for module in (*HEAVY, *(f"cli.{entry.target.partition(':')[0]}" for entry in COMMANDS.values())):
        import_module(f"teamlead.{module}")
    # As if the user had been told before: to try out a room takes as long as a small command.
    means()
    gc.freeze()
    requests = socket.socket(fileno=os.dup(0))
    waiting = selectors.DefaultSelector()
    waiting.register(requests, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is not requests:
                waiting.unregister(key.fileobj)
                _tell_end(key.fd, *key.data)
                continue
            asked, streams, _, _ = socket.recv_fds(requests, LONGEST, 4)
            if not asked:
                requests.close()
                sys.exit()
            *standard, answers = streams
            child = os.fork()
            if child == 0:
                _forget(waiting)
                os.close(answers)
                requests.close()
                arguments, cwd, environment, prepared = json.loads(asked)
                _become(standard, cwd, environment)
                prepare(**prepared)
                return list(arguments)
            for stream in standard:
                os.close(stream)
            reply = socket.socket(fileno=answers)
            reply.send(str(child).encode())
            waiting.register(os.pidfd_open(child), selectors.EVENT_READ, (child, reply))


def call_program(arguments: Sequence[str]) -> NoReturn:
    """Ends as Python does, but frees nothing that the zygote has loaded: to free it would copy all of it.

    What the call made itself is collected, so that it is told of what was left open.
    """
    sys.argv = ["teamlead", *arguments]
    code: object = 1
    try:
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - as Python does
        sys.excepthook(*sys.exc_info())
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else bool(code))


def _forget(waiting: selectors.DefaultSelector) -> None:
    """The other calls are not this one's. What it left open would be told of in its stderr, too."""
    for key in waiting.get_map().values():
        if key.data:
            os.close(key.fd)
            key.data[1].close()
    waiting.close()


def _become(standard: Sequence[int], cwd: str, environment: Mapping[str, str]) -> None:
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, stream in enumerate(standard):
        os.dup2(stream, number)
        os.close(stream)
    faults.arm(os.environ.get(faults.VARIABLE, ""))


def _tell_end(descriptor: int, child: int, reply: socket.socket) -> None:
    os.close(descriptor)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # Whoever asked may be gone.
    with suppress(OSError):
        reply.send(str(code).encode())
    reply.close()


if __name__ == "__main__":
    call_program(serve())
