"""Two tasks change the same line: the later one goes again on the merged work, and then a person decides."""

import pytest
from tests.flows.support import Project, run, touch, until, wait_for, write

MINE, THEIRS = "one\ntwo, said the second\nthree\n", "one\ntwo, said the first\nthree\n"
BOTH = "one\ntwo, said both\nthree\n"


def reachable(project: Project, commit: str) -> bool:
    return bool(project.git("for-each-ref", "--count=1", f"--contains={commit}"))


def collected(project: Project) -> list[str]:
    return [event["body"]["work"]["commit"] for event in project.events() if event["kind"] == "WorkCollected"]


def test_the_later_task_goes_again_on_the_merged_work_and_is_shown_both_sides(project: Project) -> None:
    project.task(1, [write("shared.txt", THEIRS)])
    project.task(2, [write("shared.txt", MINE)], [run("grep -q first shared.txt"), write("shared.txt", BOTH)])
    before = project.users_things()

    assert project.start("--jobs", "1").code == 3

    assert project.outcomes(1) == ["accepted"]
    assert project.outcomes(2) == ["conflict", "accepted"]
    told = project.prompt(2, 2)
    assert "shared.txt" in told
    assert "two, said the first" in told
    assert "two, said the second" in told
    assert "start" in told
    assert project.content(project.integration, "shared.txt") == BOTH.strip()
    assert all(reachable(project, commit) for commit in collected(project))
    assert project.users_things() == before
    assert project.copies() == []


@pytest.fixture
def stuck(project: Project) -> Project:
    """A session in which task 2 met a conflict twice: with task 1, then with task 3."""
    first, again, third = (project.barrier(name) for name in ("first", "again", "third"))
    project.task(1, [write("shared.txt", THEIRS)])
    project.task(
        2,
        [wait_for(first), write("shared.txt", MINE)],
        [touch(again), wait_for(third), write("shared.txt", MINE)],
        [run("grep -q third shared.txt"), write("shared.txt", BOTH)],
    )
    project.task(3, [wait_for(again), run("sed -i 's/first/third/' shared.txt")], after=[1])
    leader = project.start_in_background("--jobs", "2")
    until(lambda: project.happened("TaskDone", task="task-1"), "task 1 is merged")
    first.touch()
    until(lambda: project.happened("TaskDone", task="task-3"), "task 3 is merged")
    third.touch()
    assert leader.end().code == 3
    return project


def test_a_second_conflict_asks_a_person_and_loses_neither_side(stuck: Project) -> None:
    assert stuck.outcomes(2) == ["conflict", "conflict"]
    blocked = stuck.details_of(2)
    assert blocked["state"] == "BLOCKED"
    assert blocked["reason"].startswith("CONFLICT: ")
    assert "shared.txt" in blocked["reason"]
    (record,) = stuck.teamlead("escalations", "--json").json["questions"]
    assert (record["kind"], record["tasks"][0]["id"], record["state"]) == ("conflict", "task-2", "open")
    assert stuck.status()["session"]["state"] == "ESCALATING"
    assert stuck.content(stuck.integration, "shared.txt") == "one\ntwo, said the third\nthree"
    assert len(collected(stuck)) == 4
    assert all(reachable(stuck, commit) for commit in collected(stuck))


def test_advice_lets_a_task_in_conflict_go_on_from_the_merged_work(stuck: Project) -> None:
    assert stuck.resolve("let both speak").code == 0
    assert stuck.teamlead("resume").code == 3

    assert stuck.outcomes(2) == ["conflict", "conflict", "accepted"]
    assert "Answer:\n> let both speak" in stuck.prompt(2, 3)
    assert stuck.content(stuck.integration, "shared.txt") == BOTH.strip()
    assert all(reachable(stuck, commit) for commit in collected(stuck))
    assert stuck.copies() == []


def test_a_task_in_conflict_that_is_skipped_leaves_its_work_on_its_branch(stuck: Project) -> None:
    assert stuck.resolve("skip").code == 0
    assert stuck.teamlead("resume").code == 3

    assert stuck.state_of(2) == "SKIPPED"
    assert stuck.content(f"teamlead/{stuck.session}/task-2", "shared.txt") == MINE.strip()
    assert stuck.content(stuck.integration, "shared.txt") == "one\ntwo, said the third\nthree"
