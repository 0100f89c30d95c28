"""A run of an agent that is a program, whatever it speaks: a dialect turns its lines into events."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from teamlead.core.runs import RunEnd
from teamlead.errors import Failed, MachineExhausted
from teamlead.ports.rooms import Room
from teamlead.ports.runner import RunSpec
from teamlead.runners.agent_homes import FileStates, Home, changed, file_states
from teamlead.runners.attempt_folder import RAW_CAP, STDERR_CAP, AttemptFolder, EventLog
from teamlead.runners.endings import overspent, run_end
from teamlead.runners.run_events import Event, Tally, parse_event
from teamlead.system.disk import storing
from teamlead.system.environment import TEAM_TOKEN, for_agent
from teamlead.system.processes import Process, ProcessEnd, spawn
from teamlead.system.program_streams import CappedFile, Lines
from teamlead.system.rooms.open_ports import open_ports
from teamlead.system.secrets import Secrets

ASKING = 1 / 3
"""The part of a cancelled run's grace in which it is asked over its own protocol, before any signal."""
BUDGET_GRACE = 10.0
NOTE_AGAIN = 1.0
"""Seconds until its end is written again, where there was no descriptor to write it with."""
LEAVING = 5.0
"""Seconds from a program's last word and the end of its input to its end."""


class ProgramInput(Protocol):
    """A program's open input."""

    def write(self, data: bytes) -> bool: ...

    def close_input(self) -> None: ...


class Dialect:
    """How a program speaks: this one speaks our own events, and its whole input is its prompt.

    A program that is talked to while it runs sets `talks`: `open` is called once it runs, with its input.
    """

    talks = False
    translates = False
    """What it says is not our events: its own lines are kept as they came, in raw.jsonl. Once it has
    finished, its own end is not waited for."""
    tells_calls = True
    """Each call of a tool is an event."""

    @property
    def awaits_service(self) -> bool:
        """Whether it can only wait for its service: silence is then the service's."""
        return False

    def open(self, line: ProgramInput) -> None:
        pass

    def read(self, line: bytes) -> Iterable[Event]:
        """Reads a line of its output. Nothing in it is trusted, and no line makes this fail."""
        return (parse_event(line),)

    def close(self) -> Iterable[Event]:
        """Says at the end of its output what can only be said then. How it exited counts all the same."""
        return ()

    def say(self, text: str) -> bool:  # noqa: ARG002 - for those that can
        """Sends a message in mid-turn, and returns whether it could."""
        return False

    def interrupt(self) -> bool:
        """Asks the program to end its turn, and returns whether it could."""
        return False


class Invocation(NamedTuple):
    argv: Sequence[str]
    environment: Mapping[str, str] = {}
    """Beyond the allow-listed one."""
    stdin: bytes = b""
    """Its whole input, unless the dialect talks."""
    home: Home = Home()
    """Where the program keeps its own things, if that is not the run's home."""
    readable: tuple[Path, ...] = ()
    """Files that it reads, and that a room could hide."""
    services: tuple[str, ...] = ()
    """Addresses that it speaks to, and that its environment does not name."""


class _Stdout(Lines):
    """Every event is counted, also those that no longer fit in the log."""

    def __init__(
        self, dialect: Dialect, log: EventLog, raw: CappedFile | None, tally: Tally, secrets: Secrets
    ) -> None:
        super().__init__(self._line)
        self._secrets = secrets
        self._dialect = dialect
        self._log = log
        self._raw = raw
        self._tally = tally
        self.when_heard: Callable[[], None] = lambda: None

    def _line(self, line: bytes) -> None:
        if self._raw is not None:
            self._raw.add(line + b"\n")
        self._take(self._dialect.read(line))
        self.when_heard()

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            self._tally.add(event)
            self._log.add(event)

    def write(self, data: bytes) -> None:
        super().write(data)
        self._log.flush()

    def close(self) -> None:
        try:
            super().close()
            # It may come from elsewhere than the output.
            self._take(map(self._secrets.hidden_in, self._dialect.close()))
        finally:
            self._log.close()
            if self._raw is not None:
                self._raw.close()


class ProgramRunner:
    """What runners of programs share: all that is known of a run stands in its folder."""

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        return await AttemptFolder(spec.folder).recall()


class ProgramRun:
    def __init__(
        self,
        spec: RunSpec,
        process: Process,
        dialect: Dialect,
        *,
        folder: AttemptFolder,
        tally: Tally,
        stderr: CappedFile,
        guarded: FileStates,
    ) -> None:
        self._spec = spec
        self._folder = folder
        self._process = process
        self._dialect = dialect
        self._tally = tally
        self._stderr = stderr
        self._guarded = guarded
        self._cancelled = False
        self._overspent = ""
        self._leaving = False
        self._silent = False
        self._end = asyncio.create_task(self._finish())
        self._stopping: asyncio.Task[None] | None = None

    async def result(self) -> RunEnd:
        return await asyncio.shield(self._end)

    async def send(self, text: str) -> bool:
        return not self._end.done() and self._dialect.say(text)

    async def cancel(self, grace: float) -> None:
        if not self._end.done():
            self._cancelled = True
            await self._ask_to_end(grace)

    async def _ask_to_end(self, grace: float) -> None:
        """Asks over its protocol, then by signals."""
        if grace > 0 and self._dialect.interrupt():
            await asyncio.wait([self._end], timeout=grace * ASKING)
            grace *= 1 - ASKING
        await self._process.cancel(grace)

    def heard(self) -> None:
        """Is called after each line of its output."""
        if self._process.stopped is None:
            self._silent = self._dialect.awaits_service
        if self._tally.finished is not None:
            self._let_go()
        elif self._stopping is None and (over := overspent(self._spec.budget, self._tally)):
            self._overspent = over
            self._stopping = asyncio.create_task(self._ask_to_end(BUDGET_GRACE))

    def _let_go(self) -> None:
        """Ends a program that waits for more even after the end of its input."""
        if self._dialect.translates and not self._leaving:
            self._leaving = True
            self._process.close_input()
            asyncio.get_running_loop().call_later(LEAVING, self._see_off)

    def _see_off(self) -> None:
        if self._stopping is None and not self._end.done():
            self._stopping = asyncio.create_task(self._process.cancel(1.0))

    async def _finish(self) -> RunEnd:
        with storing(self._folder.path):
            ended = await self._process.wait()
        if self._cancelled:
            ended = ended._replace(stopped="cancelled")
        elif self._leaving and ended.stopped not in ("hard", "idle"):
            ended = ProcessEnd(0)
        words = self._stderr.recent.decode("utf-8", "replace")
        limit = "" if self._cancelled else self._overspent
        end = run_end(self._spec, ended, self._tally, words, overspent=limit, silent=self._silent)
        end = msgspec.structs.replace(end, denials=(*end.denials, *changed(self._guarded)))
        while not await asyncio.to_thread(self._noted, end):  # noqa: ASYNC110 - nobody tells when there are some
            await asyncio.sleep(NOTE_AGAIN)
        return end

    def _noted(self, end: RunEnd) -> bool:
        """Writes its end, and returns whether it is on disk: want of a descriptor loses nothing."""
        try:
            self._folder.finish(end)
        except MachineExhausted:
            return False
        return True


async def launch(spec: RunSpec, invocation: Invocation, dialect: Dialect) -> ProgramRun:
    """Starts the program once: a second start of the same attempt is refused, unless the first was none."""
    folder = AttemptFolder(spec.folder)
    try:
        return await _launch(spec, invocation, dialect, folder)
    except MachineExhausted:
        folder.forget()
        raise


async def _launch(
    spec: RunSpec, invocation: Invocation, dialect: Dialect, folder: AttemptFolder
) -> ProgramRun:
    mark = await asyncio.to_thread(folder.begin, spec.prompt)
    tally = Tally(0 if dialect.tells_calls else None)
    extra = {**invocation.environment, **spec.environment}
    environment = for_agent(spec.session, spec.task, spec.attempt, spec.slot, extra)
    # Some are told where their team is over their protocol.
    told = {TEAM_TOKEN: spec.team.token} if spec.team else {}
    secrets = Secrets({**environment, **told}, spec.secrets)
    with storing(folder.path):
        lock = await folder.lock()
    guarded = file_states(invocation.home.guarded)
    try:
        with lock:
            with storing(folder.path), ExitStack() as opened:
                raw = CappedFile(folder.raw, RAW_CAP) if dialect.translates else None
                if raw is not None:
                    opened.callback(raw.close)
                log = EventLog(folder.events)
                opened.callback(log.close)
                stderr = CappedFile(folder.stderr, STDERR_CAP)
                opened.pop_all()
            stdout = _Stdout(dialect, log, raw, tally, secrets)
            process = await spawn(
                invocation.argv,
                cwd=spec.cwd,
                env=environment,
                stdout=secrets.guard(stdout),
                stderr=secrets.guard(stderr),
                stdin=None if dialect.talks else invocation.stdin,
                hard_timeout=spec.hard_timeout,
                idle_timeout=spec.idle_timeout,
                mark=mark,
                kept=lock.fileno(),
                room=_room(spec, invocation, folder, environment),
            )
    except MachineExhausted:
        raise
    except Failed as error:
        folder.finish(RunEnd("error", detail=str(error)))
        raise
    run = ProgramRun(spec, process, dialect, folder=folder, tally=tally, stderr=stderr, guarded=guarded)
    stdout.when_heard = run.heard
    if dialect.talks:
        dialect.open(process)
    return run


def _room(
    spec: RunSpec, invocation: Invocation, folder: AttemptFolder, environment: Mapping[str, str]
) -> Room | None:
    if spec.room is None:
        return None
    return spec.room._replace(
        writable=(*spec.room.writable, spec.home, *invocation.home.writable),
        readable=(*spec.room.readable, folder.prompt, *invocation.readable),
        guarded=invocation.home.guarded,
        ports=_ports(spec, invocation, environment) if spec.room.house.strict else None,
    )


def _ports(spec: RunSpec, invocation: Invocation, environment: Mapping[str, str]) -> tuple[int, ...]:
    return open_ports(environment, spec.team.url if spec.team else "", *invocation.services)
