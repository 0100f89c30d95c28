"""A plan with stages: each begins when all tasks before it are settled, on what was merged by then."""

import signal

from tests.flows.support import Project, ask, run, until, write


def in_two_stages(project: Project) -> Project:
    project.task(1, [write("a.txt", "a\n")], fields=["Stage: Build"])
    project.task(2, [write("b.txt", "b\n")], fields=["Stage: build"])
    return project.task(3, [run("cat a.txt b.txt > both.txt")], fields=["Stage: Join"])


def test_a_later_stage_starts_from_all_that_was_merged_before_it(project: Project) -> None:
    in_two_stages(project)

    ended = project.start("--jobs", "3")

    assert ended.code == 3, ended.out + ended.err
    assert project.files(project.integration)["both.txt"] == "a\nb"
    assert "stage Build: every task is settled" in ended.err
    opened = [event["body"] for event in project.events() if event["kind"] == "StageOpened"]
    assert [body["stage"] for body in opened] == ["Build", "Join"]
    session = project.teamlead("status", "--json").json["session"]
    assert [(stage["name"], stage["state"], stage["tasks_total"]) for stage in session["stages"]] == [
        ("Build", "closed", 2),
        ("Join", "closed", 1),
    ]
    assert "stages: Build (closed) → Join (closed)" in project.teamlead("status").out


def test_a_task_says_which_stage_it_waits_for(project: Project) -> None:
    project.task(1, [ask("Which?")], fields=["Stage: Build"])
    project.task(2, [write("b.txt", "b\n")], fields=["Stage: Join"])

    printed = project.start("--json").json

    assert "Task number 2 — waits for stage Build\n" in project.teamlead("status").out
    document = project.teamlead("status", "--json").json
    for waits in (printed["tasks"][1]["waiting"], document["tasks"][1]["waiting"]):
        assert (waits["what"], waits["reason"]) == ("task-2", "waits for stage Build")
    assert "task-2" not in [wait["what"] for wait in document["session"]["waiting"]]


def test_work_that_is_done_anew_takes_the_later_stages_along(project: Project) -> None:
    again = [write("a.txt", "A\n")]
    project.task(1, [write("a.txt", "a\n")], again, fields=["Stage: Build"])
    project.task(2, [run("cp a.txt copy.txt")], fields=["Stage: Join"])
    assert project.start().code == 3

    assert project.teamlead("retry", "1", "--followers").code == 0
    assert project.teamlead("resume").code == 3

    assert project.files(project.integration)["copy.txt"] == "A"


def test_a_leader_that_is_killed_between_stages_is_followed_by_one_that_goes_on(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")], fields=["Stage: Build"])
    gate = project.barrier("go")
    waits = run(f"until test -e {gate}; do sleep 0.02; done; cp a.txt copy.txt")
    project.task(2, [waits], fields=["Stage: Join"])
    leader = project.start_in_background()
    until(lambda: project.happened("AttemptStarted", task="task-2"), "the second stage")
    leader.send(signal.SIGKILL).end()
    gate.touch()

    assert project.teamlead("resume").code == 3

    assert project.files(project.integration)["copy.txt"] == "a"
    assert len([event for event in project.events() if event["kind"] == "StageOpened"]) == 2


def test_a_dependency_on_a_later_stage_is_an_error_with_its_line(project: Project) -> None:
    project.task(1, fields=["Stage: Join"]).task(2, fields=["Stage: Build"])
    project.task(3, after=[2], fields=["Stage: Join"])

    checked = project.teamlead("plan", "check", str(project.plan))

    assert checked.code == 2
    assert "task-3 is in stage 'Join', and depends on task-2, which is in a later one" in checked.out


def test_a_task_that_is_added_twice_to_a_stage_is_there_once(project: Project) -> None:
    in_two_stages(project)
    assert project.start().code == 3
    added = [project.teamlead("plan", "add", "Describe it", "--acceptance", "it reads well") for _ in "ab"]
    assert [each.code for each in added] == [0, 0], [each.err for each in added]
    assert [task["stage"] for task in project.tasks()] == ["Build", "Build", "Join", "Join"]


def test_whether_later_stages_are_looked_at_again_is_asked(project: Project) -> None:
    in_two_stages(project)
    assert project.start().code == 3
    refused = project.teamlead("retry", "1")
    assert refused.code == 5
    assert "task-3 was built on task-1" in refused.err
