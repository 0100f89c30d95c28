import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from teamlead.core.events import TaskDone
from teamlead.errors import DiskUnusable, LeaseHeld, StaleLeader, StorageFailed
from teamlead.journal import writer
from teamlead.journal.reader import JournalReader
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Outcome, TaskRow

Name = str | apsw.URIFilename | None


class Disk(apsw.VFS):
    """A disk whose syncs can be held back, take time on a clock of their own, and say which thread waits."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.gate = threading.Event()
        self.gate.set()
        self.waiting = threading.Event()
        self.syncs: list[bool] = []
        """One for each sync of the log: on the main thread?"""
        self.now = 0.0
        self.seconds = 0.0

    def xOpen(self, name: Name, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return DiskFile(self, name, flags)


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Name, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        self._is_log = bool(flags[0] & apsw.SQLITE_OPEN_WAL)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        if self._is_log:
            self._disk.waiting.set()
            assert self._disk.gate.wait(60)
            self._disk.syncs.append(threading.current_thread() is threading.main_thread())
            self._disk.now += self._disk.seconds
        super().xSync(flags)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    disk = Disk("held-back")
    monkeypatch.setattr(writer, "perf_counter", lambda: disk.now)
    yield disk
    disk.unregister()


@pytest.fixture
def journal(disk: Disk, path: Path) -> Iterator[SqliteJournal]:
    journal = SqliteJournal.open(path, vfs="held-back")
    disk.syncs.clear()
    yield journal
    disk.gate.set()
    journal.close()


def tasks_in(journal: SqliteJournal) -> list[str]:
    return [recorded.event.task for recorded in journal.read() if isinstance(recorded.event, TaskDone)]


def row(version: int) -> TaskRow:
    return TaskRow(1, "task-1", "DONE", waiting=False, body=str(version).encode())


async def held_back(disk: Disk) -> None:
    """Until the writer thread waits for the disk."""
    assert await asyncio.get_running_loop().run_in_executor(None, disk.waiting.wait, 60)


async def make_slow(journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit]) -> None:
    """Once is enough: one commit of a second is slow on average."""
    disk.seconds = 1.0
    await journal.commit(commit_of("task-0"))
    disk.waiting.clear()
    disk.gate.clear()


def test_a_slow_disk_moves_commits_to_the_writer_thread_until_it_is_fast_again(
    journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit]
) -> None:
    async def run() -> None:
        for _ in range(3):
            await journal.commit(commit_of("task-1"))
        disk.seconds = 0.1
        for _ in range(3):
            await journal.commit(commit_of("task-1"))
        disk.seconds = 0.0
        while not disk.syncs[-1]:
            await journal.commit(commit_of("task-1"))

    asyncio.run(run())
    assert disk.syncs[:6] == [True, True, True, True, False, False]
    assert len(disk.syncs) < 40


def test_commits_behind_a_slow_one_keep_their_order_and_share_one_sync(
    journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit]
) -> None:
    async def run() -> None:
        await make_slow(journal, disk, commit_of)
        first = asyncio.create_task(journal.commit(commit_of("task-1")))
        await held_back(disk)
        later = [
            asyncio.create_task(
                journal.commit(commit_of(f"task-{number}", tasks=[row(number)], durable=number % 2 == 0))
            )
            for number in (2, 3, 4)
        ]
        await asyncio.sleep(0)
        assert tasks_in(journal) == ["task-0"]
        assert not any(task.done() for task in (first, *later))
        disk.gate.set()
        await asyncio.gather(first, *later)

    asyncio.run(run())
    assert tasks_in(journal) == ["task-0", "task-1", "task-2", "task-3", "task-4"]
    assert [view.body for view in journal._reader.task_rows()] == [b"4"]
    assert disk.syncs == [True, False, False]


def test_a_fast_commit_does_not_overtake_a_slow_one(
    journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit]
) -> None:
    async def run() -> None:
        await make_slow(journal, disk, commit_of)
        slow = asyncio.create_task(journal.commit(commit_of("task-1")))
        await held_back(disk)
        quick = asyncio.create_task(journal.commit(commit_of("task-2", durable=False)))
        await asyncio.sleep(0)
        assert not quick.done()
        disk.gate.set()
        await asyncio.gather(slow, quick)
        await journal.commit(commit_of("task-3", durable=False))

    asyncio.run(run())
    assert tasks_in(journal) == ["task-0", "task-1", "task-2", "task-3"]


def test_a_cancelled_caller_does_not_take_its_commit_out_of_the_order(
    journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit]
) -> None:
    async def run() -> None:
        await make_slow(journal, disk, commit_of)
        first = asyncio.create_task(journal.commit(commit_of("task-1")))
        await held_back(disk)
        second = asyncio.create_task(journal.commit(commit_of("task-2")))
        await asyncio.sleep(0)
        first.cancel()
        second.cancel()
        await asyncio.wait([first, second])
        third = asyncio.create_task(journal.commit(commit_of("task-3", durable=False)))
        await asyncio.sleep(0)
        assert not third.done()
        disk.gate.set()
        await third

    asyncio.run(run())
    assert tasks_in(journal) == ["task-0", "task-1", "task-2", "task-3"]


def test_the_commit_of_a_cancelled_caller_is_written_although_no_other_follows(
    journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit], path: Path
) -> None:
    async def run() -> None:
        await make_slow(journal, disk, commit_of)
        calls = [asyncio.create_task(journal.commit(commit_of("task-1")))]
        await held_back(disk)
        calls.append(asyncio.create_task(journal.commit(commit_of("task-2"))))
        await asyncio.sleep(0)
        for call in calls:
            call.cancel()
        await asyncio.wait(calls)
        disk.gate.set()

    asyncio.run(run())
    journal.close()
    with JournalReader(path) as reader:
        assert reader.last_seq() == 3


def test_a_failure_on_the_writer_thread_fails_all_that_waits_behind_it(
    journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit]
) -> None:
    pages = journal._connection.pragma("page_count")
    journal._connection.pragma("max_page_count", pages + 20)

    async def run() -> list[BaseException | None]:
        await make_slow(journal, disk, commit_of)
        calls = [asyncio.create_task(journal.commit(commit_of("task-1")))]
        await held_back(disk)
        calls.append(asyncio.create_task(journal.commit(commit_of("x" * 1_000_000))))
        calls.append(asyncio.create_task(journal.commit(commit_of("task-3"))))
        await asyncio.sleep(0)
        disk.gate.set()
        return await asyncio.gather(*calls, return_exceptions=True)

    first, second, third = asyncio.run(run())
    assert first is None
    assert isinstance(second, StorageFailed)
    assert isinstance(third, StorageFailed)
    assert tasks_in(journal) == ["task-0", "task-1"]


def test_closing_writes_what_was_handed_over(
    journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit], path: Path
) -> None:
    async def run() -> None:
        await make_slow(journal, disk, commit_of)
        call = asyncio.create_task(journal.commit(commit_of("task-1")))
        await held_back(disk)
        disk.gate.set()
        journal.close()
        await call

    asyncio.run(run())
    with JournalReader(path) as reader:
        assert reader.last_seq() == 2


def test_only_durable_commits_wait_for_the_disk(
    journal: SqliteJournal, disk: Disk, commit_of: Callable[..., Commit]
) -> None:
    async def run() -> None:
        await journal.commit(commit_of("task-1", durable=False))
        assert disk.syncs == []
        await journal.commit(commit_of("task-2", durable=True))
        assert disk.syncs == [True]
        await journal.commit(commit_of("task-3", durable=False))
        assert disk.syncs == [True]

    asyncio.run(run())


def test_a_full_disk_keeps_what_was_committed_and_ends_the_writing(
    path: Path, commit_of: Callable[..., Commit]
) -> None:
    journal = SqliteJournal.open(path)
    asyncio.run(journal.commit(commit_of("task-1")))
    journal._connection.pragma("max_page_count", journal._connection.pragma("page_count"))
    with pytest.raises(DiskUnusable, match=r"cannot write '.*journal\.db'.* is full"):
        asyncio.run(journal.commit(commit_of("x" * 100_000, outcomes=[Outcome("a", True, "")])))
    with pytest.raises(StorageFailed, match=r"journal\.db' accepts nothing more after a failed commit"):
        asyncio.run(journal.commit(commit_of("task-3")))
    journal.close()

    resumed = SqliteJournal.open(path)
    assert not resumed.has_outcome("a")
    asyncio.run(resumed.commit(commit_of("task-2")))
    assert tasks_in(resumed) == ["task-1", "task-2"]
    resumed.close()


def test_a_leader_that_was_replaced_writes_nothing(path: Path, commit_of: Callable[..., Commit]) -> None:
    old = SqliteJournal.open(path)
    asyncio.run(old.commit(commit_of("task-1")))
    new = SqliteJournal.open(path)
    assert new.epoch == old.epoch + 1
    with pytest.raises(LeaseHeld, match="another leader has taken over"):
        asyncio.run(old.commit(commit_of("task-2", tasks=[row(1)], outcomes=[Outcome("a", True, "")])))
    asyncio.run(new.commit(commit_of("task-3")))
    assert tasks_in(new) == ["task-1", "task-3"]
    assert not new.has_outcome("a")
    with JournalReader(path) as reader:
        assert reader.task_rows() == []
    old.close()
    new.close()


def test_a_leader_rises_above_an_epoch_its_journal_does_not_know(
    path: Path, commit_of: Callable[..., Commit]
) -> None:
    with closing(SqliteJournal.open(path)) as journal:
        assert journal.rise(7) == 8
        asyncio.run(journal.commit(commit_of("task-1")))
        assert tasks_in(journal) == ["task-1"]
    with closing(SqliteJournal.open(path)) as later:
        assert later.epoch == 9


def test_a_leader_that_was_replaced_does_not_rise(path: Path) -> None:
    with closing(SqliteJournal.open(path)) as old, closing(SqliteJournal.open(path)) as new:
        with pytest.raises(StaleLeader):
            old.rise(7)
        new.verify()
