"""A run of an agent that is a program: the prompt on its stdin, events as JSON lines on its stdout."""

import asyncio
import signal
from collections.abc import Sequence

from teamlead.core.facts import AgentStatus
from teamlead.errors import Failed
from teamlead.ports import RunEnd, RunSpec
from teamlead.runners.events import Tally, parse_event
from teamlead.runners.folder import STDERR_CAP, AttemptFolder, EventLog
from teamlead.system.disk import storing
from teamlead.system.environment import for_agent
from teamlead.system.output import CappedFile, Lines
from teamlead.system.processes import Process, ProcessEnd, spawn
from teamlead.system.text import printable, tail


class _Stdout(Lines):
    """Every event is counted, also those that no longer fit in the log."""

    def __init__(self, log: EventLog, tally: Tally) -> None:
        super().__init__(self._event)
        self._log = log
        self._tally = tally

    def _event(self, line: bytes) -> None:
        event = parse_event(line)
        self._tally.add(event)
        self._log.add(event)

    def write(self, data: bytes) -> None:
        super().write(data)
        self._log.flush()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._log.close()


class ProgramRun:
    def __init__(
        self, spec: RunSpec, folder: AttemptFolder, process: Process, tally: Tally, stderr: CappedFile
    ) -> None:
        self._spec = spec
        self._folder = folder
        self._process = process
        self._tally = tally
        self._stderr = stderr
        self._end = asyncio.create_task(self._finish())

    async def result(self) -> RunEnd:
        return await asyncio.shield(self._end)

    async def cancel(self, grace: float) -> None:
        await self._process.cancel(grace)

    async def _finish(self) -> RunEnd:
        with storing(self._folder.path):
            ended = await self._process.wait()
        end = run_end(self._spec, ended, self._tally, self._stderr.recent.decode("utf-8", "replace"))
        await asyncio.to_thread(self._folder.finish, end)
        return end


async def launch(spec: RunSpec, argv: Sequence[str]) -> ProgramRun:
    """Starts the program once: a second start of the same attempt is refused."""
    folder = AttemptFolder(spec.folder)
    mark = await asyncio.to_thread(folder.begin, spec.prompt)
    tally = Tally()
    with storing(folder.path):
        lock = await folder.lock()
        stdout = _Stdout(EventLog(folder.events), tally)
        stderr = CappedFile(folder.stderr, STDERR_CAP)
    try:
        with lock:
            process = await spawn(
                argv,
                cwd=spec.cwd,
                env=for_agent(spec.session, spec.task, spec.attempt, spec.slot, spec.environment),
                stdout=stdout,
                stderr=stderr,
                stdin=spec.prompt.encode("utf-8", "replace"),
                hard_timeout=spec.hard_timeout,
                idle_timeout=spec.idle_timeout,
                mark=mark,
                kept=lock.fileno(),
            )
    except Failed as error:
        folder.finish(RunEnd("error", detail=str(error)))
        raise
    return ProgramRun(spec, folder, process, tally, stderr)


def run_end(spec: RunSpec, ended: ProcessEnd, tally: Tally, stderr: str) -> RunEnd:
    """The status, from what we did to the process, then what it said, then how it exited."""
    status, detail = _judge(spec, ended, tally, stderr)
    question = tally.question if status == "ok" else None
    return RunEnd(status, tally.summary, detail, question, tally.usage, tally.tool_calls)


def _judge(spec: RunSpec, ended: ProcessEnd, tally: Tally, stderr: str) -> tuple[AgentStatus, str]:
    match ended.stopped:
        case "cancelled":
            return "interrupted", "ended by the lead"
        case "hard":
            return "timeout", f"hard time-out: it still ran after {spec.hard_timeout:g} s"
        case "idle":
            return "timeout", f"idle time-out: no output for {spec.idle_timeout:g} s"
    if tally.finished not in (None, "ok"):
        return "error", tally.error or f"the agent ended with status {tally.finished!r}"
    if ended.exit_code:
        return "error", f"{_exit(ended.exit_code)}{_last_words(stderr)}"
    if tally.finished is None and tally.question is None:
        return "error", f"the agent ended without saying that it finished{_last_words(stderr)}"
    return "ok", ""


def _exit(code: int) -> str:
    if code > 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _last_words(stderr: str) -> str:
    words = tail(printable(stderr), lines=10, chars=2000).strip()
    return f": {words}" if words else ""
