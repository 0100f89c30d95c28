"""A journal that cannot be used is named and left as it is; other sessions are not affected."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.flows.support import Project, write

COMMANDS = (
    *(["status"], ["watch"], ["report"], ["escalations"], ["resume"], ["approve"], ["reject"], ["cancel"]),
    ["resolve", "--escalation-id", "1", "--resolution", "yes"],
    ["diff", "--session"],
)


@pytest.fixture
def journal(project: Project) -> Path:
    """Of the latest of two sessions that wait for approval."""
    project.task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3
    (first,) = project.sessions
    project.new_plan().task(1, [write("b.txt", "b\n")])
    assert project.start().code == 3
    (second,) = (path for path in project.sessions if path != first)
    return second / "journal.db"


def newer(journal: Path) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute("pragma user_version = 99")
    connection.close()


def garbage(journal: Path) -> None:
    journal.write_bytes(b"\xde\xad\xbe\xef" * 4096)


def emptied(journal: Path) -> None:
    journal.write_bytes(b"")


@pytest.mark.parametrize(
    ("damage", "word"),
    [(newer, "was written by a newer teamlead (format 99"), (garbage, "damaged"), (emptied, "is empty")],
)
def test_every_command_names_the_file_and_leaves_it_byte_for_byte(
    project: Project, journal: Path, damage: Callable[[Path], None], word: str
) -> None:
    damage(journal)
    before = journal.read_bytes()
    things = project.users_things()
    other = next(path.name for path in project.sessions if path != journal.parent)

    for command in COMMANDS:
        ended = project.teamlead(*command, journal.parent.name)
        assert ended.code == 1, (command, ended)
        assert str(journal) in ended.err
        assert word in ended.err
        assert "Traceback" not in ended.err
        assert journal.read_bytes() == before

    listed = project.teamlead("list", "--json").json["sessions"]
    assert [(view["id"], view["state"]) for view in listed] == [
        (journal.parent.name, "UNREADABLE"),
        (other, "COMPLETED"),
    ]
    assert str(journal) in listed[0]["error"]
    assert project.teamlead("list").code == 0
    assert project.users_things() == things
    assert project.teamlead("approve", other).code == 0


def test_an_event_of_a_newer_version_is_refused_and_kept(project: Project, journal: Path) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute("update events set version = 99 where seq = 2")
        before = connection.execute("select * from events").fetchall()
    connection.close()

    for command in ("watch", "report", "resume", "approve"):
        ended = project.teamlead(command)
        assert ended.code == 1, ended
        assert str(journal) in ended.err
        assert "newer teamlead" in ended.err

    with sqlite3.connect(journal) as connection:
        assert connection.execute("select * from events").fetchall() == before
    connection.close()


def test_a_journal_with_an_event_missing_is_called_damaged(project: Project, journal: Path) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute("delete from events where seq = 3")
    connection.close()

    for command in ("watch", "report", "resume"):
        ended = project.teamlead(command)
        assert ended.code == 1, ended
        assert f"{str(journal)!r} is damaged: event 3 is missing" in ended.err


def test_a_start_that_was_cut_off_before_its_journal_existed_is_no_session(
    project: Project, journal: Path
) -> None:
    stub = journal.parent.with_name("99991231-235959-zzzz")
    stub.mkdir()
    (stub / "inbox.db").write_bytes(b"")
    assert len(project.teamlead("list", "--json").json["sessions"]) == 2
    assert project.status()["session"]["id"] == journal.parent.name
