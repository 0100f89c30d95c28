"""Which session is meant, and which one is the latest: their journals know, whatever their ids say."""

import json
import os
from pathlib import Path

import pytest
from tests.sessions.support import PLAN

from teamlead.core.events import SessionOpened
from teamlead.core.model import SessionSpec
from teamlead.errors import NotFound, UsageError
from teamlead.journal.reader import JournalReader, opened_at
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Rows, Stamped
from teamlead.sessions import cleaning, finding
from teamlead.sessions.finding import all_sessions, find_planning, find_session
from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder, new_session_id, sessions_folder
from teamlead.views.moments import iso

NOON = 1_767_268_800.0
HOUR = 3600.0


def opened(repository: Repository, at: float, name: str = "") -> SessionFolder:
    """A session that was opened then, by its journal; its id says so, too, if no other name is given."""
    folder = SessionFolder(sessions_folder(repository) / (name or new_session_id(at)))
    folder.path.mkdir(parents=True)
    first = Stamped(at, SessionOpened(SessionSpec(folder.id, PLAN, "", "", "claude")))
    row = {"seq": 1, "phase": "DONE", "trespasses": [], "updated_at": iso(at)}
    SqliteJournal.create(
        folder.journal, Commit((first,), Rows(json.dumps(row).encode(), ()), (), durable=True)
    )
    return folder


def test_sessions_are_in_the_order_in_which_they_were_opened(repository: Repository) -> None:
    folders = [opened(repository, NOON + later) for later in (0.5, 0.0, 0.25, 2 * HOUR, HOUR)]
    wanted = [folders[n] for n in (3, 4, 0, 2, 1)]
    assert all_sessions(repository) == wanted
    assert find_session(repository, None) == wanted[0]


def test_a_folder_with_another_name_is_as_old_as_before(repository: Repository) -> None:
    latest = opened(repository, NOON + HOUR)
    first = opened(repository, NOON, new_session_id(NOON + 2 * HOUR))
    second = opened(repository, NOON + 1, "the-one-about-taxes")
    assert all_sessions(repository) == [latest, second, first]
    assert find_session(repository, None) == latest


def test_a_journal_that_was_written_since_is_looked_into_and_one_that_was_not_is_not(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    latest, earlier, written = (opened(repository, at) for at in (NOON, NOON - HOUR, NOON - 2 * HOUR))
    os.utime(earlier.journal, (NOON - HOUR, NOON - HOUR))
    looked: list[Path] = []

    def look(journal: Path) -> float | None:
        looked.append(journal)
        return opened_at(journal)

    monkeypatch.setattr(finding, "opened_at", look)
    assert find_session(repository, None) == latest
    assert set(looked) == {latest.journal, written.journal}


def test_an_id_from_before_the_clock_was_set_is_not_believed(repository: Repository) -> None:
    ahead = opened(repository, NOON, new_session_id(NOON + HOUR))
    right = opened(repository, NOON + 60)
    assert all_sessions(repository) == [right, ahead]


def test_a_planning_has_its_place_among_the_others(repository: Repository) -> None:
    before, planning = (
        opened(repository, NOON),
        opened(repository, NOON + 1, f"plan-{new_session_id(NOON + 1)}"),
    )
    after = opened(repository, NOON + 2)
    assert all_sessions(repository) == [after, planning, before]
    assert find_session(repository, None, plannings=False) == after
    assert find_planning(repository, planning.id[-4:]) == planning


def test_a_session_that_somebody_leads_is_among_them(repository: Repository) -> None:
    """Its last events may not be in the main file yet."""
    latest = opened(repository, NOON + HOUR, new_session_id(NOON))
    earlier = opened(repository, NOON)
    with JournalReader(latest.journal) as reader:
        assert reader.last_seq() == 1
        assert latest.journal.with_name("journal.db-wal").exists()
        assert all_sessions(repository) == [latest, earlier]


def test_one_whose_journal_cannot_be_read_is_where_its_id_says(repository: Repository) -> None:
    before, after = opened(repository, NOON), opened(repository, NOON + 2 * HOUR)
    broken = SessionFolder(sessions_folder(repository) / new_session_id(NOON + HOUR))
    broken.path.mkdir()
    broken.journal.write_bytes(b"no database")
    assert all_sessions(repository) == [after, broken, before]


def test_looking_leaves_no_file_behind(repository: Repository) -> None:
    folder = opened(repository, NOON)
    before = sorted(folder.path.iterdir())
    assert find_session(repository, None) == folder
    assert sorted(folder.path.iterdir()) == before


def test_of_all_sessions_those_stay_that_were_opened_last(repository: Repository) -> None:
    latest = opened(repository, NOON + HOUR)
    first = opened(repository, NOON, new_session_id(NOON + 2 * HOUR))
    found = {item.session: item.stays for item in cleaning.survey(repository, cleaning.Wishes(keep=1))}
    assert found == {latest.id: "it is one of the latest 1", first.id: ""}


def test_a_session_is_found_by_a_part_of_its_id_that_no_other_has(repository: Repository) -> None:
    one = opened(repository, NOON, "20260101-120000-abcd")
    two = opened(repository, NOON, "20260101-120000-wxyz")
    assert find_session(repository, "wxyz") == two
    assert find_session(repository, one.id) == one
    with pytest.raises(UsageError, match="could be any of 2 sessions"):
        find_session(repository, "20260101")
    with pytest.raises(NotFound, match="there is no session 'k3f9'"):
        find_session(repository, "k3f9")
    with pytest.raises(NotFound, match="there is no planner session 'k3f9'"):
        find_planning(repository, "k3f9")


def test_whoever_asks_a_planning_for_work_is_told_what_it_is_and_how_its_plan_is_carried_out(
    repository: Repository,
) -> None:
    planning = opened(repository, NOON, "plan-20260101-120000-abcd")
    told = (
        "'plan-20260101-120000-abcd' is a planning, .* `teamlead start --session plan-20260101-120000-abcd`"
    )
    assert find_session(repository, "abcd") == planning
    for name in ("abcd", planning.id, None):
        with pytest.raises(NotFound, match=told):
            find_session(repository, name, plannings=False)
    work = opened(repository, NOON, "20260101-120000-wxyz")
    assert find_session(repository, "20260101", plannings=False) == work
    with pytest.raises(NotFound, match="there is no session 'k3f9'"):
        find_session(repository, "k3f9", plannings=False)


def test_whoever_asks_a_session_for_its_planning_is_told_to_go_on_with_it(repository: Repository) -> None:
    work = opened(repository, NOON)
    with pytest.raises(NotFound, match=f"is no planning: .* teamlead resume {work.id}"):
        find_planning(repository, work.id)


def test_where_there_is_no_session_one_is_to_be_started(repository: Repository) -> None:
    with pytest.raises(NotFound, match="there is no session in this repository"):
        find_session(repository, None)
