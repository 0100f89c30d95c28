import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from teamlead.errors import StorageFailed, ViewDoubtful
from teamlead.journal.reader import Answer, JournalReader, TaskView
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Outcome, TaskRow


def row(order: int, state: str, *, waiting: bool = False, body: bytes = b"{}") -> TaskRow:
    return TaskRow(order, f"task-{order}", state, waiting, body)


@pytest.fixture
def journal(path: Path) -> Iterator[SqliteJournal]:
    journal = SqliteJournal.open(path)
    yield journal
    journal.close()


def test_view_rows_are_those_of_the_last_commit_that_changed_them(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit]
) -> None:
    async def run() -> None:
        await journal.commit(commit_of(session=b"one", tasks=[row(2, "READY"), row(1, "READY")]))
        await journal.commit(commit_of(tasks=[row(1, "BLOCKED", waiting=True, body=b'{"x":1}')]))
        await journal.commit(commit_of("task-1"))
        await journal.commit(commit_of(tasks=[row(3, "DONE")]))

    with JournalReader(path) as reader:
        with pytest.raises(StorageFailed, match="what `status` shows of the session is missing"):
            reader.session_row()
        assert reader.task_rows() == []
        asyncio.run(run())
        blocked = TaskView(1, "task-1", "BLOCKED", True, b'{"x":1}')
        assert reader.session_row() == b"one"
        assert reader.task_rows()[0] == blocked
        assert [task.id for task in reader.task_rows()] == ["task-1", "task-2", "task-3"]
        assert [task.id for task in reader.task_rows(states=["READY", "DONE"])] == ["task-2", "task-3"]
        assert [task.id for task in reader.task_rows(limit=2)] == ["task-1", "task-2"]
        assert reader.task_rows(waiting_only=True) == [blocked]
        assert reader.task_rows(waiting_only=True, states=["DONE"]) == []


DAMAGE = (
    "update view_session set body = cast('{}' as blob)",
    "delete from view_session",
    "update view_session set seal = seal + 1",
)
DAMAGE_OF_A_TASK = (
    "update view_task set state = 'DONE' where ord = 1",
    "update view_task set id = 'task-9' where ord = 1",
    "update view_task set id = cast(x'ff' as text) where ord = 1",
    "update view_task set waiting = 1 where ord = 1",
    "update view_task set body = x'00' where ord = 1",
    "update view_task set seal = seal + 1 where ord = 1",
)


@pytest.mark.parametrize("damage", DAMAGE + DAMAGE_OF_A_TASK)
def test_a_view_row_that_is_not_what_was_written_is_not_handed_out(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit], damage: str
) -> None:
    asyncio.run(journal.commit(commit_of(session=b"one", tasks=[row(1, "READY"), row(2, "READY")])))
    assert journal.doubtful(["task-1", "task-2", "task-3"]) == ["task-3"]
    change(path, damage)
    with JournalReader(path) as reader:
        for read, harmed in (
            (reader.session_row, damage in DAMAGE),
            (reader.task_rows, damage not in DAMAGE),
        ):
            if not harmed:
                assert read()
                continue
            with pytest.raises(ViewDoubtful, match=r"journal\.db' is damaged: what `status` shows"):
                read()
    assert ("task-1" in journal.doubtful(["task-1", "task-2"])) is (damage in DAMAGE_OF_A_TASK)


def change(path: Path, statement: str) -> None:
    """As somebody else would, or a disk."""
    connection = apsw.Connection(str(path))
    connection.execute(statement)
    connection.close()


def test_what_no_longer_waits_is_not_listed(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit]
) -> None:
    asyncio.run(journal.commit(commit_of(tasks=[row(1, "BLOCKED", waiting=True)])))
    asyncio.run(journal.commit(commit_of(tasks=[row(1, "READY")])))
    with JournalReader(path) as reader:
        assert reader.task_rows(waiting_only=True) == []


def test_the_outcome_of_a_command_is_found_by_its_id(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit]
) -> None:
    refused = Outcome("a", accepted=False, message="no such task", exit_code=4)
    asyncio.run(journal.commit(commit_of(outcomes=[refused])))
    with JournalReader(path) as reader:
        assert reader.outcome("a") == Answer("a", False, "no such task", 4)
        assert reader.outcome("b") is None


def test_a_poll_sees_each_commit_of_another_connection(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit]
) -> None:
    with JournalReader(path) as reader:
        seen = reader.data_version()
        assert reader.data_version() == seen
        for number in range(1, 4):
            asyncio.run(journal.commit(commit_of("task-1", durable=False)))
            assert reader.data_version() != seen
            seen = reader.data_version()
            assert [event[0] for event in reader.read(since=number - 1)] == [number]


def test_a_long_journal_is_read_whole_while_it_grows(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit]
) -> None:
    asyncio.run(journal.commit(commit_of(*["task-1"] * 2500)))
    with JournalReader(path) as reader:
        events = reader.read()
        first = next(events)
        asyncio.run(journal.commit(commit_of("task-2")))
        assert [first[0], *(event[0] for event in events)] == list(range(1, 2502))


def test_a_snapshot_is_one_moment(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit]
) -> None:
    with JournalReader(path) as reader:
        with reader.snapshot():
            assert reader.task_rows() == []
            asyncio.run(journal.commit(commit_of("task-1", tasks=[row(1, "READY")])))
            assert reader.last_seq() == 0
        assert reader.last_seq() == 1


def test_a_journal_without_a_leader_is_read(path: Path, commit_of: Callable[..., Commit]) -> None:
    journal = SqliteJournal.open(path)
    asyncio.run(journal.commit(commit_of("task-1")))
    journal.close()
    assert list(path.parent.iterdir()) == [path]
    with JournalReader(path) as reader:
        assert reader.last_seq() == 1


def test_what_a_dead_leader_left_in_its_log_is_read_even_without_shared_memory(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit]
) -> None:
    asyncio.run(journal.commit(commit_of("task-1")))
    dead = path.with_name("dead.db")
    shutil.copy(path, dead)
    shutil.copy(f"{path}-wal", f"{dead}-wal")
    with JournalReader(dead) as reader:
        assert reader.last_seq() == 1


READ_ONLY = """
import os, sys
from pathlib import Path
from teamlead.journal.reader import JournalReader
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
folder = Path(sys.argv[1])
assert not os.access(folder, os.W_OK)
with JournalReader(folder / "journal#1?.db") as reader:
    print(reader.last_seq())
"""


def test_a_journal_in_a_read_only_folder_is_read(
    journal: SqliteJournal, path: Path, commit_of: Callable[..., Commit]
) -> None:
    asyncio.run(journal.commit(commit_of("task-1", "task-2")))
    journal._connection.wal_checkpoint(mode=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(path, folder / "journal#1?.db")
        (folder / "journal#1?.db").chmod(0o444)
        folder.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, name]
        output = subprocess.run(command, capture_output=True, text=True, check=False)
        folder.chmod(0o755)
    assert output.stderr == ""
    assert output.stdout == "2\n"


def test_reading_and_asking_who_leads_load_neither_msgspec_nor_asyncio() -> None:
    script = "import sys, teamlead.journal.reader, teamlead.journal.lease; print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "apsw" in output.split()
    assert {"msgspec", "asyncio", "teamlead.ports", "teamlead.core"}.isdisjoint(output.split())
