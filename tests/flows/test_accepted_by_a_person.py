"""A task of a plan says that the user accepts its work: nobody builds on it before."""

import signal

from tests.flows.support import Project, append, run, until, write

BY_YOU = ["Approved by: you"]


def spec_and_code(project: Project) -> Project:
    spec = [write("spec.txt", "one\n")]
    project.task(1, spec, [append("spec.txt", "two\n")], scope="spec.txt", fields=BY_YOU)
    return project.task(2, [run("cp spec.txt code.txt")], after=[1], scope="code.txt")


def test_nobody_builds_on_work_before_the_user_has_accepted_it(project: Project) -> None:
    spec_and_code(project)
    assert project.start().code == 3

    assert project.states() == {"task-1": "BLOCKED", "task-2": "READY"}
    (question,) = project.status()["session"]["questions"]
    assert question["kind"] == "decision"
    assert "spec.txt (+1 -0)" in question["text"]
    assert project.integration not in project.git("branch", "--list", "--all")

    assert project.resolve("approve").code == 0
    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert project.files(project.integration)["code.txt"] == "one"
    started = [e for e in project.events() if e["kind"] == "RunStarted"]
    assert started == []
    assert not (project.attempt(1, 2) / "prompt.md").exists(), "no agent ran for what was approved"


def test_what_is_to_be_different_goes_to_its_agent_and_is_shown_again(project: Project) -> None:
    spec_and_code(project)
    assert project.start().code == 3
    assert project.resolve("revise add a second line").code == 0
    assert project.teamlead("resume").code == 3

    assert "add a second line" in project.prompt(1, 2)
    (question,) = project.status()["session"]["questions"]
    assert "spec.txt (+2 -0)" in question["text"]
    assert project.resolve("approve").code == 0
    assert project.teamlead("resume").code == 3
    assert project.files(project.integration)["code.txt"] == "one\ntwo"


def test_a_decision_is_taken_after_two_restarts_and_holds_no_seat_meanwhile(project: Project) -> None:
    spec_and_code(project)
    project.task(3, [write("other.txt", "made\n")], scope="other.txt")
    leader = project.start_in_background("--jobs", "1", "--wait")
    until(lambda: project.happened("TaskDone", task="task-3"), "the other task is done")
    assert project.states()["task-1"] == "BLOCKED"
    leader.send(signal.SIGKILL).end()
    assert project.teamlead("resume").code == 3

    assert project.resolve("approve").code == 0
    assert project.teamlead("resume").code == 3
    assert set(project.states().values()) == {"DONE"}
    assert project.outcomes(1) == ["asked", "accepted"]


def test_an_approval_is_for_the_commit_that_was_shown(project: Project) -> None:
    spec_and_code(project)
    assert project.start().code == 3
    shown = project.details_of(1)
    refused = project.resolve("approve 0123456789")
    assert refused.code == 5
    assert "is not about commit '0123456789'" in refused.err
    assert project.resolve("revise more").code == 0
    assert project.teamlead("resume").code == 3
    stale = project.resolve("approve", "--escalation-id", "esc-1")
    assert stale.code == 5, stale.out
    assert "resolved already" in stale.err
    assert shown["state"] == project.details_of(1)["state"] == "BLOCKED"


def test_the_user_may_stop_there(project: Project) -> None:
    spec_and_code(project)
    assert project.start().code == 3
    assert project.resolve("stop").code == 0
    assert project.status()["session"]["phase"] == "FAILED"
