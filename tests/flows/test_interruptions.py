"""Whatever ends a leader, the session goes on from where it was, and nothing is done twice."""

import os
import signal

import pytest
from tests.flows.support import HANG, Project, Running, ask, run, touch, until, wait_for, write

ONE = write("one.txt", "1\n")
THREE = write("three.txt", "3\n")


def agents(project: Project) -> list[int]:
    """Without those who hold their rooms."""
    commands = project.processes().items()
    return [
        pid for pid, command in commands if "teamlead.testing.agent" in command and "--unshare" not in command
    ]


def attempts(project: Project) -> list[int]:
    return [task["attempts_total"] for task in project.tasks()]


def start_until(project: Project, name: str, *options: str) -> Running:
    leader = project.start_in_background("--jobs", "1", *options)
    until(lambda: project.barrier(name).exists() or leader.over, f"an agent is at {name!r}")
    assert not leader.over, leader.err
    return leader


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_lets_agents_finish_and_starts_nothing_more(
    project: Project, number: signal.Signals
) -> None:
    project.settings("retry_delay = 0\ngrace = 60\n")
    at_work, go_on = project.barrier("at work"), project.barrier("go on")
    project.task(1, [ONE])
    project.task(2, [touch(at_work), wait_for(go_on), write("two.txt", "2\n")], after=[1])
    project.task(3, [THREE], after=[2])
    before = project.users_things()
    leader = start_until(project, "at work")

    project.interrupt(leader, number)
    go_on.touch()

    ended = leader.end()
    assert ended.code == 130
    assert f"Go on with: teamlead resume {project.session}" in ended.out
    assert project.states() == {"task-1": "DONE", "task-2": "DONE", "task-3": "READY"}
    project.require_nothing_runs()
    assert project.status()["session"]["waiting"][-1]["next"] == f"teamlead resume {project.session}"

    assert project.teamlead("resume").code == 3
    assert attempts(project) == [1, 1, 1]
    assert {"one.txt", "two.txt", "three.txt"} <= set(project.files(project.integration))
    assert project.users_things() == before
    assert project.copies() == []


def test_agents_that_do_not_finish_within_the_grace_are_ended_and_start_again(project: Project) -> None:
    project.settings("retry_delay = 0\ngrace = 0.2\n")
    project.task(1, [touch(project.barrier("hangs")), write("half.txt", "half\n"), HANG], [ONE])
    leader = start_until(project, "hangs")

    project.interrupt(leader)

    assert leader.end().code == 130
    project.require_nothing_runs()
    assert project.outcomes(1) == ["interrupted"]
    assert project.teamlead("resume").code == 3
    assert project.outcomes(1) == ["interrupted", "accepted"]
    assert {"one.txt", "half.txt"} <= set(project.files(project.integration))


def test_a_second_interrupt_ends_everything_now_and_loses_nothing(project: Project) -> None:
    project.settings("retry_delay = 0\ngrace = 600\n")
    project.task(1, [ONE])
    project.task(
        2,
        [write("half.txt", "half\n"), touch(project.barrier("hangs")), {**HANG, "stubborn": True}],
        [run("test -f half.txt"), write("two.txt", "2\n")],
        after=[1],
    )
    leader = start_until(project, "hangs")

    project.interrupt(leader)
    assert not leader.over
    leader.send(signal.SIGINT)

    assert leader.end().code == 130
    project.require_nothing_runs()
    assert project.outcomes(2) == ["interrupted"]
    assert project.teamlead("resume").code == 3
    assert attempts(project) == [1, 2]
    assert {"one.txt", "two.txt", "half.txt"} <= set(project.files(project.integration))
    assert project.copies() == []


def test_an_interrupt_does_not_count_as_a_failure_of_the_task(project: Project) -> None:
    project.settings("retry_delay = 0\ngrace = 0\nattempts = 1\n")
    project.task(1, [touch(project.barrier("hangs")), HANG], [ONE])
    leader = start_until(project, "hangs")
    project.interrupt(leader)
    assert leader.end().code == 130

    assert project.teamlead("resume").code == 3

    assert project.states() == {"task-1": "DONE"}


def test_after_the_death_of_a_leader_its_agents_are_ended_and_their_work_is_kept(project: Project) -> None:
    project.task(1, [ONE])
    project.task(
        2,
        [write("half.txt", "half\n"), touch(project.barrier("hangs")), {**HANG, "stubborn": True}],
        [run("test -f half.txt"), write("two.txt", "2\n")],
        after=[1],
    )
    project.task(3, [THREE], after=[2])
    before = project.users_things()
    leader = start_until(project, "hangs")
    (orphan,) = agents(project)

    leader.send(signal.SIGKILL)

    assert leader.end().code == -signal.SIGKILL
    until(lambda: not agents(project), "the warden has ended what its leader left")
    status = project.status()
    assert status["session"]["led"] is False
    assert status["session"]["waiting"][0]["reason"] == "its leader ended without a word"
    assert status["session"]["waiting"][0]["next"] == f"teamlead resume {project.session}"

    assert project.teamlead("resume").code == 3
    assert orphan not in project.processes()
    assert project.outcomes(1) == ["accepted"]
    assert project.outcomes(2) == ["lost", "accepted"]
    assert project.outcomes(3) == ["accepted"]
    assert {"one.txt", "two.txt", "half.txt", "three.txt"} <= set(project.files(project.integration))
    assert project.git("log", "--format=%s", f"main..{project.integration}").count("Merge task-1") == 1
    assert project.users_things() == before
    assert project.copies() == []


@pytest.mark.parametrize(
    "kind", ["SessionOpened", "CopyPrepared", "RunEnded", "WorkCollected", "WorkIntegrated"]
)
def test_a_leader_may_die_after_any_step_and_nothing_is_done_twice(project: Project, kind: str) -> None:
    project.task(1, [ONE], checks=["sleep 0.2"])
    project.task(2, [run("cp one.txt two.txt")], after=[1])
    leader = project.start_in_background("--jobs", "1")
    until(lambda: project.happened(kind) or leader.over, f"{kind} is in the journal")
    leader.send(signal.SIGKILL).end()

    assert project.teamlead("resume").code == 3

    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}
    for number in (1, 2):
        assert project.outcomes(number)[-1] == "accepted"
        assert set(project.outcomes(number)[:-1]) <= {"lost"}
        merges = project.git("log", "--first-parent", "--format=%s", f"main..{project.integration}")
        assert merges.count(f"Merge task-{number}:") == 1
    assert project.content(project.integration, "two.txt") == "1"
    assert project.copies() == []


def test_a_session_that_has_ended_cannot_be_resumed(project: Project) -> None:
    project.task(1, [ONE])
    assert project.start("--approve").code == 0

    refused = project.teamlead("resume")

    assert refused.code == 5
    assert f"session {project.session} has ended (DONE" in refused.err


def test_a_second_leader_is_refused_and_told_who_leads(project: Project) -> None:
    project.task(1, [ask("Well?")], [ONE])
    leader = project.start_in_background("--wait")
    until(lambda: project.happened("EscalationRaised"), "the question is asked")

    refused = project.teamlead("resume")

    assert refused.code == 5
    assert f"session {project.session!r} is led by process {leader.pid} on " in refused.err
    assert not leader.over
    assert f"process {leader.pid}" in project.teamlead("status").out
    leader.send(signal.SIGINT)
    assert leader.end().code == 130


def test_cancelling_a_running_session_now_ends_its_agents_and_keeps_their_work(project: Project) -> None:
    project.settings("grace = 0.2\n")
    project.task(1, [ONE])
    hang = {**HANG, "stubborn": True}
    project.task(2, [write("half.txt", "half\n"), touch(project.barrier("hangs")), hang], after=[1])
    project.task(3, [THREE], after=[2])
    before = project.users_things()
    leader = start_until(project, "hangs")
    (agent,) = agents(project)

    ended = project.teamlead("cancel", "--now", "--reason", "wrong plan")

    assert (ended.code, ended.out) == (0, f"session {project.session} is cancelled\n")
    assert leader.end().code == 1
    assert agent not in project.processes()
    status = project.status()
    assert (status["session"]["state"], status["session"]["phase_reason"]) == ("CANCELLED", "wrong plan")
    assert project.states() == {"task-1": "DONE", "task-2": "CANCELLED", "task-3": "CANCELLED"}
    assert project.outcomes(2) == ["stopped"]
    kept = project.details_of(2)["kept"]
    assert kept == f"refs/teamlead/kept/{project.session}/task-2/1"
    assert project.content(kept, "half.txt") == "half"
    assert project.copies() == []
    assert project.content(project.integration, "one.txt") == "1"
    assert project.users_things() == before
    again = project.teamlead("cancel")
    assert (again.code, "has ended (CANCELLED: " in again.err) == (5, True)


def test_cancelling_a_session_that_nobody_leads_needs_no_leader(project: Project) -> None:
    project.task(1, [ask("Well?")])
    project.task(2, [ONE], after=[1])
    before = project.users_things()
    assert project.start().code == 3

    assert project.teamlead("cancel").code == 0

    status = project.status()
    assert status["session"]["state"] == "CANCELLED"
    assert status["session"]["waiting"] == []
    assert project.states() == {"task-1": "CANCELLED", "task-2": "CANCELLED"}
    (record,) = project.teamlead("escalations", "--all", "--json").json["questions"]
    assert record["state"] == "withdrawn"
    assert project.teamlead("resume").code == 5
    assert project.users_things() == before
    assert project.copies() == []
    project.require_nothing_runs()


def test_cancelling_after_the_death_of_a_leader_ends_what_it_left_running(project: Project) -> None:
    project.task(1, [touch(project.barrier("hangs")), {**HANG, "stubborn": True}])
    leader = start_until(project, "hangs")
    (orphan,) = agents(project)
    leader.send(signal.SIGKILL).end()

    assert project.teamlead("cancel").code == 0

    assert orphan not in project.processes()
    assert project.status()["session"]["state"] == "CANCELLED"
    assert project.outcomes(1) == ["stopped"]


def test_a_leader_that_is_only_stopped_is_not_replaced(project: Project) -> None:
    project.task(1, [ask("Well?")], [ONE])
    leader = project.start_in_background("--wait")
    until(lambda: project.happened("EscalationRaised"), "the question is asked")
    leader.send(signal.SIGSTOP)

    refused = project.teamlead("resume")
    answer = project.background("resolve", "--resolution", "yes")
    os.kill(leader.pid, signal.SIGCONT)

    assert refused.code == 5
    assert answer.end().code == 0
    until(lambda: project.happened("TaskDone"), "the answer is used")
    leader.send(signal.SIGINT)
    assert leader.end().code == 130
