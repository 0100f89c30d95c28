"""Writers that die. Run as a program: `dying_writer.py endless JOURNAL` or `dying_writer.py sweep FOLDER`.

Each commit holds EVENTS events. The number of the last one is reported as soon as the commit has returned.
"""

import asyncio
import itertools
import os
import signal
import sys
from pathlib import Path

import apsw

from teamlead.core.events import TaskDone
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Rows, Stamped, TaskRow

Name = str | apsw.URIFilename | None

EVENTS = 3
COMMITS = 3


class Fate(apsw.VFS):
    """Kills this process in the middle of its n-th write to the log, or at a sync of it."""

    def __init__(self, steps: int) -> None:
        self.name = "fate"
        super().__init__(self.name, "")
        self.steps = steps

    def xOpen(self, name: Name, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return FateFile(self, name, flags)

    def step(self) -> bool:
        self.steps -= 1
        return self.steps == 0


class FateFile(apsw.VFSFile):
    def __init__(self, fate: Fate, name: Name, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._fate = fate
        self._is_log = bool(flags[0] & apsw.SQLITE_OPEN_WAL)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        if self._is_log and self._fate.step():
            super().xWrite(data[: len(data) // 2], offset)
            os.kill(os.getpid(), signal.SIGKILL)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        if self._is_log and self._fate.step():
            os.kill(os.getpid(), signal.SIGKILL)
        super().xSync(flags)


def commit_number(number: int) -> Commit:
    events = [Stamped(0.0, TaskDone(f"task-{number}-{index}", "x" * 500)) for index in range(EVENTS)]
    row = TaskRow(1, "task-1", "DONE", waiting=False, body=str(number).encode())
    return Commit(events, Rows(None, [row]), (), durable=number % 2 == 0)


async def write(journal: SqliteJournal, commits: int | None, report: int) -> None:
    first = journal.last_seq // EVENTS + 1
    for number in itertools.count(first) if commits is None else range(first, first + commits):
        await journal.commit(commit_number(number))
        os.write(report, f"{journal.last_seq}\n".encode())


def die_at(step: int, path: Path) -> bool:
    """Whether the process that writes died. Its reports go to a file beside the journal."""
    report = os.open(path.with_suffix(".acknowledged"), os.O_WRONLY | os.O_CREAT)
    SqliteJournal.create(path)
    pid = os.fork()
    if pid == 0:
        fate = Fate(step)
        asyncio.run(write(SqliteJournal.open(path, vfs=fate.name), COMMITS, report))
        os._exit(0)
    os.close(report)
    return os.waitpid(pid, 0)[1] == signal.SIGKILL


def main(how: str, where: Path) -> None:
    if how == "endless":
        asyncio.run(write(SqliteJournal.open(where), None, sys.stdout.fileno()))
    for step in itertools.count(1):
        if not die_at(step, where / f"{step}.db"):
            return


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
