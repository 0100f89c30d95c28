from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.core.leading import ONE_ATTEMPT, STEPS, led, replan, say
from tests.core.support import World, session, task

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits, Said
from teamlead.core.reports import (
    DifficultyFeedback,
    ExplorationFeedback,
    Feedback,
    ImplementationFeedback,
)
from teamlead.core.transitions import PAUSED
from teamlead.views.evidence import evidence_view
from teamlead.views.moments import iso
from teamlead.views.session_file import long_id, session_document

CRASH, ASK = 1, 5
NOTHING = 1


def as_json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def stored(world: World) -> dict[str, Any]:
    """What is in the file."""
    document: dict[str, Any] = as_json(session_document(world.state))
    return document


def history(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = stored(world)["memberTaskHistory"]
    return found


def decisions(world: World) -> list[tuple[str, int, str | None]]:
    return [(entry["taskId"], entry["attempt"], entry["leaderDecision"]) for entry in history(world)]


def failed(world: World, number: int) -> None:
    world.advance(number, do.RunAgent)
    world.answer(world.due(do.RunAgent, number), CRASH)


@pytest.mark.parametrize(
    ("name", "identity", "expected"),
    [
        ("20250101-120000123-k3", "task-1", "task-k3-1"),
        ("s-1", "task-12", "task-1-12"),
        ("plain", "task-1", "task-plain-1"),
        ("s-1", "task-task-1", "task-1-task-1"),
    ],
)
def test_a_long_id_names_the_session_in_the_task(name: str, identity: str, expected: str) -> None:
    assert long_id(name, identity) == expected


def test_the_file_tells_the_whole_session() -> None:
    world = World(session(task(1, branch="feature/one"), task(2, 1, role="reviewer"), consultants=("judge",)))
    world.now += 10.0
    world.finish(1)
    document = stored(world)
    assert document["schema_version"] == 1
    assert (document["id"], document["version"]) == ("s-1", world.state.seq)
    assert (document["status"], document["phase"]) == ("EXECUTING", "EXECUTING")
    assert document["phase_history"][0] == {
        "phase": "IDLE",
        "entered_at": iso(1000.0),
        "reason": "session opened",
        "person": None,
    }
    assert document["phase_history"][-1]["phase"] == "EXECUTING"
    assert [tuple(member.values()) for member in document["members"]] == [
        ("leader", "engine", "leader", "working", True),
        ("task-1", "scripted", "worker", "left", True),
        ("task-2", "scripted", "reviewer", "working", True),
        ("judge", "scripted", "judge", "idle", False),
    ]
    assert document["execution"] == {
        "workers_total": 2,
        "workers_active": 1,
        "tasks_total": 2,
        "tasks_completed": 1,
    }
    assert document["cancel"] == {"requested": False, "preserve_for_resume": False}
    assert document["activeTaskIds"] == ["task-1-2"]
    assert document["created_at"] == document["createdAt"]
    assert (document["createdAt"], document["updatedAt"]) == (iso(1000.0), iso(1010.0))
    assert document["tasks"] == [
        {
            "id": "task-1-1",
            "title": "Title 1",
            "state": "DONE",
            "version": 3,
            "branch": "teamlead/s-1/task-1",
            "label": "feature/one",
            "depends_on": [],
            "attempts_total": 1,
            "reason": "",
        },
        {
            "id": "task-1-2",
            "title": "Title 2",
            "state": "RUNNING",
            "version": 2,
            "branch": "teamlead/s-1/task-2",
            "label": "",
            "depends_on": ["task-1-1"],
            "attempts_total": 1,
            "reason": "",
        },
    ]


def test_the_history_has_every_ended_attempt_with_its_judgement() -> None:
    world = World(session(task(1, checks=("make",)), task(2, 1)))
    world.now += 10.0
    world.finish(1)
    assert history(world) == [
        {
            "taskId": "task-1-1",
            "attempt": 1,
            "agent": world.task(1).attempts[0].run.agent,
            "model": "",
            "turns": 0,
            "usage": {"input_tokens": None, "output_tokens": None, "cost_usd": None},
            "denials": [],
            "trespasses": [],
            "remarks": [],
            "assignedAt": iso(1000.0),
            "completedAt": iso(1010.0),
            "workerResult": {"end": "ok", "summary": "done", "commit": "task-1@1", "handed_in": None},
            "workerFeedback": None,
            "judgementResult": {
                "outcome": "accepted",
                "reasons": [],
                "checks": [{"command": "make", "exit_code": 0}],
                "evidence": as_json(evidence_view(world.state, world.task(1), world.task(1).attempts[0])),
                "judge": None,
            },
            "leaderDecision": "accept",
            "leader_decision_reason": world.task(1).attempts[0].decided_because,
        }
    ]


def test_a_session_that_is_paused_was_asked_to_stop_and_goes_on_and_a_cancelled_one_does_not() -> None:
    world = World(session(task(1)))
    world.tell(f.PauseSession())
    world.tell(f.LeaderLeft(PAUSED))
    assert stored(world)["cancel"] == {"requested": True, "preserve_for_resume": True}
    world.tell(f.LeaderArrived(2, "leader"))
    world.tell(f.Cancel("enough"))
    assert stored(world)["cancel"] == {"requested": True, "preserve_for_resume": False}


SHAPE: dict[str, type | tuple[type, ...]] = {
    "schema_version": int,
    "id": str,
    "version": int,
    "sourceType": str,
    "planDocument": str,
    "instruction": str,
    "plannerSessionId": (str, type(None)),
    "childPlannerSessionIds": list,
    "title": str,
    "status": str,
    "phase": str,
    "phase_history": list,
    "team": str,
    "task": str,
    "execution": dict,
    "fix_loop": dict,
    "cancel": dict,
    "artifacts": dict,
    "base_commit": str,
    "target_branch": str,
    "members": list,
    "tasks": list,
    "memberTaskHistory": list,
    "escalationRecords": list,
    "escalationAttempts": dict,
    "conversationHistory": list,
    "consultations": list,
    "activeTaskIds": list,
    "completedTaskCount": int,
    "totalTaskCount": int,
    "errorMessage": (str, type(None)),
    "spent": dict,
    "budgets": list,
    "holds": list,
    "warnings": list,
    "created_at": str,
    "createdAt": str,
    "updatedAt": str,
}
RECORD = {"id", "target", "reason", "relatedTaskId", "escalatedAt", "resolved", "resolvedAt", "resolution"}
ENTRY = {
    *("taskId", "assignedAt", "completedAt", "workerResult", "workerFeedback", "judgementResult"),
    *("leaderDecision", "leader_decision_reason"),
}


def test_the_file_has_these_fields_and_no_others() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    failed(world, 1)
    document = stored(world)
    assert {name for name, kind in SHAPE.items() if not isinstance(document[name], kind)} == set()
    assert set(document) == set(SHAPE)
    (entry,), (record,) = document["memberTaskHistory"], document["escalationRecords"]
    assert set(entry) >= ENTRY
    assert set(record) >= RECORD


@pytest.mark.parametrize("source", ["planner-session", "plan-document"])
def test_a_plan_that_a_planner_made_or_read_names_its_session_and_keeps_what_was_said(source: Any) -> None:
    spec = session(task(1))
    said = (Said("user", "Add a login"), Said("planner", "With a password?"))
    plan = replace(
        spec.plan, instruction="Add a login", planner_session="p-1", conversation=said, source_type=source
    )
    document = stored(World(replace(spec, plan=plan)))
    assert (document["sourceType"], document["plannerSessionId"]) == (source, "p-1")
    assert document["instruction"] == "Add a login"
    assert [(each["sender"], each["text"]) for each in document["conversationHistory"]] == [
        ("user", "Add a login"),
        ("planner", "With a password?"),
    ]


def test_finished_and_skipped_tasks_are_counted_as_completed_and_replaced_ones_not_at_all() -> None:
    world = led(task(1), task(2), task(3), task(4), limits=ONE_ATTEMPT)
    world.finish(1)
    world.tell(f.SkipTask("task-3", "not needed"))
    replan(world, 4, task(5), task(6))
    document = stored(world)
    assert (document["completedTaskCount"], document["totalTaskCount"]) == (2, 5)


def test_a_failed_session_says_why_and_no_other_does() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    failed(world, 1)
    assert stored(world)["errorMessage"] is None
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"
    assert stored(world)["errorMessage"] == world.state.phases[-1].reason != ""

    cancelled = World(session(task(1)))
    cancelled.tell(f.Cancel("enough"))
    assert stored(cancelled)["errorMessage"] is None


def test_a_rejected_session_keeps_the_word_that_readers_of_the_file_know() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(f.Reject("no"))
    document = stored(world)
    assert document["status"] == "COMPLETED"
    assert [entry["phase"] for entry in document["phase_history"]][-2:] == ["REJECTED", "DONE"]


def test_questions_are_counted_by_whom_they_are_for_and_name_their_task_by_its_long_id() -> None:
    world = World(session(task(1), task(2)))
    assert stored(world)["escalationAttempts"] == {
        "user": 0,
        "planner": 0,
        "logicValidator": 0,
        "externalAdvisor": 0,
    }
    for number in (1, 2):
        world.advance(number, do.RunAgent)
        world.answer(world.due(do.RunAgent, number), ASK)
    world.tell(f.Resolve("esc-1", "left"))
    document = stored(world)
    assert document["escalationAttempts"]["user"] == 2
    records = document["escalationRecords"]
    assert [record["relatedTaskId"] for record in records] == ["task-1-1", "task-1-2"]
    assert [record["resolved"] for record in records] == [True, False]
    assert (records[0]["resolution"], records[0]["by"]) == ("left", "user")


def test_a_question_about_no_task_names_none() -> None:
    world = World(session(task(1), task(2), limits=Limits(attempts=1, questions=0)))
    failed(world, 1)
    kinds = {record["kind"]: record for record in stored(world)["escalationRecords"]}
    assert kinds["limit"]["relatedTaskId"] == ""
    assert kinds["failed"]["relatedTaskId"] == "task-1-1"


def test_a_decision_is_what_followed_and_not_what_usually_follows() -> None:
    world = World(session(task(1), limits=Limits(attempts=2, retry_delay=0.0)))
    failed(world, 1)
    failed(world, 1)
    assert decisions(world) == [("task-1-1", 1, "continue"), ("task-1-1", 2, "escalate")]
    world.tell(f.Resolve("esc-1", "skip"))
    assert decisions(world)[-1] == ("task-1-1", 2, "escalate")


def test_an_attempt_over_which_the_session_ended_has_no_decision() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.Cancel("enough", at_once=True))
    world.answer(world.due(do.StopAgent))
    assert [(entry["judgementResult"]["outcome"], entry["leaderDecision"]) for entry in history(world)] == [
        ("stopped", None)
    ]


def test_a_task_that_is_skipped_or_replaced_while_its_attempt_is_to_be_repeated_keeps_that_decision() -> None:
    world = led(task(1), task(2), limits=Limits(retry_delay=9.0), autonomy=2)
    failed(world, 1)
    world.advance(2, do.RunAgent)
    feedback = DifficultyFeedback("too large", requested_action="replan")
    world.tell(f.FeedbackGiven("task-2", 1, feedback))
    failed(world, 2)
    world.tell(f.SkipTask("task-1", "not needed"))
    say(world, "replan", STEPS)
    assert world.task(2).state == "REPLACED_BY_REPLAN"
    assert decisions(world) == [("task-1-1", 1, "continue"), ("task-1-2", 1, "continue")]


@pytest.mark.parametrize(
    ("feedback", "told"),
    [
        (
            ImplementationFeedback("partial", ("a.py",)),
            {"type": "implementation", "result": "partial", "changes": ["a.py"], "notes": ""},
        ),
        (
            ExplorationFeedback("two ways", ("take the first",)),
            {
                "type": "exploration",
                "findings": "two ways",
                "recommendations": ["take the first"],
                "confidence": "medium",
            },
        ),
        (
            DifficultyFeedback("no key", category="dependency", requested_action="escalate"),
            {
                "type": "difficulty",
                "issue": "no key",
                "attempts": [],
                "impediment": {"category": "dependency", "requestedAction": "escalate"},
                "suggestion": "",
                "paths": [],
            },
        ),
    ],
)
def test_what_an_agent_reported_is_told_in_the_shape_in_which_agents_report_it(
    feedback: Feedback, told: dict[str, Any]
) -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.FeedbackGiven("task-1", 1, feedback))
    failed(world, 1)
    assert history(world)[0]["workerFeedback"] == told
