"""Plans of several tasks: what each one finds in its copy, what runs at the same time, what comes out."""

import os

import pytest
from tests.flows.support import Project, append, done, run, touch, wait_for, write


def most_at_once(project: Project) -> int:
    most = alive = 0
    for event in project.events():
        alive += {"AttemptStarted": 1, "RunEnded": -1}.get(event["kind"], 0)
        most = max(most, alive)
    return most


def test_a_task_finds_the_work_of_the_task_it_depends_on(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")])
    project.task(2, [run("cp one.txt two.txt"), append("two.txt", "2\n")], after=[1])
    project.task(3, [run("cp two.txt three.txt"), append("three.txt", "3\n")], after=[2])
    before = project.users_things()

    ended = project.start()

    assert ended.code == 3, ended.err
    assert ended.out.startswith(f"session {project.session} ")
    assert f"Then: teamlead approve {project.session}" in ended.out
    assert project.states() == {"task-1": "DONE", "task-2": "DONE", "task-3": "DONE"}
    made = project.files(project.integration)
    assert (made["one.txt"], made["two.txt"], made["three.txt"]) == ("1", "1\n2", "1\n2\n3")
    assert project.users_things() == before
    assert project.copies() == []


def test_a_task_with_two_dependencies_starts_from_both_merged_in_its_own_copy(project: Project) -> None:
    project.task(1, [write("base.txt", "1\n")])
    project.task(2, [run("cp base.txt left.txt")], after=[1])
    project.task(3, [run("cp base.txt right.txt")], after=[1])
    project.task(4, [run("cat left.txt right.txt > both.txt")], after=[2, 3])
    before = project.users_things()

    assert project.start("--jobs", "2").code == 3

    assert set(project.files(project.integration)) == {
        *("README.md", "shared.txt"),
        *("base.txt", "left.txt", "right.txt", "both.txt"),
    }
    assert project.content(project.integration, "both.txt") == "1\n1"
    work = f"teamlead/{project.session}/task-4"
    parents = {project.tip(f"teamlead/{project.session}/task-{number}") for number in (2, 3)}
    assert set(project.git("rev-parse", f"{work}^^@").split()) == parents
    assert project.users_things() == before
    assert project.copies() == []


def test_tasks_are_merged_one_entry_each_in_the_order_of_their_dependencies(project: Project) -> None:
    project.task(2, [write("two.txt", "2\n")], after=[1])
    project.task(1, [write("one.txt", "1\n")])

    assert project.start().code == 3

    history = project.git("log", "--first-parent", "--format=%s", f"main..{project.integration}")
    assert history.splitlines() == ["Merge task-2: Task number 2", "Merge task-1: Task number 1"]


def test_independent_tasks_run_at_the_same_time(project: Project) -> None:
    here, there = project.barrier("here"), project.barrier("there")
    project.task(1, [touch(here), wait_for(there), write("one.txt", "1\n")])
    project.task(2, [touch(there), wait_for(here), write("two.txt", "2\n")])

    assert project.start("--jobs", "2").code == 3

    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert {"one.txt", "two.txt"} <= set(project.files(project.integration))
    assert most_at_once(project) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_more_agents_work_at_once_than_jobs_allow(project: Project, jobs: int) -> None:
    seats = [f"mkdir {project.barrier(f'seat-{seat}')}" for seat in range(jobs)]
    free = "; ".join(f"rmdir {project.barrier(f'seat-{seat}')} && exit" for seat in range(jobs))
    for number in (1, 2, 3, 4):
        project.task(number, [run(" || ".join(seats)), run(free), write(f"{number}.txt", "made\n")])

    assert project.start("--jobs", str(jobs)).code == 3

    assert set(project.states().values()) == {"DONE"}
    assert [task["attempts_total"] for task in project.tasks()] == [1, 1, 1, 1]
    assert most_at_once(project) == jobs


def test_without_jobs_there_is_one_for_each_core_and_at_most_eight(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")])
    assert project.start().code == 3
    assert project.status()["session"]["jobs"] == min(8, len(os.sched_getaffinity(0)))


def test_an_investigation_needs_no_change_and_hands_on_what_it_found(project: Project) -> None:
    project.task(1, [run("cat shared.txt"), done("the colour is teal")], kind="investigation")
    project.task(2, [write("colour.txt", "teal\n")], after=[1])

    assert project.start().code == 3

    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert "the colour is teal" in project.prompt(2, 1)
    assert project.content(project.integration, "colour.txt") == "teal"


def test_a_plan_that_changes_nothing_ends_without_asking_for_an_approval(project: Project) -> None:
    project.task(1, [run("git log -1"), done("nothing is wrong")], kind="investigation")
    before = project.users_things()

    ended = project.start()

    assert ended.code == 0, ended.err
    assert project.status()["session"]["phase"] == "DONE"
    assert project.users_things() == before
    assert project.copies() == []
