"""A leader that is stopped, loses its lease and wakes up changes nothing any more.

The kernel keeps the lease of a stopped leader, so that only a lock file which somebody removed lets another
one in. That is what happens here.
"""

import signal

import pytest
from tests.flows.support import HANG, Project, Running, run, touch, until, wait_for, write

from teamlead.journal.lease import NAME
from teamlead.journal.reader import JournalReader
from teamlead.sessions.replay import read_state
from teamlead.system import faults
from teamlead.system.sessions import SessionFolder


def stop(project: Project, leader: Running) -> None:
    """It keeps the lock it has, on a file that nobody finds any more."""
    leader.send(signal.SIGSTOP)
    until(leader.is_stopped, "the leader is stopped")
    (project.sessions[-1] / NAME).unlink()


def wake(leader: Running) -> None:
    leader.send(signal.SIGCONT)


def picture(project: Project) -> tuple[object, ...]:
    """Everything that a leader could change."""
    folder = project.root / ".teamlead" / "sessions" / project.session
    files = (path for path in folder.rglob("*") if path.is_file())
    projections = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return project.events(), project.refs(), project.users_things(), project.copies(), projections


def epoch(project: Project) -> int:
    with JournalReader(project.sessions[-1] / "journal.db") as reader:
        return reader.epoch()


def assert_gives_up(leader: Running, project: Project) -> None:
    ended = leader.end()
    assert ended.code == 5
    assert f"another leader has taken over session {project.session!r}; this one ends" in ended.err


def merges(project: Project) -> list[str]:
    log = project.git("log", "--first-parent", "--merges", "--format=%s", "main")
    return sorted(log.splitlines())


def test_its_agents_are_ended_and_their_late_results_count_for_nothing(project: Project) -> None:
    at_work, go_on = project.barrier("at work"), project.barrier("go on")
    project.task(1, [touch(at_work), wait_for(go_on), write("one.txt", "late\n")], [write("one.txt", "1\n")])
    leader = project.start_in_background("--jobs", "1", "--approve")
    until(at_work.exists, "the agent works")
    stop(project, leader)

    assert project.teamlead("resume").code == 0
    after = picture(project)
    go_on.touch()
    wake(leader)

    assert_gives_up(leader, project)
    project.require_nothing_runs()
    assert picture(project) == after
    assert project.outcomes(1) == ["lost", "accepted"]
    assert merges(project) == ["Merge task-1: Task number 1"]
    assert project.content("main", "one.txt") == "1"


STOPS = [
    "journal epoch: after#1",
    "git update-ref: before#1",
    "journal commit: after#1",
    "file copy.json: written#1",
    "lead's git directory: made#1",
    "attempt mark: after#1",
    "start python: after#1",
    "file result.json: before#1",
    "git update-ref: before#3",
    "git update-ref: before#5",
    "copy: its files are gone#1",
    "git merge: before#1",
    "journal commit: after#5",
]
"""Among them those between a look and the deed."""


@pytest.mark.parametrize("point", STOPS)
def test_wherever_it_was_stopped_nothing_of_it_lands(project: Project, point: str) -> None:
    project.task(1, [write("one.txt", "1\n")], checks=["true"])
    project.task(2, [run("cp one.txt two.txt")], after=[1], checks=["true"])
    project.environment[faults.VARIABLE] = f"stop {point}"
    leader = project.start_in_background("--jobs", "1", "--approve")
    until(leader.is_stopped, "the leader is stopped")
    del project.environment[faults.VARIABLE]
    (project.sessions[-1] / NAME).unlink()
    before = epoch(project)
    other = project.background("resume")
    until(lambda: epoch(project) > before or other.over, "the other one has come")
    wake(leader)

    assert_gives_up(leader, project)
    assert other.end().code == 0
    project.require_nothing_runs()
    assert sum(event["kind"] == "ApprovalApplied" for event in project.events()) == 1
    assert read_state(SessionFolder(project.sessions[-1])).phase == "DONE"
    assert merges(project) == ["Merge task-1: Task number 1", "Merge task-2: Task number 2"]
    assert project.content("main", "two.txt") == "1"
    assert project.copies() == []


def test_one_that_is_stopped_in_a_commit_is_named_to_the_newcomer(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")])
    project.environment[faults.VARIABLE] = "stop journal commit: before#2"
    leader = project.start_in_background("--jobs", "1")
    until(leader.is_stopped, "the leader is stopped")
    del project.environment[faults.VARIABLE]
    assert project.teamlead("status").code == 0
    (project.sessions[-1] / NAME).unlink()

    ended = project.teamlead("resume")

    assert ended.code == 1
    assert f"journal.db' is locked by process {leader.pid}\nit may be stopped: let it go on" in ended.err
    wake(leader)
    assert leader.end().code == 3


def test_it_notices_without_having_anything_to_write(project: Project) -> None:
    project.task(1, [touch(project.barrier("hangs")), {**HANG, "stubborn": True}])
    leader = project.start_in_background("--jobs", "1")
    until(project.barrier("hangs").exists, "the agent hangs")
    stop(project, leader)
    before = epoch(project)
    cancelling = project.background("cancel")
    # Woken any sooner it would carry out the command itself: until then it is the leader.
    until(lambda: epoch(project) > before or cancelling.over, "somebody else leads")
    wake(leader)

    assert cancelling.end().code == 0
    assert_gives_up(leader, project)
    project.require_nothing_runs()
    assert project.status()["session"]["state"] == "CANCELLED"
    assert project.outcomes(1) == ["stopped"]
