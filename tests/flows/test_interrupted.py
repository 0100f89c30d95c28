"""Sessions whose leader ended before its work: they are told of, and nothing of theirs runs on."""

import asyncio
import os
import signal

import pytest
from tests.flows.support import HANG, Project, Running, ask, touch, until, write

from teamlead.core.facts import Approve, Cancel, Command
from teamlead.core.step import step
from teamlead.journal.lease import holder
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Stamped
from teamlead.sessions.replay import fold
from teamlead.views.rows import view_rows

ONE = write("one.txt", "1\n")
TWO = write("two.txt", "2\n")


def killed_at_work(project: Project) -> str:
    """The id of a session whose leader was killed while its agent worked."""
    project.task(1, [touch(project.barrier("hangs")), {**HANG, "stubborn": True}], [ONE])
    leader = project.start_in_background()
    until(lambda: project.barrier("hangs").exists() or leader.over, "the agent hangs")
    leader.send(signal.SIGKILL).end()
    return project.session


def cut_short(project: Project, command: Command) -> None:
    """Somebody's command reached the journal, and its process was killed before it did any more."""
    journal = SqliteJournal.open(project.sessions[-1] / "journal.db")
    state = fold(journal.read(), "the journal")
    state.touched.clear()
    turn = step(state, [command], state.updated_at + 1)
    assert not turn.refusals
    events = [Stamped(state.updated_at, event) for event in turn.events]
    asyncio.run(journal.commit(Commit(events, view_rows(state, list(state.touched)), (), durable=True)))
    journal.close()


def test_starting_another_session_tells_of_the_interrupted_one_and_ends_its_agents(project: Project) -> None:
    first = killed_at_work(project)
    project.new_plan().task(1, [TWO])

    started = project.start()

    assert started.code == 3
    assert (
        f"Interrupted: {first} (A plan for a test): its leader ended without a word."
        f" Go on with: teamlead resume {first}\n" in started.err
    )
    project.require_nothing_runs()
    assert project.teamlead("resume", first).code == 3
    assert project.content(f"teamlead/{first}/integration", "one.txt") == "1"
    assert [e["body"]["outcome"] for e in project.events(first) if e["kind"] == "AttemptEnded"] == [
        "lost",
        "accepted",
    ]


def test_status_and_list_say_that_a_session_is_interrupted_and_what_to_do(project: Project) -> None:
    name = killed_at_work(project)
    told = f"interrupted: its leader ended without a word; teamlead resume {name}"
    assert told in project.teamlead("status").out
    assert f"{name} is {told}" in project.teamlead("list").out
    assert project.status()["session"]["interrupted"] == "its leader ended without a word"
    (listed,) = project.teamlead("list", "--json").json["sessions"]
    assert listed["interrupted"] == "its leader ended without a word"
    assert project.teamlead("resume").code == 3
    assert "interrupted" not in project.teamlead("status").out + project.teamlead("list").out


def test_sessions_that_wait_for_a_person_or_have_ended_are_not_interrupted(project: Project) -> None:
    project.task(1, [ask("Well?")])
    assert project.start().code == 3
    project.new_plan().task(1, [ONE])
    assert project.start().code == 3
    project.new_plan().task(1, [TWO])
    started = project.start("--approve")
    assert started.code == 0
    assert "Interrupted" not in started.err
    assert "interrupted" not in project.teamlead("list").out


def test_a_session_that_is_led_is_left_alone(project: Project) -> None:
    project.task(1, [touch(project.barrier("hangs")), HANG])
    leader: Running = project.start_in_background()
    until(project.barrier("hangs").exists, "the agent hangs")
    project.new_plan().task(1, [TWO])

    started = project.start()

    assert started.code == 3
    assert "Interrupted" not in started.err
    assert not leader.over
    assert any("teamlead.testing.agent" in command for command in project.processes().values())


def test_a_cancellation_that_was_cut_short_is_finished_by_resume(project: Project) -> None:
    name = killed_at_work(project)
    cut_short(project, Cancel("wrong plan"))
    status = project.status()
    assert status["session"]["interrupted"]
    assert status["session"]["waiting"][0]["next"] == f"teamlead resume {name}"

    ended = project.teamlead("resume")

    assert ended.code == 0
    assert f"session {name} has ended (CANCELLED: wrong plan); what was left to do is done" in ended.out
    assert project.outcomes(1) == ["stopped"]
    assert project.copies() == []
    project.require_nothing_runs()
    assert project.status()["session"]["waiting"] == []
    assert project.teamlead("resume").code == 5


def test_an_approval_that_was_cut_short_is_finished_by_resume(project: Project) -> None:
    project.task(1, [ONE])
    assert project.start().code == 3
    before = project.tip("main")
    cut_short(project, Approve(project.tip(project.integration)))
    (waiting,) = project.status()["session"]["waiting"]
    assert (waiting["reason"], waiting["next"]) == (
        "its approval was cut short",
        f"teamlead resume {project.session}",
    )
    assert project.tip("main") == before

    assert project.teamlead("resume").code == 0

    assert project.content("main", "one.txt") == "1"
    assert project.happened("ApprovalApplied")


@pytest.mark.parametrize("option", ["--wait", "--detach"])
def test_a_leader_in_the_background_is_no_different(project: Project, option: str) -> None:
    project.task(1, [touch(project.barrier("hangs")), {**HANG, "stubborn": True}], [ONE])
    leader = project.start_in_background(option)
    until(project.barrier("hangs").exists, "the agent hangs")
    leads = holder(project.sessions[-1])
    assert leads is not None
    os.kill(leads.pid, signal.SIGKILL)
    leader.end()
    until(lambda: not project.processes(), "its agents are gone")
    assert project.status()["session"]["interrupted"] == "its leader ended without a word"
    assert project.teamlead("resume").code == 3
    assert project.outcomes(1) == ["lost", "accepted"]
