import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from teamlead.errors import StorageFailed
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.reader import JournalReader
from teamlead.journal.schema import JOURNAL
from teamlead.journal.sqlite import check_library, create
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit

OPENERS = [SqliteJournal.open, JournalReader]


@pytest.fixture
def filled(path: Path, commit_of: Callable[..., Commit]) -> Path:
    journal = SqliteJournal.open(path)
    asyncio.run(journal.commit(commit_of(*(f"task-{number}" for number in range(500)))))
    journal.close()
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but the two of SQLite that hold no data: shared memory, and a log without entries."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}
    return {name: content for name, content in files.items() if content or not name.endswith("-wal")}


def refusal(path: Path, opener: Callable[[Path], object]) -> str:
    """The message, after making sure that everything is as it was."""
    before = contents(path.parent)
    with pytest.raises(StorageFailed) as caught:
        opener(path)
    assert contents(path.parent) == before
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("opener", OPENERS)
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path: Path, opener: Callable[[Path], object]
) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"# Notes\n" * 1000)
    assert "not a teamlead file" in refusal(path, opener)


@pytest.mark.parametrize("opener", OPENERS)
def test_an_empty_file_is_refused_and_left_alone(tmp_path: Path, opener: Callable[[Path], object]) -> None:
    path = tmp_path / "journal.db"
    path.touch()
    assert "is empty" in refusal(path, opener)


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("size", [50, 4096, 4096 * 5, -1])
def test_a_truncated_file_is_refused_and_left_alone(
    filled: Path, opener: Callable[[Path], object], size: int
) -> None:
    os.truncate(filled, size if size > 0 else filled.stat().st_size - 4096)
    assert "damaged" in refusal(filled, opener)


@pytest.mark.parametrize("opener", OPENERS)
def test_a_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, opener: Callable[[Path], object]
) -> None:
    path = tmp_path / "journal.db"
    connection = apsw.Connection(str(path))
    connection.execute("create table events(seq, body)")
    connection.close()
    assert "not a teamlead journal" in refusal(path, opener)


def test_an_inbox_is_not_taken_for_a_journal(tmp_path: Path) -> None:
    SqliteInbox.create(tmp_path / "inbox.db")
    assert "not a teamlead journal" in refusal(tmp_path / "inbox.db", SqliteJournal.open)


@pytest.mark.parametrize("opener", OPENERS)
def test_the_file_of_a_newer_teamlead_is_refused_and_left_alone(
    tmp_path: Path, opener: Callable[[Path], object]
) -> None:
    path = tmp_path / "journal.db"
    create(path, JOURNAL._replace(version=JOURNAL.version + 1))
    message = refusal(path, opener)
    assert "written by a newer teamlead" in message
    assert "upgrade teamlead" in message


@pytest.mark.parametrize("opener", OPENERS)
def test_a_refused_file_keeps_its_log_beside_it(
    path: Path, tmp_path: Path, opener: Callable[[Path], object], commit_of: Callable[..., Commit]
) -> None:
    journal = SqliteJournal.open(path)
    asyncio.run(journal.commit(commit_of("task-1")))
    journal._connection.pragma("user_version", JOURNAL.version + 1)
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", f"{crashed / path.name}{suffix}")
    journal.close()
    assert "written by a newer teamlead" in refusal(crashed / path.name, opener)


@pytest.mark.parametrize("opener", OPENERS)
def test_a_missing_file_is_not_made_up(tmp_path: Path, opener: Callable[[Path], object]) -> None:
    with pytest.raises(StorageFailed, match=r"there is no journal at .*journal\.db"):
        opener(tmp_path / "journal.db")
    assert list(tmp_path.iterdir()) == []


def test_scrambled_pages_are_reported_while_reading(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    for page in range(2 * 4096, len(content), 4096):
        content[page : page + 64] = b"\xa5" * 64
    filled.write_bytes(content)
    with pytest.raises(StorageFailed, match="damaged"), JournalReader(filled) as reader:
        list(reader.read())


def test_a_missing_event_is_reported_while_reading(filled: Path) -> None:
    connection = apsw.Connection(str(filled))
    connection.execute("delete from events where seq = 7")
    connection.close()
    with JournalReader(filled) as reader, pytest.raises(StorageFailed, match="event 7 is missing"):
        list(reader.read())


def test_creating_never_replaces_a_file(filled: Path) -> None:
    before = filled.read_bytes()
    with pytest.raises(StorageFailed, match="exists already"):
        SqliteJournal.create(filled)
    assert filled.read_bytes() == before
    assert list(filled.parent.iterdir()) == [filled]


def test_creating_in_a_missing_folder_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match=r"missing/journal\.db' cannot be opened"):
        SqliteJournal.create(tmp_path / "missing" / "journal.db")


def test_a_library_that_can_corrupt_a_journal_is_refused() -> None:
    with pytest.raises(StorageFailed, match=r"SQLite 3\.51\.2 can corrupt .*pip install --upgrade apsw"):
        check_library("3.51.2")
    check_library("3.51.3")
    check_library("4.0.0")
