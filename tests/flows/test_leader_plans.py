"""From an instruction to a merged branch: planned, carried out in order, judged, completed, approved."""

import json
from typing import Any

import pytest
from tests.flows.support import Project, Step, answer, run, write

INSTRUCTION = "Describe the numbers in words"
YES = [answer(success=True, reason="it is all there")]


def planned(number: int, *after: int, kind: str = "implementation", scope: str = "") -> dict[str, Any]:
    """A task as a planner writes it."""
    return {
        "id": f"task-{number}",
        "description": f"Do number {number}",
        "summary": f"Number {number}",
        "branch": f"number-{number}",
        "type": kind,
        "scopePaths": [scope or f"words/{number}.txt"],
        "acceptance": f"Number {number} is described",
        "estimatedDuration": 1,
        "context": "",
        "dependencies": [f"task-{name}" for name in after],
    }


def make_plan(project: Project, *tasks: dict[str, Any]) -> str:
    """The planner session that `teamlead plan` makes."""
    project.plays("planner", [answer(reason="as small as can be", tasks=list(tasks))], purpose="plan")
    output = project.place / "made.md"
    made = project.teamlead(
        "plan", INSTRUCTION, "--agent", f"scripted:{project.script}", "--output", output, "--json"
    )
    assert made.code == 0, made.err
    return str(made.json["planning"]["id"])


def described(number: int) -> list[Step]:
    return [write(f"words/{number}.txt", f"{number}\n")]


@pytest.fixture(scope="module")
def finished(shared: Project) -> Project:
    """A chain, a diamond and one that stands alone; what the plan forgot is added at its end."""
    found = {
        "type": "exploration",
        "findings": "two of them are prime",
        "recommendations": [],
        "confidence": "high",
    }
    shared.plays("task-1", [run("cat README.md"), {"feedback": found}])
    for number in (2, 3, 4, 5, 6):
        shared.plays(f"task-{number}", described(number))
    shared.plays("judge", YES)
    further = planned(1, scope="words/6.txt")
    shared.plays(
        "planner",
        [answer(fulfilled=False, reason="the sixth is missing", missing=["6"], tasks=[further])],
        [answer(fulfilled=True, reason="all six are there")],
        purpose="complete",
    )
    tasks = (
        planned(1, kind="investigation"),
        planned(2, 1),
        planned(3, 1),
        planned(4, 2, 3),
        planned(5, scope="words/"),
    )
    name = make_plan(shared, *tasks)
    started = shared.teamlead(
        "start", "--session", name, "--agent", f"scripted:{shared.script}", "--jobs", "1"
    )
    assert started.code == 3, started.err
    return shared


def bodies(project: Project, kind: str) -> list[dict[str, Any]]:
    return [event["body"] for event in project.events() if event["kind"] == kind]


def test_tasks_run_in_order_each_after_those_it_depends_on(finished: Project) -> None:
    started = [body["task"] for body in bodies(finished, "AttemptStarted")]
    assert sorted(started) == [f"task-{number}" for number in range(1, 7)]
    for task in finished.status()["tasks"]:
        assert all(started.index(name) < started.index(task["id"]) for name in task["depends_on"])
    assert set(finished.states().values()) == {"DONE"}


def test_each_work_was_judged_before_it_was_merged(finished: Project) -> None:
    kinds = [event["kind"] for event in finished.events()]
    judged = [body for body in bodies(finished, "RunWanted") if body["purpose"] == "judge"]
    assert sorted(body["task"] for body in judged) == [f"task-{number}" for number in range(1, 7)]
    assert kinds.count("WorkIntegrated") == 5


def test_what_an_exploration_found_reaches_those_that_depend_on_it(finished: Project) -> None:
    for number in (2, 3):
        assert "two of them are prime" in finished.prompt(number, 1)
    assert "two of them are prime" not in finished.prompt(5, 1)


def test_what_the_merged_work_lacks_is_added_before_anybody_is_asked_to_approve(finished: Project) -> None:
    looks = [body["run"] for body in bodies(finished, "RunWanted") if body["purpose"] == "complete"]
    assert looks == ["planner-1", "planner-2"]
    (added,) = bodies(finished, "TaskAdded")
    assert (added["spec"]["id"], added["by"]) == ("task-6", "planner-1")
    prompt = (finished.sessions[-1] / "attempts" / "planner-1" / "prompt.md").read_text()
    assert INSTRUCTION in prompt


def test_the_session_knows_the_plan_it_came_from(finished: Project) -> None:
    document = json.loads(
        (finished.root / ".teamlead" / "sessions" / finished.session / "session.json").read_text()
    )
    assert document["plannerSessionId"]
    assert document["status"] == "COMPLETED"
    assert (document["completedTaskCount"], document["totalTaskCount"]) == (6, 6)
    assert document["escalationAttempts"] == {
        "user": 0,
        "planner": 1,
        "logicValidator": 0,
        "externalAdvisor": 0,
    }
    assert {entry["leaderDecision"] for entry in document["memberTaskHistory"]} == {"accept"}


def test_nothing_of_it_is_the_users_before_they_approve(finished: Project) -> None:
    assert "words/4.txt" not in finished.files("main")
    assert finished.teamlead("approve").code == 0
    assert {f"words/{number}.txt" for number in range(2, 7)} <= set(finished.files("main"))


def test_a_single_task_needs_nothing_else(project: Project) -> None:
    project.plays("task-1", described(1))
    name = make_plan(project, planned(1))
    started = project.teamlead(
        "start", "--session", name, "--agent", f"scripted:{project.script}", "--approve"
    )
    assert started.code == 0, started.err
    assert project.content("main", "words/1.txt") == "1"
