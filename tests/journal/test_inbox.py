import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from teamlead.core.facts import Cancel, CommandUnreadable, SkipTask
from teamlead.errors import Refused, StorageFailed
from teamlead.journal import codec
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.reader import JournalReader
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Outcome
from teamlead.system.environment import BELONGS_TO

CALLER = """
import sys
from pathlib import Path
from teamlead.core.facts import SkipTask
from teamlead.journal.inbox import SqliteInbox
path, name, many = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
sys.stdin.read()
for number in range(many):
    with SqliteInbox(path) as inbox:
        print(inbox.put(SkipTask(f"{name}-{number}", "by " + name)), flush=True)
"""


@pytest.fixture
def inbox_path(tmp_path: Path) -> Path:
    path = tmp_path / "inbox.db"
    SqliteInbox.create(path)
    return path


def test_sixteen_processes_at_once_lose_and_double_nothing_while_the_leader_reads(inbox_path: Path) -> None:
    callers, each = 16, 8
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", CALLER, str(inbox_path), f"caller{number}", str(each)],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
        )
        for number in range(callers)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None

    taken: dict[str, str] = {}
    with SqliteInbox.lead(inbox_path) as inbox:
        running = True
        while running or inbox.changed():
            running = any(process.poll() is None for process in processes)
            if inbox.changed():
                commands = inbox.take()
                for name, command in commands:
                    assert name not in taken
                    assert isinstance(command, SkipTask)
                    taken[name] = command.task
                inbox.drop([name for name, _ in commands])
        assert inbox.take() == []

    put: dict[str, str] = {}
    for number, process in enumerate(processes):
        output, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
        put |= {name: f"caller{number}-{index}" for index, name in enumerate(output.split())}
    assert len(put) == callers * each
    assert taken == put
    for number in range(callers):
        own = [task for task in taken.values() if task.startswith(f"caller{number}-")]
        assert own == [f"caller{number}-{index}" for index in range(each)]


def test_a_command_is_answered_once_although_its_leader_died_before_dropping_it(
    inbox_path: Path, path: Path, commit_of: Callable[..., Commit]
) -> None:
    with SqliteInbox(inbox_path) as caller:
        name = caller.put(Cancel("enough"))

    def lead(*, dies: bool) -> int:
        """One life of a leader: how many commands it applied."""
        journal = SqliteJournal.open(path)
        with SqliteInbox.lead(inbox_path) as inbox:
            new = [command for command, _ in inbox.take() if not journal.has_outcome(command)]
            outcomes = [Outcome(command, accepted=True, message="") for command in new]
            asyncio.run(journal.commit(commit_of(*new, outcomes=outcomes)))
            if not dies:
                inbox.drop([command for command, _ in inbox.take()])
        journal.close()
        return len(new)

    assert [lead(dies=True), lead(dies=False), lead(dies=False)] == [1, 0, 0]
    with JournalReader(path) as reader, SqliteInbox(inbox_path) as inbox:
        assert reader.last_seq() == 1
        assert reader.outcome(name) is not None
        assert inbox.take() == []


def test_a_caller_that_holds_the_file_does_not_hold_up_the_leader(inbox_path: Path) -> None:
    with SqliteInbox.lead(inbox_path) as leader, SqliteInbox(inbox_path) as caller:
        first = caller.put(Cancel("one"))
        stopped = apsw.Connection(str(inbox_path))
        stopped.execute("begin immediate")
        assert [name for name, _ in leader.take()] == [first]
        leader.drop([first])
        assert leader.take() == []
        stopped.execute("rollback")
        stopped.close()
        leader.drop([])
        assert caller.take() == []


def test_a_leader_is_not_asked_what_it_cannot_read(inbox_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteInbox.lead(inbox_path) as old_leader, SqliteInbox(inbox_path) as caller:
        monkeypatch.setattr(codec, "PROTOCOL", codec.PROTOCOL + 1)
        with pytest.raises(Refused, match="runs an older teamlead; nothing was written"):
            caller.put(Cancel("enough"))
        assert old_leader.take() == []
        with SqliteInbox.lead(inbox_path) as new_leader:
            name = caller.put(Cancel("enough"))
            assert [waiting for waiting, _ in new_leader.take()] == [name]


def test_a_command_waits_for_a_leader_that_is_not_there_yet(inbox_path: Path) -> None:
    with SqliteInbox(inbox_path) as caller:
        name = caller.put(Cancel("enough"))
    with SqliteInbox.lead(inbox_path) as leader:
        assert list(leader.take()) == [(name, Cancel("enough"))]


def test_a_missing_inbox_is_not_made_up(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match=r"there is no inbox at .*inbox\.db"):
        SqliteInbox(tmp_path / "inbox.db")
    assert list(tmp_path.iterdir()) == []


NESTED = """cast(replace(hex(zeroblob(50000)), '00', '{"a":') as blob)"""


@pytest.mark.parametrize("name", ["'a'", "cast(x'ff41' as text)"])
@pytest.mark.parametrize("body", ["x'00'", "x'7b22'", """cast('{"command":"Unheard"}' as blob)""", NESTED])
def test_a_command_that_cannot_be_read_is_set_aside_and_keeps_nobody_from_the_others(
    inbox_path: Path, name: str, body: str
) -> None:
    with SqliteInbox.lead(inbox_path) as leader, SqliteInbox(inbox_path) as caller:
        before = caller.put(Cancel("one"))
        rows = damaged(inbox_path, name, body)
        after = caller.put(Cancel("two"))
        taken = dict(leader.take())
        assert (taken.pop(before), taken.pop(after)) == (Cancel("one"), Cancel("two"))
        ((unread, said),) = taken.items()
        assert isinstance(said, CommandUnreadable)
        assert str(inbox_path) in said.problem
        leader.drop([before, unread, after])
        assert leader.take() == caller.take() == []
    connection = apsw.Connection(str(inbox_path))
    kept = connection.execute("select number, hex(id), hex(body) from set_aside").fetchall()
    connection.close()
    assert kept == rows
    assert len(kept) == 1


def damaged(inbox_path: Path, name: str, body: str) -> list[tuple[Any, ...]]:
    """Puts such a row there; returns it."""
    connection = apsw.Connection(str(inbox_path))
    try:
        connection.execute(f"insert into commands(id, body) values ({name}, {body})")
        return connection.execute(
            "select number, hex(id), hex(body) from commands where number = last_insert_rowid()"
        ).fetchall()
    finally:
        connection.close()


def test_nothing_is_put_by_what_a_team_has_started_in_the_state_directory_of_its_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    folder = state / "repository" / "sessions" / "one"
    folder.mkdir(parents=True)
    SqliteInbox.create(folder / "inbox.db")
    link = tmp_path / "link.db"
    link.symlink_to(folder / "inbox.db")
    monkeypatch.setenv(BELONGS_TO, str(state))
    for path in (folder / "inbox.db", link):
        with SqliteInbox(path) as inbox:
            with pytest.raises(Refused, match="only a person decides this"):
                inbox.put(Cancel(""))
            assert inbox.take() == []
    monkeypatch.setenv(BELONGS_TO, str(tmp_path))
    with SqliteInbox(folder / "inbox.db") as inbox:
        inbox.put(Cancel(""))
