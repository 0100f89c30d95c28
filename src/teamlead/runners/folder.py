"""The folder of one attempt: what was asked, that it was started, what it said, how it ended.

prompt.md       what the agent was told
started.json    exists: the run was started, and is never started again; then names its process
alive.lock      locked by the warden of the agent or a check until nothing of it is alive
events.jsonl    normalised events with their time, capped
stderr.txt      capped
result.json     exists whole: the run has ended like this
"""

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from teamlead.core.facts import AgentStatus
from teamlead.core.model import Question, Usage
from teamlead.errors import Refused, StorageFailed
from teamlead.ports import RunEnd
from teamlead.runners.events import Event, Tally, parse_event
from teamlead.system.alive import claim
from teamlead.system.faults import reach
from teamlead.system.files import sync_folder
from teamlead.system.identity import Identity, end_leftover
from teamlead.system.output import CappedFile

EVENTS_CAP = 64 * 1024 * 1024
STDERR_CAP = 8 * 1024 * 1024


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

    async def lock(self) -> BinaryIO:
        """For the run's warden. Refused if the run was recalled meanwhile: it counts as lost."""
        file = await claim(self.alive, patience=0)
        if file is not None and not self.result.exists():
            return file
        if file is not None:
            file.close()
        raise Refused(f"this attempt was given up before it started: {self.path}")

    def record(self, process: Identity) -> None:
        """Names the process, for whoever may have to end it. Not synced: it does not outlive the machine."""
        with self._writing(self.started) as fresh:
            fresh.write_bytes(msgspec.json.encode(_Started(time.time(), *process)))
            reach("file started.json: written")
            fresh.replace(self.started)

    def finish(self, end: RunEnd) -> None:
        """On disk when this returns. The first result stays: a leader that was replaced may come late."""
        with self._writing(self.result) as fresh, fresh.open("wb") as file:
            file.write(msgspec.json.encode(_Result(*end)))
            file.flush()
            os.fsync(file.fileno())
            reach("file result.json: written")
            with suppress(FileExistsError):
                self.result.hardlink_to(fresh)
            sync_folder(self.path)

    async def recall(self) -> RunEnd | None:
        """What became of the run. If it has no result, what is left of it is ended, and it never starts."""
        if not self.started.exists():
            return None
        with await claim(self.alive) or nullcontext():
            return await self._recalled()

    async def _recalled(self) -> RunEnd:
        broken = ""
        try:
            stored = msgspec.json.decode(self.result.read_bytes(), type=_Result)
        except FileNotFoundError:
            broken = f"no result in {self.path}"
        except (OSError, msgspec.DecodeError) as error:
            broken = f"cannot read {self.result}: {error}"
        else:
            return RunEnd(*msgspec.structs.astuple(stored))
        ended = await end_leftover(self._process())
        what = "the agent still ran and was ended" if ended else "the agent runs no more"
        spent = await asyncio.to_thread(self._tally)
        detail = f"the lead ended before the agent; {what}; {broken}"
        end = RunEnd("lost", detail=detail, usage=spent.usage, tool_calls=spent.tool_calls)
        await asyncio.to_thread(self.finish, end)
        return end

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

    @contextmanager
    def _writing(self, path: Path) -> Iterator[Path]:
        """A name for a draft of `path`, which does not outlive the block."""
        fresh = path.with_suffix(f".{os.urandom(4).hex()}.new")
        try:
            reach(f"file {path.name}: before")
            yield fresh
            reach(f"file {path.name}: after")
        except OSError as error:
            raise StorageFailed(f"cannot write {path}: {error.strerror}") from error
        finally:
            fresh.unlink(missing_ok=True)
