"""What only the user can decide: the session waits for it, keeps all it has, and goes on with the answer."""

import json
from typing import Any

import pytest
from tests.flows.support import Project, Step, answer, ask, fail, touch, until, wait_for, write
from tests.flows.test_leader_routing import SURE, reason, records, stuck


def made(number: int) -> list[Step]:
    return [write(f"{number}.txt", "{answer}\n")]


def document(project: Project) -> dict[str, Any]:
    """session.json, as it stands in the user's repository."""
    path = project.root / ".teamlead" / "sessions" / project.session / "session.json"
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def open_questions(project: Project) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = project.teamlead("escalations", "--json").json["questions"]
    return [record for record in listed if record["state"] == "open"]


def test_a_session_goes_on_from_where_it_stood_however_often_it_has_to_ask(project: Project) -> None:
    """Partial success, escalation, answer, resume; and again."""
    project.task(1, made(1))
    project.task(2, [stuck("ambiguity")], [stuck("ambiguity", issue="and which shade?")], made(2), after=[1])
    project.task(3, made(3), after=[2])
    project.task(4, made(4))

    assert project.start("--jobs", "1").code == 3

    assert project.states() == {"task-1": "DONE", "task-2": "BLOCKED", "task-3": "READY", "task-4": "DONE"}
    first = document(project)
    assert first["status"] == "ESCALATING"
    (record,) = first["escalationRecords"]
    assert (record["target"], record["resolved"]) == ("user", False)
    assert record["relatedTaskId"].endswith("-2")
    assert first["escalationAttempts"]["user"] == 1
    assert project.teamlead("resume").code == 3
    assert len(document(project)["memberTaskHistory"]) == 3

    for number, text in ((1, "blue"), (2, "light")):
        assert project.resolve(text).code == 0
        assert document(project)["status"] == "REVIEWING"
        assert project.resolve(text, "--escalation-id", f"esc-{number}").code == 5
        assert project.teamlead("resume").code == 3

    assert set(project.states().values()) == {"DONE"}
    assert "blue" in project.prompt(2, 2)
    assert project.content(project.integration, "2.txt") == "light"
    last = document(project)
    assert last["status"] == "COMPLETED"
    assert [entry["resolved"] for entry in last["escalationRecords"]] == [True, True]
    assert last["memberTaskHistory"][: len(first["memberTaskHistory"])] == first["memberTaskHistory"]
    decisions = [(entry["taskId"][-1], entry["leaderDecision"]) for entry in last["memberTaskHistory"]]
    assert decisions.count(("2", "escalate")) == 2
    assert project.outcomes(1) == ["accepted"]


def test_with_stop_on_escalation_nothing_more_starts(project: Project) -> None:
    project.task(1, [ask("Which one?")], made(1))
    project.task(2, made(2))

    assert project.start("--jobs", "1", "--stop-on-escalation").code == 3

    assert project.states() == {"task-1": "BLOCKED", "task-2": "READY"}
    assert document(project)["status"] == "ESCALATING"


@pytest.fixture(scope="module")
def limited(shared: Project) -> Project:
    """Each may be turned to once or twice, in a session with no advisor."""
    shared.settings("retry_delay = 0\nattempts = 1\nreplans = 2\nvalidations = 1\n")
    shared.plays("default", [write("steps/{task}.txt", "made\n")])
    step = {"id": "task-1", "description": "A step", "scopePaths": ["steps/"], "acceptance": "It is done"}
    shared.plays("task-1-planner", [answer(reason="smaller", tasks=[step])], purpose="replan")
    shared.plays(
        "task-2-planner", [answer(tasks=[], reason="", questions=["Red or blue?"])], purpose="replan"
    )
    shared.plays("task-4-validator", [SURE])
    shared.task(1, [fail("no idea")])
    shared.task(2, [stuck("dependency")])
    shared.task(3, [stuck("dependency")])
    shared.task(4, [stuck("technical")], made(4))
    shared.task(5, [stuck("technical")])
    assert shared.start("--jobs", "1").code == 3
    return shared


def test_a_planner_that_asks_is_not_answered_by_a_model(limited: Project) -> None:
    assert [record.target for record in records(limited, 2)] == ["planner", "user"]
    assert "Red or blue?" in reason(limited, 2)


@pytest.mark.parametrize(
    ("number", "causes"),
    [
        (3, ["the planner was turned to 2 times"]),
        (5, ["the validator was turned to 1 times", "there is no advisor"]),
    ],
)
def test_beyond_its_limit_nobody_is_turned_to(limited: Project, number: int, causes: list[str]) -> None:
    assert [record.target for record in records(limited, number)] == ["user"]
    assert [cause in reason(limited, number) for cause in causes] == [True] * len(causes)


def test_how_often_each_was_turned_to_is_counted(limited: Project) -> None:
    assert document(limited)["escalationAttempts"] == {
        "user": 3,
        "planner": 2,
        "logicValidator": 1,
        "externalAdvisor": 0,
    }
    assert any("no external advisor" in warning for warning in document(limited)["warnings"])


def test_three_tasks_that_fail_in_a_row_have_the_plan_looked_at_as_a_whole(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\n")
    for number in (1, 2, 3):
        project.task(number, [fail(f"no way {number}")])
    project.task(4, made(4))
    project.plays("default", [write("other.txt", "other\n")])
    project.plays("planner", [answer(tasks=[], reason="", questions=["Why?"])], purpose="replan")
    other = {
        "id": "task-1",
        "description": "Another way",
        "scopePaths": ["other.txt"],
        "acceptance": "It works",
    }
    project.plays("planner", [answer(reason="it cannot work so", tasks=[other])], purpose="review")

    assert project.start("--jobs", "1").code == 3

    looked = [e["body"]["run"] for e in project.events() if e["kind"] == "RunWanted"]
    assert "planner-1" in looked
    assert project.state_of(4) == "READY"
    (whole,) = [record for record in open_questions(project) if record["kind"] == "plan"]
    assert "it cannot work so" in whole["text"]
    assert project.resolve("replan", "--escalation-id", whole["id"]).code == 0
    assert project.teamlead("resume").code == 3
    assert [project.state_of(number) for number in (1, 2, 3, 4, 5)] == ["REPLACED_BY_REPLAN"] * 3 + [
        "DONE"
    ] * 2


def test_at_autonomy_2_a_difficulty_is_acted_on_while_its_agent_works(project: Project) -> None:
    asked, go = project.barrier("asked"), project.barrier("go")
    difficulty = {"kind": "difficulty", "issue": "Which one?", "category": "ambiguity"}
    report: Step = {"team": "report_feedback", "input": {**difficulty, "requested_action": "clarification"}}
    project.task(1, [report, touch(asked), wait_for(go)], [write("1.txt", "1\n")])
    leader = project.start_in_background("--autonomy", "2", "--wait")
    until(lambda: project.happened("EscalationRaised"), "the user is asked")
    assert not project.happened("RunEnded")
    assert project.resolve("the left one").code == 0
    until(lambda: project.happened("TaskAdvised"), "a running leader takes the answer")
    go.touch()
    until(lambda: project.happened("TaskDone"), "it is done")
    assert project.teamlead("approve").code == 0
    leader.end()


def test_at_autonomy_2_a_second_difficulty_waits_until_the_validator_has_seen_to_the_first(
    project: Project,
) -> None:
    def report(issue: str) -> Step:
        difficulty = {"kind": "difficulty", "issue": issue, "category": "technical"}
        return {"team": "report_feedback", "input": {**difficulty, "requested_action": "escalate"}}

    project.task(1, [report("It hangs"), report("The disk is full")], [write("1.txt", "{answer}\n")])
    known = {"rootCause": "a race", "confidence": "high", "requiresUserDecision": False, "reasoning": "seen"}
    advice = ("Take the lock", "Delete the logs")
    project.plays("task-1-validator", *([answer(recommendation=text, **known)] for text in advice))
    assert project.start("--autonomy", "2").code == 3
    records = project.teamlead("escalations", "--all", "--json").json["questions"]
    assert {(r["to"], r["answer"]) for r in records} == {("validator", text) for text in advice}
    assert project.state_of(1) == "DONE"


def test_what_a_person_said_about_a_task_is_told_to_the_tasks_in_its_place(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\n")
    project.task(1, [ask("Which colour?")], [fail("It is too much.")])
    project.plays("default", [write("step.txt", "made\n")])
    step = {"id": "task-1", "description": "A step", "scopePaths": ["step.txt"], "acceptance": "It is made"}
    project.plays("planner", [answer(reason="smaller", tasks=[step])], purpose="replan")
    assert project.start().code == 3
    assert project.teamlead("tell", "1", "Mind the footer").code == 0
    assert project.resolve("blue").code == 0
    assert project.teamlead("resume").code == 3
    prompt = project.prompt(2, 1)
    assert "Answer:\n> blue" in prompt
    assert "> Mind the footer" in prompt
