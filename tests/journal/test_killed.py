"""A leader that is killed with -9 loses nothing it was told is written, and leaves nothing half-done."""

import subprocess
import sys
from pathlib import Path

from teamlead.journal.reader import JournalReader
from teamlead.journal.writer import SqliteJournal

WRITER = str(Path(__file__).with_name("dying_writer.py"))
EVENTS = 3


def check(path: Path, acknowledged: int) -> int:
    """The last event's number, if the journal holds whole commits only, and all acknowledged ones."""
    with JournalReader(path) as reader:
        last = reader.last_seq()
        assert last >= acknowledged
        assert last % EVENTS == 0
        assert [event[0] for event in reader.read()] == list(range(1, last + 1))
        rows = [int(row.body) for row in reader.task_rows()]
        assert rows == ([last // EVENTS] if last else [])
    return last


def test_kills_at_any_time_lose_no_acknowledged_commit(path: Path) -> None:
    for life in range(1, 4):
        with subprocess.Popen(
            [sys.executable, WRITER, "endless", str(path)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            for _ in range(100 * life):
                line = process.stdout.readline()
            process.kill()
            lines = [line, *process.stdout.readlines()]
        acknowledged = int([line for line in lines if line.endswith(b"\n")][-1])
        assert acknowledged >= EVENTS * 100 * life
        check(path, acknowledged)
    journal = SqliteJournal.open(path)
    assert journal.epoch == 4
    assert journal.last_seq == sum(1 for _ in journal.read())
    journal.close()


def test_a_kill_in_the_middle_of_any_write_leaves_a_prefix_of_whole_commits(tmp_path: Path) -> None:
    subprocess.run([sys.executable, WRITER, "sweep", str(tmp_path)], check=True)
    found = []
    for path in sorted(tmp_path.glob("*.db"), key=lambda path: int(path.stem)):
        reports = path.with_suffix(".acknowledged").read_text().split()
        acknowledged = int(reports[-1]) if reports else 0
        last = check(path, acknowledged)
        assert last - acknowledged in (0, EVENTS)
        found.append(last)
        journal = SqliteJournal.open(path)
        assert len(list(journal.read())) == last
        journal.close()
    assert len(found) > 20
    assert found == sorted(found)
    assert {last // EVENTS for last in found} == {0, 1, 2, 3}
