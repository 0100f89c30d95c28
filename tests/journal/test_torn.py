"""Files that were damaged: what is read is an exact beginning of what was written, or a refusal.

SQLite ends its log at the first entry whose checksum is wrong, so a damaged log is one that ends sooner. Its
main file has no checksums; the events in it have their own. TEAMLEAD_TEST_SIZE multiplies the cases.
"""

import asyncio
import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from teamlead.core.events import TaskDone
from teamlead.core.facts import Cancel
from teamlead.errors import StorageFailed
from teamlead.journal.codec import decode
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.reader import EventRow, JournalReader
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Rows, Stamped, TaskRow

CASES = 50 * int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
COMMITS = 40
EVENTS = 3

Damage = Callable[[bytes, random.Random], bytes]


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def zero_the_rest(data: bytes, chance: random.Random) -> bytes:
    begin = chance.randrange(len(data))
    return data[:begin] + bytes(len(data) - begin)


def zero_some(data: bytes, chance: random.Random) -> bytes:
    begin, end = _range(data, chance)
    return data[:begin] + bytes(end - begin) + data[end:]


def scramble_some(data: bytes, chance: random.Random) -> bytes:
    begin, end = _range(data, chance)
    return data[:begin] + chance.randbytes(end - begin) + data[end:]


def _range(data: bytes, chance: random.Random) -> tuple[int, int]:
    begin = chance.randrange(len(data))
    return begin, min(len(data), begin + chance.choice([1, 8, 100, 4096, 20_000]))


class Image(NamedTuple):
    """The files of a leader at the moment it was killed."""

    folder: Path
    events: list[EventRow]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Half of the commits are in the main file, the others in the log."""
    folder = tmp_path_factory.mktemp("killed")
    path = folder / "journal.db"
    chance = random.Random(1)
    SqliteJournal.create(path)
    with closing(SqliteJournal.open(path)) as journal:
        for number in range(1, COMMITS + 1):
            asyncio.run(journal.commit(_commit(number, chance)))
            if number == COMMITS // 2:
                journal._cursor.execute("pragma wal_checkpoint(truncate)").fetchall()
        image = tmp_path_factory.mktemp("image") / "session"
        shutil.copytree(folder, image)
        with JournalReader(path) as reader:
            return Image(image, list(reader.read()))


def _commit(number: int, chance: random.Random) -> Commit:
    names = [f"task-{number}-{index}" for index in range(EVENTS)]
    events = [Stamped(float(number), TaskDone(name, chance.randbytes(200).hex())) for name in names]
    row = TaskRow(1, "task-1", "DONE", waiting=False, body=str(number).encode())
    return Commit(events, Rows(None, [row]), (), durable=number % 2 == 0)


def damaged(image: Image, file: str, damage: Damage, place: Path) -> Iterator[Path]:
    """A journal for each case, with this file of it damaged."""
    for seed in range(CASES):
        folder = place / str(seed)
        shutil.copytree(image.folder, folder)
        (folder / file).write_bytes(damage((folder / file).read_bytes(), random.Random(seed)))
        yield folder / "journal.db"
        shutil.rmtree(folder)


class Found(NamedTuple):
    events: list[EventRow]
    rows: list[bytes]
    """Each commit left its number there."""

    @property
    def commits(self) -> int:
        return len(self.events) // EVENTS


def read(path: Path) -> Found | None:
    """None if it is refused; the file is then named, and as it was."""
    before = path.read_bytes()
    try:
        with closing(SqliteJournal.open(path)):
            pass
        with JournalReader(path) as reader:
            events = list(reader.read())
            rows = [row.body for row in reader.task_rows()]
        for _, _, kind, version, body in events:
            decode(kind, version, body, str(path))
    except StorageFailed as refusal:
        require_clear(refusal, path)
        assert path.read_bytes() == before
        return None
    return Found(events, rows)


def require_clear(refusal: StorageFailed, path: Path) -> None:
    assert str(path) in refusal.message
    assert refusal.remedy


def is_beginning(found: Found, image: Image) -> bool:
    return found.events == image.events[: found.commits * EVENTS]


@pytest.mark.parametrize("damage", [cut, zero_the_rest, zero_some, scramble_some])
def test_a_damaged_log_ends_sooner_and_loses_nothing_before(
    killed: Image, tmp_path: Path, damage: Damage
) -> None:
    lengths = set()
    for path in damaged(killed, "journal.db-wal", damage, tmp_path):
        found = read(path)
        assert found is not None
        assert is_beginning(found, killed)
        assert found.rows == [str(found.commits).encode()]
        assert found.commits >= COMMITS // 2
        lengths.add(found.commits)
    assert len(lengths) > 5


@pytest.mark.parametrize("damage", [cut, zero_the_rest, zero_some, scramble_some])
def test_a_damaged_main_file_is_read_exactly_or_refused(
    killed: Image, tmp_path: Path, damage: Damage
) -> None:
    found = [read(path) for path in damaged(killed, "journal.db", damage, tmp_path)]
    assert all(is_beginning(journal, killed) for journal in found if journal)
    assert None in found


def test_shared_memory_full_of_garbage_does_not_matter(killed: Image, tmp_path: Path) -> None:
    for path in damaged(killed, "journal.db-shm", scramble_some, tmp_path):
        assert read(path) == Found(killed.events, [str(COMMITS).encode()])


def test_what_was_lost_is_not_written_over_by_the_next_leader_with_a_gap(
    killed: Image, tmp_path: Path
) -> None:
    for path in damaged(killed, "journal.db-wal", zero_some, tmp_path):
        with closing(SqliteJournal.open(path)) as journal:
            kept = journal.last_seq
            asyncio.run(journal.commit(_commit(99, random.Random(2))))
            assert [event.seq for event in journal.read()] == list(range(1, kept + EVENTS + 1))


@pytest.mark.parametrize(
    "change", ["delete from events where seq = 5", "update events set at = at + 1 where seq = 5"]
)
def test_without_our_own_checks_damage_would_be_taken_for_the_truth(
    killed: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """The control: SQLite alone sees nothing wrong."""
    path = next(damaged(killed, "journal.db-shm", cut, tmp_path))
    with closing(SqliteJournal.open(path)) as journal:
        journal._cursor.execute(change)
    assert read(path) is None
    monkeypatch.setattr(JournalReader, "read", lambda self: iter([row[:5] for row in self._page(0)]))
    found = read(path)
    assert found is not None
    assert not is_beginning(found, killed)


@pytest.mark.parametrize("damage", [cut, zero_the_rest, zero_some, scramble_some])
@pytest.mark.parametrize("file", ["inbox.db", "inbox.db-wal"])
def test_a_damaged_inbox_gives_what_was_put_in_order_or_is_refused(
    tmp_path: Path, damage: Damage, file: str
) -> None:
    folder = tmp_path / "put"
    folder.mkdir()
    SqliteInbox.create(folder / "inbox.db")
    reasons = [f"reason {number} {'x' * 500}" for number in range(20)]
    with SqliteInbox(folder / "inbox.db") as inbox:
        for reason in reasons:
            inbox.put(Cancel(reason))
        shutil.copytree(folder, tmp_path / "image")
    for path in damaged(Image(tmp_path / "image", []), file, damage, tmp_path):
        taken = take(path.with_name("inbox.db"))
        assert taken is None or taken == reasons[: len(taken)]


def take(path: Path) -> list[str] | None:
    try:
        with SqliteInbox.lead(path) as inbox:
            return [command.reason for _, command in inbox.take() if isinstance(command, Cancel)]
    except StorageFailed as refusal:
        require_clear(refusal, path)
        return None
