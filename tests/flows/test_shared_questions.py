"""What several tasks meet in the same way: asked once, answered for all or for some, on hold until then."""

from pathlib import Path

import pytest
from tests.flows.support import Project, fail, write
from tests.flows.test_terminal import started


def made(number: int) -> list[dict[str, object]]:
    return [write(f"{number}.txt", "{answer}\n")]


@pytest.fixture
def mended(project: Project) -> Path:
    """Four tasks whose copies cannot be made before this file is there; they start one after the other."""
    path = project.barrier("mended")
    project.settings(f"retry_delay = 0\nattempts = 1\npost_create = ['test -e {path}']\n")
    for number in (1, 2, 3, 4):
        project.task(number, made(number))
    assert project.start("--jobs", "1").code == 3
    return path


def open_tasks(project: Project) -> dict[str, list[str]]:
    listed = project.teamlead("escalations", "--json").json["questions"]
    return {record["id"]: [task["id"] for task in record["tasks"]] for record in listed}


def test_an_environment_that_fails_for_two_tasks_is_on_hold_with_one_question(
    project: Project, mended: Path
) -> None:
    assert [project.state_of(n) for n in (1, 2, 3, 4)] == ["BLOCKED", "BLOCKED", "READY", "READY"]
    assert open_tasks(project) == {"esc-1": ["task-1", "task-2"]}
    told = project.teamlead("escalations").out
    assert "esc-1 about task-1, task-2" in told
    assert "the same: task-2 (Task number 2) failed once" in told
    assert "--task 1 --task 2" in told
    assert (
        "environment until you answer: it fails in the same way for task-1 and task-2"
        in project.teamlead("status").out
    )
    assert "environment is on hold until you answer" in project.teamlead("watch").out

    mended.touch()
    assert project.resolve("it is there now").code == 0
    assert project.teamlead("resume").code == 3
    assert set(project.states().values()) == {"DONE"}
    assert "it is there now" in project.prompt(2, 2)


def test_an_answer_for_one_task_leaves_the_question_open_for_the_other(
    project: Project, mended: Path
) -> None:
    mended.touch()
    answered = project.resolve("retry", "--task", "2")
    assert (answered.code, "esc-1 is answered for task-2\nstill open: esc-1" in answered.out) == (0, True)
    refused = project.resolve("retry", "--task", "2")
    assert (refused.code, "esc-1 is not about task-2: it is about task-1" in refused.err) == (5, True)

    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "BLOCKED", **{f"task-{n}": "DONE" for n in (2, 3, 4)}}
    assert open_tasks(project) == {"esc-1": ["task-1"]}

    assert project.resolve("skip").code == 0
    told = project.teamlead("escalations", "--all").out
    assert "for task-2 answered by user" in told
    assert "\n  answered by user" in told


def test_a_task_that_is_skipped_leaves_the_question_and_the_hold_goes_with_the_last(
    project: Project, mended: Path
) -> None:
    mended.touch()
    assert project.teamlead("skip", "1").code == 0
    assert open_tasks(project) == {"esc-1": ["task-2"]}
    assert project.teamlead("retry", "2").code == 0
    assert open_tasks(project) == {}
    assert project.teamlead("resume").code == 3
    assert [project.state_of(n) for n in (1, 2, 3, 4)] == ["SKIPPED", "DONE", "DONE", "DONE"]


def test_a_release_tries_it_again_for_all(project: Project, mended: Path) -> None:
    mended.touch()
    assert project.teamlead("release", "environment").code == 0
    assert project.teamlead("resume").code == 3
    assert set(project.states().values()) == {"DONE"}


def test_at_a_terminal_the_tasks_are_shown_and_some_are_chosen(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\n")
    for number in (1, 2):
        project.task(number, [fail("no such model")], made(number))
    with started(project, "--jobs", "1") as shown:
        shown.reads("the same: task-2")
        shown.reads("option's number (empty: decide later): ")
        shown.types("2\n")
        shown.reads("For which of its tasks, such as 1 3 (empty: for all): ")
        shown.types("4\n")
        shown.reads("esc-1 is not about task-4 (it is about task-1, task-2)")
        shown.types("1\n")
        shown.reads("esc-1 about task-2")
        shown.types("the other one\n")
        shown.reads("Everything is settled")
        shown.types("l\n")
        shown.end()
    assert [project.state_of(n) for n in (1, 2)] == ["SKIPPED", "DONE"]
    assert project.content(project.integration, "2.txt") == "the other one"
