import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from tests.sessions.support import Clock, desk, opened

from teamlead.core.facts import Cancel, CopyReleased, LeaderArrived, SkipTask
from teamlead.errors import Failed, LeaseHeld, NotFound, Refused, StaleLeader
from teamlead.journal.lease import Lease, acquire
from teamlead.journal.reader import JournalReader
from teamlead.ports.leadership import APPLYING
from teamlead.sessions import opening
from teamlead.sessions.leader import leader_of
from teamlead.sessions.replay import read_state, recorded_events
from teamlead.sessions.view_reader import ViewReader
from teamlead.settings import consent
from teamlead.settings.loading import Settings, load
from teamlead.settings.schema import BY_NAME
from teamlead.system.repository import Repository, claim
from teamlead.system.sessions import SessionFolder
from teamlead.wiring import leadership
from teamlead.wiring.leadership import COMMAND_WAITS, LEADER_WAITS, SessionLeadership, apply_waiting, lead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(leadership, "time", clock)
    return clock


@pytest.fixture
def folder(repository: Repository) -> SessionFolder:
    return opened(repository)


# Consent


def configured(repository: Repository, command: str) -> None:
    path = repository.root / ".teamlead" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"post_create = ['{command}']\n")


@pytest.fixture
def changed(repository: Repository, tmp_path: Path) -> tuple[Repository, SessionFolder]:
    """A session that was allowed to run a command, which the repository has changed since."""
    configured(repository, "touch ran")
    repository = claim(repository)
    consent.allow(repository.id, consent.asked(load(repository.root)))
    folder = opened(repository)
    configured(repository, f"touch {repository.root}/evil")
    # In a room it would not get there.
    user = tmp_path / "home/config/teamlead/config.toml"
    user.parent.mkdir(parents=True)
    user.write_text("room = false\n")
    return repository, folder


def test_commands_that_changed_since_they_were_allowed_are_not_run(
    changed: tuple[Repository, SessionFolder],
) -> None:
    repository, folder = changed
    before = read_state(folder).seq
    with pytest.raises(Refused, match="/evil"):
        lead(desk(repository, folder), "teamlead")
    assert read_state(folder).seq == before
    assert leader_of(folder) is None
    assert not (repository.root / "evil").exists()


def test_resume_is_refused_while_the_changed_commands_are_not_allowed(
    changed: tuple[Repository, SessionFolder],
) -> None:
    repository, folder = changed
    command = [sys.executable, "-m", "teamlead", "resume", folder.id]
    ended = subprocess.run(command, cwd=repository.root, capture_output=True, text=True, check=False)
    assert ended.returncode == 5, ended.stderr
    assert "/evil" in ended.stderr
    assert "teamlead config allow" in ended.stderr
    assert read_state(folder).tasks["task-1"].attempts == []
    assert not (repository.root / "evil").exists()


def test_what_is_allowed_again_is_led(changed: tuple[Repository, SessionFolder]) -> None:
    repository, folder = changed
    consent.allow(repository.id, consent.asked(load(repository.root)))
    led = lead(desk(repository, folder), "teamlead")
    assert (led.end, led.warning) == ("waiting", "")
    assert led.state.tasks["task-1"].state == "DONE"
    assert (repository.root / "evil").exists()


def test_a_command_is_applied_whatever_the_repository_wants_to_run(
    changed: tuple[Repository, SessionFolder],
) -> None:
    repository, folder = changed
    apply_waiting(desk(repository, folder))
    assert read_state(folder).tasks["task-1"].attempts == []
    assert not (repository.root / "evil").exists()


class Watched(Settings):
    """Notes which of its settings are looked at."""

    __slots__ = ()
    seen: ClassVar[set[str]] = set()

    def __getattribute__(self, name: str) -> object:
        Watched.seen.add(name)
        return super().__getattribute__(name)


def test_a_leader_looks_only_at_settings_for_which_it_requires_consent(
    repository: Repository, folder: SessionFolder
) -> None:
    """What is fixed when a session starts is not asked for again."""
    given = desk(repository, folder).settings
    assert given is not None
    watched = Watched(**{field.name: getattr(given, field.name) for field in fields(Settings)})
    Watched.seen.clear()

    assert lead(desk(repository, folder)._replace(settings=watched), "teamlead").end == "waiting"

    seen = BY_NAME.keys() & Watched.seen
    assert {"radar", "post_create", "check_network"} <= seen
    assert not [name for name in seen if BY_NAME[name].fixed]


# The lease


@pytest.fixture
def applying(folder: SessionFolder) -> Iterator[Lease]:
    """A command that is just being applied."""
    with acquire(folder.path, APPLYING) as lease:
        yield lease


def test_a_leader_waits_for_a_command_that_is_just_being_applied(
    clock: Clock, folder: SessionFolder, applying: Lease
) -> None:
    clock.on_sleep = applying.release
    with leadership._lease(folder, "teamlead", patient=True) as lease:
        assert lease.holder.command == "teamlead"
        assert lease.holder.pid == os.getpid()
    assert clock.slept > 0


def test_a_leader_does_not_wait_for_ever(clock: Clock, folder: SessionFolder, applying: Lease) -> None:
    with pytest.raises(LeaseHeld, match="applying a command"):
        leadership._lease(folder, "teamlead", patient=True)
    assert LEADER_WAITS < clock.slept < 2 * LEADER_WAITS


def test_a_command_does_not_wait_for_another_one(
    clock: Clock, folder: SessionFolder, applying: Lease
) -> None:
    with pytest.raises(LeaseHeld):
        leadership._lease(folder, APPLYING, patient=False)
    assert clock.slept == 0


@pytest.mark.parametrize("patient", [True, False])
def test_nobody_waits_for_another_leader(clock: Clock, folder: SessionFolder, patient: bool) -> None:
    with acquire(folder.path, "teamlead"), pytest.raises(LeaseHeld, match=r"\(teamlead\)"):
        leadership._lease(folder, "teamlead", patient=patient)
    assert clock.slept == 0


def test_a_second_leader_is_refused_and_changes_nothing(
    repository: Repository, folder: SessionFolder
) -> None:
    before = read_state(folder).seq
    with acquire(folder.path, "teamlead"), pytest.raises(LeaseHeld):
        lead(desk(repository, folder), "teamlead")
    assert read_state(folder).seq == before


# Commands


def test_a_command_is_applied_at_once_where_nobody_leads(
    repository: Repository, folder: SessionFolder
) -> None:
    SessionLeadership(desk(repository, folder)).submit(Cancel("enough"))
    state = read_state(folder)
    assert state.phase == "CANCELLED"
    assert (state.tasks["task-1"].attempts, state.leader) == ([], "")
    assert leader_of(folder) is None


def test_who_submits_a_command_gets_its_refusal(repository: Repository, folder: SessionFolder) -> None:
    with pytest.raises(NotFound, match="task-9"):
        SessionLeadership(desk(repository, folder)).submit(SkipTask("task-9", "not needed"))
    SessionLeadership(desk(repository, folder)).submit(Cancel("enough"))
    with pytest.raises(Refused, match="CANCELLED"):
        SessionLeadership(desk(repository, folder)).submit(Cancel("again"))


def test_a_command_to_a_leader_that_does_not_answer_is_kept_for_it(
    clock: Clock, repository: Repository, folder: SessionFolder
) -> None:
    told: list[str] = []
    with acquire(folder.path, "teamlead"), pytest.raises(Failed, match="does not answer") as caught:
        SessionLeadership(desk(repository, folder), told.append).submit(Cancel("enough"))
    assert COMMAND_WAITS < clock.slept < 2 * COMMAND_WAITS
    assert [line for line in told if "(teamlead)" in line] == told != []
    assert "is in its inbox" in caught.value.remedy
    assert read_state(folder).phase != "CANCELLED"
    # Whoever leads next applies it.
    apply_waiting(desk(repository, folder))
    assert read_state(folder).phase == "CANCELLED"


# What is done without a leader's loop


def test_who_leads_for_a_moment_is_told_to_others(repository: Repository, folder: SessionFolder) -> None:
    ours = SessionLeadership(desk(repository, folder))
    with ours.lead("teamlead clean"), pytest.raises(LeaseHeld, match=r"\(teamlead clean\)"), ours.lead():
        pass
    assert leader_of(folder) is None


def test_what_is_recorded_without_a_leader_goes_the_way_of_all_facts(
    repository: Repository, folder: SessionFolder
) -> None:
    ours = SessionLeadership(desk(repository, folder))
    with ours.lead() as term, term.journal() as journal:
        journal.record(LeaderArrived(journal.epoch.number, "one that is killed"))
    assert read_state(folder).leader
    with ours.lead() as term, term.journal() as journal:
        journal.record(CopyReleased("task-1", "", "/gone"))
    # Nothing is started for the dead one, and the rows tell what the events tell.
    state = read_state(folder)
    assert state.leader == ""
    with ViewReader(folder.journal) as reader:
        assert reader.session()["seq"] == state.seq


def test_an_earlier_term_writes_nothing_any_more(repository: Repository, folder: SessionFolder) -> None:
    ours = SessionLeadership(desk(repository, folder))
    with ours.lead() as term, term.journal() as first, term.journal() as second:
        with pytest.raises(StaleLeader):
            first.record(LeaderArrived(1, "the first"))
        second.record(LeaderArrived(2, "the second"))
    assert read_state(folder).leader == "the second"


# Time


def test_the_journals_moments_do_not_go_back_with_the_clock(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = time.time() + 30 * 86400
    monkeypatch.setattr(opening, "time", SimpleNamespace(time=lambda: ahead))
    folder = opened(repository)
    assert lead(desk(repository, folder), "teamlead").end == "waiting"
    with JournalReader(folder.journal) as reader:
        moments = [recorded.at for recorded in recorded_events(reader)]
    assert moments[0] == ahead
    assert moments == sorted(moments)
