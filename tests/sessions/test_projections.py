"""Readable files beside the user's code: up to date now and then, and never in the way of the work."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.core.support import World, session, task
from tests.sessions.support import Clock

from teamlead.core import effects as do
from teamlead.core.events import Recorded
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Observer
from teamlead.errors import Refused
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Rows, Stamped
from teamlead.sessions import projections
from teamlead.sessions.projections import OFTEN, SHARE, Projections
from teamlead.system.repository import Repository


class Session:
    """A session at work, with its journal and its files."""

    def __init__(self, repository: Repository, journal: SqliteJournal) -> None:
        self.folder = repository.root / ".teamlead" / "sessions" / "s-1"
        self.world = World(session(task(1, checks=("make",)), task(2, 1)))
        self.repository = repository
        self._journal = journal
        self._committed = 0

    def commit(self) -> list[Recorded]:
        """What has happened since the last commit."""
        fresh = [Stamped(at, event) for at, event in self.world.log[self._committed :]]
        transaction = self._journal._prepare(Commit(fresh, Rows(), (), durable=True))
        self._journal._write((transaction,))
        first = self._committed + 1
        self._committed = len(self.world.log)
        return [Recorded(seq, at, event) for seq, (at, event) in enumerate(fresh, first)]

    def goes_on(self) -> list[Recorded]:
        due = next(iter(self.world.state.due.values()))
        self.world.answer(due)
        return self.commit()

    def projections(self) -> Projections:
        return Projections(self.repository, self._journal, self.world.state)

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()

    @property
    def version(self) -> int:
        """The last event that session.json knows of."""
        return int(json.loads(self.read("session.json"))["version"])

    @property
    def events(self) -> list[int]:
        return [json.loads(line)["seq"] for line in self.read("events.ndjson").splitlines()]

    @property
    def all_events(self) -> list[int]:
        return list(range(1, self._committed + 1))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(projections, "time", clock)
    return clock


@pytest.fixture
def at_work(repository: Repository, tmp_path: Path) -> Iterator[Session]:
    path = tmp_path / "journal.db"
    SqliteJournal.create(path)
    journal = SqliteJournal.open(path)
    found = Session(repository, journal)
    found.commit()
    yield found
    journal.close()


def tell(observer: Observer, at_work: Session) -> None:
    observer(at_work.goes_on(), at_work.world.state)


def in_the_way(folder: Path) -> None:
    """No mode keeps an administrator from writing; a file in place of a folder does."""
    folder.parent.parent.mkdir(exist_ok=True)
    folder.parent.write_text("in the way")


def test_the_files_are_written_while_the_session_runs(clock: Clock, at_work: Session) -> None:
    with at_work.projections() as files:
        tell(files.following(None), at_work)
        assert at_work.events == at_work.all_events
        assert at_work.version == at_work.world.state.seq
        assert at_work.read("report.md").startswith("# A plan\n")
        assert files.problem == ""


def test_the_files_are_written_at_the_end_whatever_the_time(clock: Clock, at_work: Session) -> None:
    with at_work.projections() as files:
        observer = files.following(None)
        tell(observer, at_work)
        tell(observer, at_work)
        assert at_work.version < at_work.world.state.seq
    assert at_work.version == at_work.world.state.seq
    assert at_work.events == at_work.all_events
    assert sorted(path.name for path in at_work.folder.iterdir()) == [
        "approvals",
        "events.ndjson",
        "findings",
        "report.md",
        "session.json",
        "tickets",
    ]


def test_each_task_has_a_ticket_that_is_written_again_when_it_says_something_else(
    clock: Clock, at_work: Session
) -> None:
    with at_work.projections() as files:
        observer = files.following(None)
        tell(observer, at_work)
        assert sorted(path.name for path in (at_work.folder / "tickets").iterdir()) == [
            "task-1.json",
            "task-2.json",
        ]
        second = json.loads(at_work.read("tickets/task-2.json"))
        assert (second["state"], second["blocked_by"]) == ("READY", ["task-1"])
        first = at_work.read("tickets/task-1.json")
        while at_work.world.state.tasks["task-1"].state == "RUNNING":
            at_work.goes_on()
        clock.now += OFTEN
    assert at_work.read("tickets/task-1.json") != first
    assert json.loads(at_work.read("tickets/task-1.json"))["state"] == "DONE"


def test_tickets_of_a_leader_before_are_left_alone_where_nothing_has_happened_since(
    clock: Clock, at_work: Session
) -> None:
    with at_work.projections() as files:
        tell(files.following(None), at_work)
    ticket = at_work.folder / "tickets" / "task-2.json"
    ticket.write_text("untouched")
    (at_work.folder / "tickets" / "task-1.json").unlink()
    with at_work.projections():
        pass
    assert ticket.read_text() == "untouched"
    assert json.loads(at_work.read("tickets/task-1.json"))["id"] == "task-1"

    at_work.goes_on()
    with at_work.projections():
        pass
    assert json.loads(ticket.read_text())["id"] == "task-2"


def test_the_files_are_not_written_more_often_than_need_be(clock: Clock, at_work: Session) -> None:
    with at_work.projections() as files:
        observer = files.following(None)
        tell(observer, at_work)
        first = at_work.version
        clock.now += OFTEN - 0.01
        tell(observer, at_work)
        assert at_work.version == first
        clock.now += 0.01
        tell(observer, at_work)
        assert at_work.version == at_work.world.state.seq > first


def test_a_slow_disk_takes_a_small_share_of_the_leaders_time(clock: Clock, at_work: Session) -> None:
    with at_work.projections() as files:
        observer = files.following(None)
        clock.each_look = 2.0
        tell(observer, at_work)
        clock.each_look = 0.0
        first = at_work.version
        clock.now += SHARE * 2.0 - 0.01
        tell(observer, at_work)
        assert at_work.version == first
        clock.now += 0.01
        tell(observer, at_work)
        assert at_work.version > first


def test_everything_is_passed_on_also_where_nothing_is_written(clock: Clock, at_work: Session) -> None:
    seen: list[tuple[int, TeamState]] = []

    def observe(recorded: Any, state: TeamState) -> None:
        seen.extend((entry.seq, state) for entry in recorded)

    opened = at_work._committed
    with at_work.projections() as files:
        observer = files.following(observe)
        for _ in range(3):
            tell(observer, at_work)
    assert [seq for seq, _ in seen] == at_work.all_events[opened:]
    assert all(state is at_work.world.state for _, state in seen)


def test_a_folder_that_cannot_be_written_is_told_and_disturbs_nothing(clock: Clock, at_work: Session) -> None:
    seen: list[int] = []
    with at_work.projections() as files:
        in_the_way(at_work.folder)
        observer = files.following(lambda recorded, _: seen.extend(entry.seq for entry in recorded))
        tell(observer, at_work)
        assert repr(str(at_work.folder)) in files.problem
        assert "could not be written: " in files.problem
        problem = files.problem
        tell(observer, at_work)
    assert seen
    assert files.problem == problem
    assert at_work.folder.parent.read_text() == "in the way"


def test_a_folder_that_can_be_written_again_is_brought_up_to_date(clock: Clock, at_work: Session) -> None:
    with at_work.projections() as files:
        in_the_way(at_work.folder)
        observer = files.following(None)
        tell(observer, at_work)
        assert files.problem
        at_work.folder.parent.unlink()
        clock.now += SHARE - 0.01
        tell(observer, at_work)
        assert not at_work.folder.exists()
        clock.now += 0.01
        tell(observer, at_work)
        assert files.problem == ""
        assert at_work.events == at_work.all_events


@pytest.mark.parametrize("name", [".teamlead", ".teamlead/sessions", ".teamlead/sessions/s-1"])
def test_a_folder_that_is_a_link_is_refused_and_nothing_is_written_through_it(
    at_work: Session, tmp_path: Path, name: str
) -> None:
    elsewhere = linked(at_work, tmp_path, name)
    with pytest.raises(Refused, match=f"{name}' is a symbolic link to '{elsewhere}'"), at_work.projections():
        pass
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("name", [".teamlead", ".teamlead/sessions", ".teamlead/sessions/s-1"])
def test_a_folder_that_becomes_a_link_is_told_and_nothing_is_written_through_it(
    clock: Clock, at_work: Session, tmp_path: Path, name: str
) -> None:
    with at_work.projections() as files:
        elsewhere = linked(at_work, tmp_path, name)
        tell(files.following(None), at_work)
        assert f"{name}' is a symbolic link to '{elsewhere}'" in files.problem
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("name", ["events.ndjson", ".session.json.new", ".report.md.new"])
def test_a_file_that_is_a_link_is_not_written_through(
    clock: Clock, at_work: Session, tmp_path: Path, name: str
) -> None:
    users = tmp_path / "profile"
    users.write_text("the user's own\n")
    with at_work.projections() as files:
        at_work.folder.mkdir(parents=True)
        (at_work.folder / name).symlink_to(users)
        tell(files.following(None), at_work)
        assert "could not be written: Too many levels of symbolic links" in files.problem
    assert users.read_text() == "the user's own\n"


def linked(at_work: Session, tmp_path: Path, name: str) -> Path:
    """To an empty folder, which is returned."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = at_work.repository.root / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere)
    return elsewhere


def test_a_later_leader_continues_the_events_where_they_ended(clock: Clock, at_work: Session) -> None:
    with at_work.projections():
        pass
    marked = at_work.read("events.ndjson").replace('"seq":1,', '"seq":1, ')
    (at_work.folder / "events.ndjson").write_text(marked)
    at_work.goes_on()
    with at_work.projections():
        pass
    assert at_work.read("events.ndjson").startswith(marked)
    assert at_work.read("events.ndjson") != marked
    assert at_work.events == at_work.all_events


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-1],
        lambda text: text[:-20],
        lambda text: text + "not JSON\n",
        lambda text: text + '{"seq": 100000}\n',
        lambda text: text + '{"seq": -1}\n',
        lambda text: text + '{"seq": null}\n',
        lambda text: text + "{}\n",
        lambda text: text + "[]\n",
        lambda text: text + "\n",
        lambda _: "",
        lambda _: "\n",
    ],
    ids=["unended", "cut", "other", "ahead", "negative", "null", "no seq", "list", "blank", "empty", "line"],
)
def test_events_that_do_not_end_well_are_written_anew(clock: Clock, at_work: Session, damage: Any) -> None:
    with at_work.projections():
        pass
    (at_work.folder / "events.ndjson").write_text(damage(at_work.read("events.ndjson")))
    at_work.goes_on()
    with at_work.projections():
        pass
    assert at_work.events == at_work.all_events


def test_a_state_that_moved_on_is_what_the_files_tell(clock: Clock, at_work: Session) -> None:
    at_work.world.advance(1, do.Check)
    at_work.commit()
    with at_work.projections():
        pass
    document = json.loads(at_work.read("session.json"))
    assert document["activeTaskIds"] == ["task-1-1"]
    assert at_work.read("session.json").endswith("}\n")
