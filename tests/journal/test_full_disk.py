"""A disk that fails at any write of a journal: what was acknowledged is there, and nothing else."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from teamlead.core.events import TaskDone
from teamlead.core.facts import Cancel
from teamlead.errors import DiskUnusable, StorageFailed
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.lease import acquire
from teamlead.journal.reader import JournalReader
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit
from teamlead.system import faults

Name = str | apsw.URIFilename | None
COMMITS = 6


class Failing(apsw.VFS):
    """Fails from one write on, as a disk does that is full, or that was mounted read-only after an error."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.fail_at = 0
        self.writes = 0
        self.error: type[apsw.Error] = apsw.FullError

    def xOpen(self, name: Name, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return FailingFile(self, name, flags)

    def step(self) -> None:
        self.writes += 1
        if 0 < self.fail_at <= self.writes:
            raise self.error


class FailingFile(apsw.VFSFile):
    def __init__(self, disk: Failing, name: Name, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.step()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.step()
        super().xSync(flags)


@pytest.fixture
def disk() -> Iterator[Failing]:
    disk = Failing("failing")
    yield disk
    disk.unregister()


def write(path: Path, commit_of: Callable[..., Commit]) -> list[str]:
    """What was acknowledged before the disk failed."""
    acknowledged: list[str] = []
    try:
        journal = SqliteJournal.open(path, vfs="failing")
    except DiskUnusable:
        return acknowledged
    try:
        for number in range(COMMITS):
            name = f"task-{number}"
            asyncio.run(journal.commit(commit_of(name, durable=number % 2 == 0)))
            acknowledged.append(name)
    except DiskUnusable:
        with pytest.raises(StorageFailed, match="accepts nothing more"):
            asyncio.run(journal.commit(commit_of("too late")))
    finally:
        # An error of a VFS in Python is raised where SQLite's own are kept quiet: in tidying up at the end.
        with suppress(apsw.Error):
            journal.close()
    return acknowledged


def written(path: Path) -> list[str]:
    journal = SqliteJournal.open(path)
    try:
        return [recorded.event.task for recorded in journal.read() if isinstance(recorded.event, TaskDone)]
    finally:
        journal.close()


@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
def test_any_write_may_fail_and_what_was_acknowledged_is_there(
    disk: Failing, tmp_path: Path, commit_of: Callable[..., Commit], error: type[apsw.Error]
) -> None:
    disk.error = error
    whole = tmp_path / "whole.db"
    SqliteJournal.create(whole)
    write(whole, commit_of)
    steps, failed = disk.writes, 0
    assert steps > COMMITS
    for fail_at in range(1, steps + 1):
        path = tmp_path / f"{fail_at}.db"
        SqliteJournal.create(path)
        disk.fail_at, disk.writes = fail_at, 0
        acknowledged = write(path, commit_of)
        failed += len(acknowledged) < COMMITS
        disk.fail_at = 0
        assert written(path)[: len(acknowledged)] == acknowledged
        assert len(written(path)) <= len(acknowledged) + 1, "at most the one that was being written"
    assert failed


def test_a_command_that_does_not_fit_is_not_there_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "inbox.db"
    SqliteInbox.create(path)
    with SqliteInbox(path) as inbox:
        faults.arm("ENOSPC inbox put: before#1")
        try:
            with pytest.raises(DiskUnusable, match=r"inbox\.db"):
                inbox.put(Cancel("enough"))
        finally:
            faults.arm("")
        assert inbox.take() == []
        name = inbox.put(Cancel("enough"))
        assert [waiting for waiting, _ in inbox.take()] == [name]


@pytest.mark.parametrize("error", ["ENOSPC", "EROFS"])
def test_a_lease_that_cannot_be_signed_is_not_held(tmp_path: Path, error: str) -> None:
    faults.arm(f"{error} lease: taken#1")
    try:
        with pytest.raises(DiskUnusable, match=r"leader\.lock"):
            acquire(tmp_path, "teamlead")
    finally:
        faults.arm("")
    acquire(tmp_path, "teamlead").release()


def test_a_lease_is_given_back_although_its_file_cannot_be_written(tmp_path: Path) -> None:
    lease = acquire(tmp_path, "teamlead")
    faults.arm("EROFS lease release: before#1")
    try:
        lease.release()
    finally:
        faults.arm("")
    acquire(tmp_path, "teamlead").release()


def test_a_journal_can_be_read_after_its_disk_was_full(
    disk: Failing, path: Path, commit_of: Callable[..., Commit]
) -> None:
    disk.fail_at = 9
    acknowledged = write(path, commit_of)
    with JournalReader(path) as reader:
        assert reader.last_seq() >= len(acknowledged)
