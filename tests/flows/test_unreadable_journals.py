"""A journal that cannot be used is named and left as it is; other sessions are not affected."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.flows.conftest import Prepared
from tests.flows.support import Project, write

COMMANDS = (
    *(["status"], ["watch"], ["report"], ["escalations"], ["resume"], ["approve"], ["reject"], ["cancel"]),
    ["resolve", "--escalation-id", "1", "--resolution", "yes"],
    ["diff", "--session"],
)


@pytest.fixture(scope="module")
def prepared(shared: Project) -> Prepared:
    shared.task(1, [write("a.txt", "a\n")])
    assert shared.start().code == 3
    shared.new_plan().task(1, [write("b.txt", "b\n")])
    assert shared.start().code == 3
    return Prepared(shared)


@pytest.fixture
def project(prepared: Prepared) -> Iterator[Project]:
    """With two sessions that wait for approval."""
    with prepared.again() as project:
        yield project


@pytest.fixture
def journal(project: Project) -> Path:
    """Of the latest."""
    return project.sessions[0].with_name(project.status()["session"]["id"]) / "journal.db"


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

    listed = project.teamlead("list", "--json").json
    assert [(view["id"], view["state"]) for view in listed["sessions"]] == [(other, "COMPLETED")]
    (unreadable,) = listed["unreadable"]
    assert unreadable["id"] == journal.parent.name
    assert str(journal) in unreadable["problem"]
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


@pytest.mark.parametrize(
    "damage",
    [
        "update view_task set state = 'READY', body = replace(body, 'DONE', 'READY')",
        "update view_task set state = 'READY'",
        "update view_task set body = x'00'",
        "delete from view_task",
        "update view_task set id = 'task-2'",
        "update view_session set body = replace(body, 'AWAITING_APPROVAL', 'EXECUTING')",
        "update view_session set body = x'7b7d'",
        "delete from view_session",
        "update view_task set seal = 1",
    ],
)
def test_a_damaged_view_is_noticed_and_told_from_the_events_until_a_leader_has_mended_it(
    project: Project, journal: Path, damage: str
) -> None:
    shown = project.status(), project.teamlead("status").out
    listed = project.teamlead("list", "--json").json
    with sqlite3.connect(journal) as connection:
        connection.create_function("replace", 3, replaced, deterministic=True)
        connection.execute(damage)
    connection.close()

    ended = project.teamlead("status", "--json")
    assert (ended.code, ended.json) == (0, shown[0])
    assert f"{str(journal)!r} is damaged: what `status` shows" in ended.err
    assert ended.err.count("what is shown here is told from its events") == 1
    assert project.teamlead("status").out == shown[1]
    assert project.teamlead("list", "--json").json == listed

    assert project.teamlead("resume").code == 3
    mended = project.teamlead("status", "--json")
    assert (mended.code, mended.err) == (0, "")
    assert mended.json["tasks"] == shown[0]["tasks"]
    assert project.teamlead("approve").code == 0


def replaced(body: bytes, old: str, new: str) -> bytes:
    assert old.encode() in body
    return body.replace(old.encode(), new.encode())


def test_a_row_of_the_inbox_that_cannot_be_read_is_set_aside_and_told_and_the_work_goes_on(
    project: Project, journal: Path
) -> None:
    inbox = journal.with_name("inbox.db")
    with sqlite3.connect(inbox) as connection:
        connection.execute("insert into commands(id, body) values ('damaged', x'00')")
    connection.close()

    approved = project.teamlead("approve")
    assert (approved.code, approved.err) == (0, "")
    assert "b.txt" in project.files("main")
    told = project.status()["session"]["warnings"]
    assert len(told) == 1
    assert f"{str(inbox)!r} is damaged: a command in it is not JSON" in told[0]
    assert "it is kept there, in the table 'set_aside'" in project.teamlead("status").out
    with sqlite3.connect(inbox) as connection:
        assert connection.execute("select id, body from set_aside").fetchall() == [(b"damaged", b"\0")]
        assert connection.execute("select count(*) from commands").fetchone() == (0,)
    connection.close()


def test_a_start_that_was_cut_off_before_its_journal_existed_is_no_session(
    project: Project, journal: Path
) -> None:
    stub = journal.parent.with_name("99991231-235959-zzzz")
    stub.mkdir()
    (stub / "inbox.db").write_bytes(b"")
    assert len(project.teamlead("list", "--json").json["sessions"]) == 2
    assert project.status()["session"]["id"] == journal.parent.name
