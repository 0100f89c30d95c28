"""Whom the lead turns to: every row of the table, in one session with all whom it may consult.

Each task has another difficulty. What nobody but the user can decide is answered, and the session ends well.
"""

from typing import Any, NamedTuple

import pytest
from tests.flows.support import Project, Step, answer, done, fail, write


def analysis(advice: str, confidence: str, *, decide: bool = False, **more: Any) -> Step:
    return answer(
        rootCause="a race",
        recommendation=advice,
        confidence=confidence,
        requiresUserDecision=decide,
        reasoning="it was seen",
        **more,
    )


SURE = analysis("take the lock", "high")
UNSURE = analysis("try again", "low")
ANSWERS = {2: "allow", 3: "blue", 6: "use the other library", 8: "the first", 9: "the left one"}
ANSWERS |= {12: "leave it as it is", 14: "go on"}


def stuck(category: str, action: str = "escalate", **more: Any) -> Step:
    impediment = {"category": category, "requestedAction": action}
    return {
        "feedback": {"type": "difficulty", "issue": f"it is {category}", "impediment": impediment, **more}
    }


class Record(NamedTuple):
    target: str
    kind: str
    closed_by: str
    """Empty: it was given to the next one."""


def about(body: dict[str, Any], number: int) -> bool:
    """Whether what was raised concerns a task."""
    return any(each["task"] == f"task-{number}" for each in body.get("tasks", ()))


def records(project: Project, number: int) -> list[Record]:
    """Of a task, in the order in which they were raised."""
    events = [(event["kind"], event["body"]) for event in project.events()]
    closed = {body["id"]: body["by"] for kind, body in events if kind == "EscalationResolved"}
    raised = [body for kind, body in events if kind == "EscalationRaised"]
    own = [body for body in raised if about(body, number)]
    return [Record(body["target"], body["kind"], closed.get(body["id"], "")) for body in own]


def reason(project: Project, number: int) -> str:
    """Of the last record of a task."""
    raised = [event["body"] for event in project.events() if event["kind"] == "EscalationRaised"]
    return str([body["reason"] for body in raised if about(body, number)][-1])


def tell_the_story(project: Project) -> None:
    project.settings(
        "retry_delay = 0\nreplans = 9\nvalidations = 9\nadvices = 9\n"
        f'[roles.advisor]\nagent = "scripted:{project.script}"\n'
    )
    made = [write("{task}.txt", "{answer}\n")]
    project.plays("default", [write("steps/{task}.txt", "made\n")])
    project.task(1, [fail("no idea")], [fail("still none")], [fail("never")])
    project.task(
        2, [stuck("scope", paths=["extra.txt"])], [*made, write("extra.txt", "2\n")], scope="task-2.txt"
    )
    project.task(3, [stuck("ambiguity")], made)
    for number in (4, 5, 6, 8, 9, 10):
        project.task(number, [stuck("technical")], made)
    project.task(7, [stuck("dependency")])
    project.task(11, [stuck("technical", "replan")])
    project.task(12, [stuck("ambiguity", "replan")], made)
    project.task(13, [*made, stuck("technical", "continue")])
    project.task(14, [stuck("dependency", "clarification")], made)
    project.task(15, made, after=[1])
    common = {"scopePaths": ["steps/"], "acceptance": "It is done"}
    smaller = {"id": "task-1", "description": "A smaller step", **common}
    rest = {"id": "task-2", "description": "The rest", "dependencies": ["task-1"], **common}
    project.plays("planner", [answer(reason="smaller steps", tasks=[smaller, rest])], purpose="replan")
    project.plays("task-4-validator", [SURE])
    for number in (5, 6):
        project.plays(f"task-{number}-validator", [UNSURE])
    project.plays("task-5-advisor", [SURE])
    project.plays("task-6-advisor", [UNSURE])
    project.plays("task-8-validator", [analysis("choose", "high", contradiction="fast, and careful")])
    project.plays("task-9-validator", [analysis("choose", "high", decide=True)])
    project.plays("task-10-validator", *[[done(words)] for words in ("Well.", "Hm.", "Who knows?")])
    project.plays("task-10-advisor", [SURE])


@pytest.fixture(scope="module")
def routed(shared: Project) -> Project:
    tell_the_story(shared)
    assert shared.start("--jobs", "4").code == 3
    return shared


@pytest.fixture(scope="module")
def waiting(routed: Project) -> dict[str, Any]:
    """What the program says while questions are open; they are answered after that."""
    status = routed.status()
    for record in routed.teamlead("escalations", "--json").json["questions"]:
        number = int(record["tasks"][0]["id"].removeprefix("task-"))
        assert routed.resolve(ANSWERS[number], "--escalation-id", record["id"]).code == 0
    assert routed.teamlead("resume").code == 3
    return status


@pytest.mark.usefixtures("waiting")
@pytest.mark.parametrize(
    ("number", "expected"),
    {
        1: [Record("planner", "failed", "planner")],
        2: [Record("user", "scope", "user")],
        3: [Record("user", "question", "user")],
        4: [Record("logicValidator", "technical", "validator")],
        5: [Record("logicValidator", "technical", ""), Record("externalAdvisor", "technical", "advisor")],
        6: [
            Record("logicValidator", "technical", ""),
            Record("externalAdvisor", "technical", ""),
            Record("user", "technical", "user"),
        ],
        7: [Record("planner", "dependency", "planner")],
        8: [Record("logicValidator", "technical", ""), Record("user", "contradiction", "user")],
        9: [Record("logicValidator", "technical", ""), Record("user", "technical", "user")],
        10: [Record("logicValidator", "technical", ""), Record("externalAdvisor", "technical", "advisor")],
        11: [Record("planner", "technical", "planner")],
        12: [Record("user", "question", "user")],
        13: [],
        14: [Record("user", "question", "user")],
    }.items(),
    ids=[
        "failed three times",
        "its scope",
        "ambiguity",
        "technical",
        "technical, and the validator is not sure",
        "technical, and nobody is sure",
        "a dependency",
        "a contradiction that the validator found",
        "a decision that the validator leaves to the user",
        "technical, and the validator cannot be read",
        "technical, and it wants a replan",
        "ambiguity, and it wants a replan",
        "what it only wants to be known",
        "a dependency, and it wants to be told",
    ],
)
def test_the_lead_turns_to_the_right_one_with(routed: Project, number: int, expected: list[Record]) -> None:
    assert records(routed, number) == expected


def test_while_some_wait_for_the_user_the_others_are_finished(waiting: dict[str, Any]) -> None:
    assert waiting["session"]["state"] == "ESCALATING"
    states = {task["id"]: task["state"] for task in waiting["tasks"]}
    assert {name for name, state in states.items() if state == "BLOCKED"} == {f"task-{n}" for n in ANSWERS}
    assert {states[f"task-{number}"] for number in (4, 5, 10, 13, 15)} == {"DONE"}


def test_those_whose_work_was_cut_anew_are_replaced_and_nobody_waits_for_them(routed: Project) -> None:
    states = routed.states()
    assert {states[f"task-{number}"] for number in (1, 7, 11)} == {"REPLACED_BY_REPLAN"}
    replaced = {
        event["body"]["task"]: event["body"]["by_tasks"]
        for event in routed.events()
        if event["kind"] == "TaskReplaced"
    }
    assert routed.details_of(15)["depends_on"] == replaced["task-1"]
    assert all(states[name] == "DONE" for names in replaced.values() for name in names)


def test_advice_and_answers_reach_the_agents_next_prompt(routed: Project, waiting: dict[str, Any]) -> None:
    assert "take the lock" in routed.prompt(4, 2)
    assert routed.content(routed.integration, "task-3.txt") == "blue"
    assert "use the other library" in routed.prompt(6, 2)


def test_a_scope_that_the_user_enlarged_holds_for_what_follows(
    routed: Project, waiting: dict[str, Any]
) -> None:
    assert routed.happened("ScopeEnlarged", task="task-2", paths=["extra.txt"])
    assert routed.content(routed.integration, "extra.txt") == "2"


@pytest.mark.parametrize(
    ("number", "cause"),
    [
        (6, "the advisor is not sure"),
        (8, "fast, and careful"),
        (9, "the validator leaves the decision to you"),
    ],
)
def test_the_user_is_told_why_nobody_else_could_help(routed: Project, number: int, cause: str) -> None:
    assert cause in reason(routed, number)


def test_the_planner_is_told_what_was_wanted_and_what_failed(routed: Project) -> None:
    prompt = (routed.sessions[-1] / "attempts" / "task-1-planner-1" / "prompt.md").read_text()
    assert "A plan for a test" in prompt
    assert "never" in prompt


def test_when_all_are_answered_all_is_done(routed: Project, waiting: dict[str, Any]) -> None:
    after = routed.status()
    assert after["session"]["state"] == "COMPLETED"
    assert {task["state"] for task in after["tasks"]} == {"DONE", "REPLACED_BY_REPLAN"}
