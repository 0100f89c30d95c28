"""The folder of one attempt: what was asked, that it was started, what it said, how it ended.

prompt.md       what the agent was told
started.json    exists: the run was started, and is never started again; then names its process
alive.lock      locked by the run's warden until nothing of the run is alive
events.jsonl    normalised events with their time, capped
stderr.txt      capped
result.json     exists whole: the run has ended like this
"""

import asyncio
import contextlib
import fcntl
import os
import time
from pathlib import Path
from typing import BinaryIO

import msgspec

from teamlead.core.facts import AgentStatus
from teamlead.core.model import Question, Usage
from teamlead.errors import Refused, StorageFailed
from teamlead.ports import RunEnd
from teamlead.runners.events import Event, Tally, parse_event
from teamlead.system.faults import reach
from teamlead.system.files import sync_folder
from teamlead.system.identity import Identity, end_leftover
from teamlead.system.output import CappedFile

EVENTS_CAP = 64 * 1024 * 1024
STDERR_CAP = 8 * 1024 * 1024
DYING = 10.0
"""Seconds that a warden may take: as long as it tries itself before it says that it cannot."""


class _Started(msgspec.Struct, frozen=True):
    at: float
    pid: int = 0
    start_time: str = ""
    boot_id: str = ""


class _Result(msgspec.Struct, frozen=True):
    status: AgentStatus
    summary: str
    detail: str
    question: Question | None
    usage: Usage
    tool_calls: int


class EventLog:
    """events.jsonl while it is written."""

    def __init__(self, path: Path, cap: int = EVENTS_CAP) -> None:
        cut = {
            "type": "warning",
            "text": f"events cut: they are longer than {cap} bytes",
            "time": time.time(),
        }
        self._file = CappedFile(path, cap, marker=msgspec.json.encode(cut) + b"\n")

    def add(self, event: Event) -> None:
        try:
            line = msgspec.json.encode({**event, "time": time.time()})
        except RecursionError:
            line = msgspec.json.encode({"type": "raw", "text": "(nested too deeply)", "time": time.time()})
        self._file.write(line + b"\n")

    def close(self) -> None:
        self._file.close()


class AttemptFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.started = path / "started.json"
        self.alive = path / "alive.lock"
        self.events = path / "events.jsonl"
        self.stderr = path / "stderr.txt"
        self.result = path / "result.json"

    def begin(self, prompt: str) -> None:
        """Marks the start, on disk, before anything runs. Refused if it is marked already."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / "prompt.md").write_text(prompt, encoding="utf-8", errors="replace")
            reach("attempt mark: before")
            with self.started.open("xb") as file:
                reach("attempt mark: empty")
                file.write(msgspec.json.encode(_Started(time.time())))
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self.path)
            reach("attempt mark: after")
        except FileExistsError as error:
            raise Refused(f"this attempt was started already: {self.started}") from error
        except OSError as error:
            raise StorageFailed(f"cannot write {error.filename or self.path}: {error.strerror}") from error

    def lock(self) -> BinaryIO:
        """For the run's warden. Locked as long as any process has it open; raises OSError."""
        file = self.alive.open("wb")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return file

    def record(self, process: Identity) -> None:
        """Names the process, for whoever may have to end it. Not synced: it does not outlive the machine."""
        self._replace(self.started, msgspec.json.encode(_Started(time.time(), *process)), sync=False)

    def finish(self, end: RunEnd) -> None:
        """On disk when this returns."""
        self._replace(self.result, msgspec.json.encode(_Result(*end)), sync=True)

    async def recall(self) -> RunEnd | None:
        """What became of the run; ends what is left of it if it has no result."""
        if not self.started.exists():
            return None
        broken = ""
        try:
            stored = msgspec.json.decode(self.result.read_bytes(), type=_Result)
        except FileNotFoundError:
            broken = f"no result in {self.path}"
        except (OSError, msgspec.DecodeError) as error:
            broken = f"cannot read {self.result}: {error}"
        else:
            return RunEnd(*msgspec.structs.astuple(stored))
        await self._unlocked()
        ended = await end_leftover(self._process())
        what = "the agent still ran and was ended" if ended else "the agent runs no more"
        spent = await asyncio.to_thread(self._tally)
        detail = f"the lead ended before the agent; {what}; {broken}"
        return RunEnd("lost", detail=detail, usage=spent.usage, tool_calls=spent.tool_calls)

    async def _unlocked(self) -> None:
        """A warden that outlived its lead is killing what it holds: no new run may meet the old one."""
        loop = asyncio.get_running_loop()
        end = loop.time() + DYING
        with contextlib.suppress(FileNotFoundError), self.alive.open("rb") as file:
            while loop.time() < end:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                    return
                await asyncio.sleep(0.005)

    def _process(self) -> Identity:
        try:
            started = msgspec.json.decode(self.started.read_bytes(), type=_Started)
        except (OSError, msgspec.DecodeError):
            return Identity(0, "", "")
        return Identity(started.pid, started.start_time, started.boot_id)

    def _tally(self) -> Tally:
        tally = Tally()
        try:
            with self.events.open("rb") as lines:
                for line in lines:
                    tally.add(parse_event(line))
        except OSError:
            pass
        return tally

    def _replace(self, path: Path, data: bytes, *, sync: bool) -> None:
        fresh = path.with_suffix(".new")
        try:
            reach(f"file {path.name}: before")
            with fresh.open("wb") as file:
                file.write(data)
                if sync:
                    file.flush()
                    os.fsync(file.fileno())
            reach(f"file {path.name}: written")
            fresh.replace(path)
            if sync:
                sync_folder(self.path)
            reach(f"file {path.name}: after")
        except OSError as error:
            raise StorageFailed(f"cannot write {path}: {error.strerror}") from error
