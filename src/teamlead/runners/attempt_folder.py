"""The folder of one attempt: what was asked, that it was started, what it said, how it ended.

prompt.md       what the agent was told
script.toml     of a scripted agent: what it does, where a room would hide its script
started.json    exists: the run was started, and is never started again; tells the mark of its processes. Goes
                where the machine could start nothing
alive.lock      locked by the warden of the agent or a check until nothing of it is alive
events.jsonl    normalised events with their time, capped
raw.jsonl       what the program itself said, where that is something else; capped
stderr.txt      capped
result.json     exists whole: the run has ended like this
"""

import asyncio
import os
import time
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from teamlead.core.runs import RunEnd
from teamlead.errors import Refused
from teamlead.runners.run_events import Event, Tally, parse_event
from teamlead.system.atomic_files import sync_folder
from teamlead.system.disk import storing
from teamlead.system.exhaustion import unless_exhausted
from teamlead.system.faults import reach
from teamlead.system.program_streams import CappedFile
from teamlead.system.run_lock import claim
from teamlead.system.wardens import marks

EVENTS_CAP = 64 * 1024 * 1024
RAW_CAP = 64 * 1024 * 1024
STDERR_CAP = 8 * 1024 * 1024


class _Started(msgspec.Struct, frozen=True):
    at: float
    mark: str = ""


class EventLog:
    """Writes events.jsonl."""

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
        self._file.add(line + b"\n")

    def flush(self) -> None:
        """Writes many events at once: each would cost a call of the system."""
        self._file.flush()

    def close(self) -> None:
        self._file.close()


class AttemptFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.prompt = path / "prompt.md"
        self.started = path / "started.json"
        self.alive = path / "alive.lock"
        self.events = path / "events.jsonl"
        self.raw = path / "raw.jsonl"
        self.stderr = path / "stderr.txt"
        self.result = path / "result.json"

    def begin(self, prompt: str) -> str:
        """Notes the start, on disk, before anything runs; returns the mark for its processes.

        Raises Refused if it is noted already.
        """
        mark = marks.new()
        with storing(self.path):
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                self.prompt.write_text(prompt, encoding="utf-8", errors="replace")
                reach("attempt mark: before")
                with self.started.open("xb") as file:
                    reach("attempt mark: empty")
                    file.write(msgspec.json.encode(_Started(time.time(), mark)))
                    file.flush()
                    os.fsync(file.fileno())
                sync_folder(self.path)
                reach("attempt mark: after")
            except FileExistsError as error:
                raise Refused(f"this attempt was started already: {self.started}") from error
        return mark

    def forget(self) -> None:
        """Takes the note back: the program was not started, by nobody's fault, and may be started later."""
        with storing(self.path):
            self.started.unlink(missing_ok=True)
            sync_folder(self.path)

    async def lock(self) -> BinaryIO:
        """Locks it for the run's warden. Raises Refused if the run was recalled meanwhile: it is lost."""
        file = await claim(self.alive, patience=0)
        if file is not None and not self.result.exists():
            return file
        if file is not None:
            file.close()
        raise Refused(f"this attempt was given up before it started: {self.path}")

    def finish(self, end: RunEnd) -> None:
        """Writes the result to disk. The first result stays: a leader that was replaced may come late."""
        fresh = self.result.with_suffix(f".{os.urandom(4).hex()}.new")
        with storing(self.result):
            try:
                reach("file result.json: before")
                with fresh.open("wb") as file:
                    file.write(msgspec.json.encode(end))
                    file.flush()
                    os.fsync(file.fileno())
                    reach("file result.json: written")
                    with suppress(FileExistsError):
                        self.result.hardlink_to(fresh)
                    sync_folder(self.path)
                reach("file result.json: after")
            finally:
                fresh.unlink(missing_ok=True)

    async def recall(self) -> RunEnd | None:
        """Returns what became of the run. One without a result is ended, and never starts."""
        if not self.started.exists():
            return None
        with await claim(self.alive) or nullcontext():
            return await self._recalled()

    async def _recalled(self) -> RunEnd:
        broken = ""
        try:
            return msgspec.json.decode(self.result.read_bytes(), type=RunEnd)
        except FileNotFoundError:
            broken = f"no result in {self.path}"
        except (OSError, msgspec.DecodeError) as error:
            unless_exhausted(error)
            broken = f"cannot read {self.result}: {error}"
        ended = await asyncio.to_thread(self._end_leftovers)
        what = "the agent still ran and was ended" if ended else "the agent runs no more"
        spent = await asyncio.to_thread(self._tally)
        detail = f"the lead ended before the agent; {what}; {broken}"
        end = RunEnd(
            "lost",
            detail=detail,
            usage=spent.usage,
            tool_calls=spent.tool_calls,
            turns=spent.turns,
            conversation=spent.conversation,
        )
        await asyncio.to_thread(self.finish, end)
        return end

    def _end_leftovers(self) -> bool:
        try:
            started = msgspec.json.decode(self.started.read_bytes(), type=_Started)
        except (OSError, msgspec.DecodeError):
            return False
        return bool(started.mark) and marks.end(started.mark)

    def _tally(self) -> Tally:
        tally = Tally()
        try:
            with self.events.open("rb") as lines:
                for line in lines:
                    tally.add(parse_event(line))
        except OSError:
            pass
        return tally
