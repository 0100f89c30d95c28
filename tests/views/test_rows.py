"""What a session waits for: since when, until when, and what happens then."""

from typing import Any

import pytest
from tests.core.leading import collected, crash, led, say
from tests.core.support import EXPECTED, World, planning, session, task
from tests.core.told import agent_ended, answered, work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Budget, Limits, Question, Usage
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.runs import AgentStatus
from teamlead.views.documents.sessions import (
    ApprovalPart,
    DifficultyPart,
    EvidenceCountPart,
    RunsSpentPart,
    TaskPart,
    WaitPart,
)
from teamlead.views.moments import iso
from teamlead.views.rows import session_view, task_view, view_rows
from teamlead.views.spending import spent_view

ASK = 5
CRASH = 1
EFFECTS: dict[str, type[do.AnyEffect]] = {
    "preparing": do.PrepareCopy,
    "working": do.RunAgent,
    "collecting": do.Collect,
    "checking": do.Check,
    "proving": do.Prove,
    "integrating": do.Integrate,
}


def task_waits(world: World, number: int) -> Any:
    return task_view(world.state, world.task(number))["waiting"]


def session_waits(world: World) -> dict[str, WaitPart]:
    found = session_view(world.state)["waiting"]
    assert len({item["what"] for item in found}) == len(found)
    return {item["what"]: item for item in found}


def asking(*others: int, **fields: Any) -> World:
    """The agent of the first task has asked something; the others have not started."""
    limits = fields.pop("limits", Limits(jobs=1))
    world = World(session(task(1), *(task(n, 1) for n in others), limits=limits, **fields))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent), ASK)
    return world


# Tasks


@pytest.mark.parametrize(
    ("phase", "reason", "seconds", "following"),
    [
        ("preparing", "its working copy is being made (attempt 1)", None, "goes on by itself"),
        (
            "working",
            "its agent works (attempt 1)",
            300.0,
            "at the deadline the agent is ended and the attempt counts as failed",
        ),
        ("collecting", "its work is being committed (attempt 1)", None, "goes on by itself"),
        ("checking", "its checks run (attempt 1)", 40.0, "at the deadline the check counts as failed"),
        (
            "proving",
            "further runs show whether its checks prove it (attempt 1)",
            None,
            "goes on by itself",
        ),
        ("integrating", "its work is being merged (attempt 1)", None, "goes on by itself"),
    ],
)
def test_each_step_of_an_attempt_says_since_when_and_until_when(
    phase: str, reason: str, seconds: float | None, following: str
) -> None:
    limits = Limits(hard_timeout=300.0, check_timeout=40.0, proof_times=2.0)
    world = World(session(task(1, checks=("make",)), limits=limits))
    for effect in list(EFFECTS.values())[: list(EFFECTS).index(phase)]:
        world.now += 7.0
        world.answer(world.due(effect))
    assert task_view(world.state, world.task(1))["step"] == phase
    assert task_waits(world, 1) == WaitPart(
        what="task-1",
        reason=reason,
        since=iso(world.now),
        deadline=iso(world.now + seconds) if seconds else None,
        next=following,
    )


def test_that_inputs_of_its_judge_are_run_on_its_work_is_a_step() -> None:
    world = led(task(1), consultants=("judge",), judged="all", judge_inputs=True)
    collected(world)
    say(world, "examples", EXPECTED)
    assert task_view(world.state, world.task(1))["step"] == "trying"
    assert (
        task_waits(world, 1)["reason"] == "inputs that its judge thought of are run on its work (attempt 1)"
    )


@pytest.mark.parametrize("until", [do.RunAgent, do.Check])
def test_without_a_limit_there_is_no_deadline(until: type[do.AnyEffect]) -> None:
    limits = Limits(hard_timeout=0.0, check_timeout=0.0)
    world = World(session(task(1, checks=("make",)), limits=limits))
    world.advance(1, until)
    assert task_waits(world, 1)["deadline"] is None
    assert task_waits(world, 1)["next"] == "goes on by itself"


def test_an_attempt_that_is_being_ended_says_so() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.Cancel("enough", at_once=True))
    assert task_waits(world, 1)["reason"] == "its agent is being ended (attempt 1)"
    assert task_waits(world, 1)["deadline"] is None


def test_an_agent_that_is_to_leave_is_waited_for_until_a_moment_with_what_follows() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.Cancel("enough"))
    waits = task_waits(world, 1)
    assert waits["reason"] == "it was asked to leave, and has not answered"
    assert waits["deadline"] == iso(world.now + 60)
    assert waits["next"].startswith("at the deadline it is asked once more; teamlead cancel s-1 --now")
    world.tell(f.ShutdownAnswered("task-1", 1, "msg-1", approve=False, reason="not yet"))
    assert task_waits(world, 1)["reason"] == "it was asked to leave, and does not want to: not yet"
    world.answer(world.due(do.AwaitAnswer))
    assert task_waits(world, 1)["next"].startswith("at the deadline it is ended")


def test_a_task_that_crashed_says_when_it_is_tried_again_and_why() -> None:
    world = World(session(task(1), limits=Limits(retry_delay=2.0)))
    world.advance(1, do.RunAgent)
    world.now += 5.0
    world.answer(world.due(do.RunAgent), CRASH)
    waits = task_waits(world, 1)
    assert waits["reason"].startswith("to be tried again: ")
    assert "it crashed" in waits["reason"]
    assert (waits["since"], waits["deadline"]) == (iso(world.now), iso(world.now + 2.0))
    assert waits["next"] == "attempt 2 starts"
    assert "tasks to start" not in session_waits(world)


def test_a_task_that_is_left_to_the_decision_on_the_whole_plan_is_not_to_start() -> None:
    limits = Limits(attempts=1, jobs=3, retry_delay=0.0, replans=9)
    world = World(session(*map(task, (1, 2, 3)), consultants=("planner",), limits=limits))
    for number in (1, 2, 3):
        crash(world, number)
    assert world.task(3).blocked == "PLANNER"
    waits = session_waits(world)
    assert "planner" in waits
    assert "tasks to start" not in waits


def test_a_task_that_has_not_started_or_is_done_waits_for_nothing_of_its_own() -> None:
    world = World(session(task(1)), led=False)
    assert task_waits(world, 1) is None
    world.tell(f.LeaderArrived(1, "leader"))
    world.finish(1)
    assert task_waits(world, 1) is None


def test_the_deadline_of_a_later_check_counts_from_its_own_start() -> None:
    world = World(session(task(1, checks=("one", "two")), limits=Limits(check_timeout=40.0)))
    world.advance(1, do.Check)
    world.now += 30.0
    world.answer(world.due(do.Check))
    assert world.due(do.Check).command == "two"
    assert task_waits(world, 1)["deadline"] == iso(world.now + 40.0)


def test_a_task_that_is_tried_again_at_once_is_one_of_those_to_start() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=1, retry_delay=0.0)))
    world.advance(1, do.RunAgent)
    world.tell(f.LeaderDraining("ctrl-c"))
    world.tell(agent_ended("task-1", 1, "error"))
    assert world.task(1).state == "NEEDS_CONTINUATION"
    assert task_waits(world, 1) is None
    assert session_waits(world)["tasks to start"]["reason"].startswith("2 tasks to start")


def test_rows_mark_the_tasks_that_wait_for_something() -> None:
    world = World(session(task(1), task(2, 1)))
    rows = view_rows(world.state, ["task-2", "task-1"])
    assert [(row.id, row.state, row.waiting) for row in rows.tasks] == [
        ("task-2", "READY", False),
        ("task-1", "RUNNING", True),
    ]


# Sessions


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_to_start_are_counted_without_those_that_run(jobs: int) -> None:
    world = World(session(*(task(n) for n in range(1, 5)), limits=Limits(jobs=jobs)))
    waits = session_waits(world)
    assert list(waits) == ["tasks to start"]
    reason = waits["tasks to start"]["reason"]
    assert reason == f"{4 - jobs} tasks to start after other tasks, or when a seat is free (jobs: {jobs})"
    assert waits["tasks to start"]["next"] == "they start by themselves"
    assert waits["tasks to start"]["deadline"] is None


def test_one_task_to_start_is_singular_and_none_is_not_listed() -> None:
    world = World(session(task(1), task(2, 1)))
    assert session_waits(world)["tasks to start"]["reason"].startswith("1 task to start after")
    world.finish(1)
    assert session_waits(world) == {}


def test_blocked_tasks_and_held_ones_are_not_counted_among_those_to_start() -> None:
    world = asking(2, 3)
    assert session_waits(world)["tasks to start"]["reason"].startswith("2 tasks to start")
    alone = asking()
    assert "tasks to start" not in session_waits(alone)


def test_a_question_says_how_it_is_answered() -> None:
    world = asking()
    assert session_waits(world) == {
        "task-1 (esc-1)": WaitPart(
            what="task-1 (esc-1)",
            reason=world.state.open["esc-1"].reason,
            since=iso(world.now),
            deadline=None,
            next="teamlead resolve s-1 --escalation-id esc-1 --resolution TEXT",
        )
    }


def test_questions_beyond_the_limit_are_told_with_their_number() -> None:
    limits = Limits(jobs=3, attempts=1, questions=1)
    world = World(session(task(1), task(2), task(3), limits=limits))
    for number in (1, 2, 3):
        world.now += 1.0
        crash(world, number)
    assert len(world.state.held) == 2
    held = session_waits(world)["held questions"]
    assert held["reason"] == "2 more questions are held back by the limit on questions"
    assert held["since"] == iso(next(iter(world.state.held.values())).raised_at)
    assert held["since"] != iso(world.now)
    assert held["next"] == "answer the open questions first"
    assert "tasks to start" not in session_waits(world)


def test_finished_work_waits_for_approval() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.now += 50.0
    world.tell()
    waits = session_waits(world)
    assert list(waits) == ["approval"]
    assert waits["approval"]["reason"] == "the finished work waits for your approval"
    assert waits["approval"]["since"] == iso(world.now - 50.0)
    assert waits["approval"]["next"] == "teamlead approve s-1, or teamlead reject s-1"


def test_an_approval_that_was_not_possible_says_why_until_it_is_tried_again() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(world.approval())
    assert session_waits(world) == {}
    world.tell(f.ApprovalImpossible("the branch has moved"))
    assert session_waits(world)["approval"]["reason"] == "the branch has moved"
    assert session_view(world.state)["approval_refused"] == "the branch has moved"
    world.tell(world.approval())
    assert session_waits(world) == {}


def test_without_a_leader_somebody_must_resume_what_is_left() -> None:
    world = World(session(task(1), task(2, 1)))
    world.tell(f.LeaderLeft("it was interrupted"))
    waits = session_waits(world)
    assert waits["tasks to start"]["next"] == "teamlead resume s-1"
    assert waits["session"] == WaitPart(
        what="session",
        reason="no leader runs: it was interrupted",
        since=iso(world.state.updated_at),
        deadline=None,
        next="teamlead resume s-1",
    )


def test_a_session_that_was_never_led_says_so() -> None:
    world = World(session(task(1)), led=False)
    assert session_waits(world)["session"]["reason"] == "no leader runs: not started yet"


def test_where_nothing_moves_the_rest_starts_after_the_answers_to_open_questions() -> None:
    world = asking(2)
    assert session_waits(world)["tasks to start"]["next"] == "they start after your answers"
    world.tell(f.LeaderLeft("nothing can move"))
    assert session_waits(world)["tasks to start"]["next"] == "they start after your answers"
    world.tell(f.Resolve("esc-1", "left"))
    assert session_waits(world)["tasks to start"]["next"] == "teamlead resume s-1"


@pytest.mark.parametrize("led", [True, False])
def test_a_session_that_has_ended_waits_for_nothing(led: bool) -> None:
    world = World(session(task(1), task(2, 1), limits=Limits(jobs=1)), led=led)
    world.tell(f.Cancel("enough"))
    assert world.state.final
    assert session_waits(world) == {}


def test_finished_work_without_a_leader_waits_for_approval_only() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(f.LeaderLeft("a person is needed"))
    assert list(session_waits(world)) == ["approval"]


# The views themselves


def test_a_finished_task_tells_what_it_came_to() -> None:
    world = World(session(task(1), task(2, 1, agent="codex", type="investigation", role="scout")))
    world.now += 10.0
    world.finish(1)
    first = task_view(world.state, world.task(1))
    assert first == TaskPart(
        id="task-1",
        title="Title 1",
        state="DONE",
        attempts_total=1,
        branch="teamlead/s-1/task-1",
        depends_on=(),
        stage="",
        member="task-1",
        member_state="left",
        type="implementation",
        role="worker",
        agent="scripted",
        model="",
        effort="",
        since=iso(1010.0),
        step=None,
        started_at=iso(1000.0),
        ended_at=iso(1010.0),
        paused=False,
        reason="",
        summary="done",
        commit="task-1@1",
        files_total=1,
        lines_added=3,
        lines_deleted=1,
        kept="",
        spent=RunsSpentPart(
            input_tokens=None,
            output_tokens=None,
            cost_usd=None,
            unpriced=1,
            turns=0,
            runs=1,
            agent_seconds=0.0,
        ),
        budget=None,
        progress="",
        word=None,
        difficulties=(),
        evidence=EvidenceCountPart(
            verdicts={"proven": 3, "refused": 0, "objected": 0, "flagged": 0, "unknown": 1}, flags=()
        ),
        denials=(),
        trespasses=(),
        remarks=(),
        unread=(),
        waiting=None,
    )
    second = task_view(world.state, world.task(2))
    assert (second["agent"], second["type"], second["role"]) == ("codex", "investigation", "scout")
    assert second["depends_on"] == ("task-1",)


def test_a_blocked_task_says_what_kind_of_answer_it_needs() -> None:
    world = asking()
    view = task_view(world.state, world.task(1))
    assert view["state"] == "BLOCKED"
    assert view["reason"].startswith("QUESTION: ")
    assert "Which one?" in view["reason"]


def test_a_session_tells_what_was_applied_and_how_to_undo_it() -> None:
    world = World(session(task(1)))
    world.finish(1)
    assert session_view(world.state)["approval"] is None
    world.tell(world.approval())
    asked = session_view(world.state)["approval"]
    assert asked is not None
    assert asked["commit"] == ""
    world.tell(f.ApprovalMade("c0ffee", "main", "before", "git undo"))
    view = session_view(world.state)
    assert view["approval"] == ApprovalPart(
        by="user", person=None, branch="main", commit="c0ffee", before="before", undo="git undo"
    )
    assert view["rejected"] == ""
    assert (view["tasks_total"], view["tasks_done"], view["tasks_unsettled"]) == (1, 1, 0)


def test_a_difficulty_with_which_the_agent_goes_on_stands_with_its_task() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    hard = DifficultyFeedback("it is slow\nand hot", category="technical", requested_action="continue")
    world.tell(f.FeedbackGiven("task-1", 1, hard))
    world.finish(1)
    (told,) = task_view(world.state, world.task(1))["difficulties"]
    assert told == DifficultyPart(issue="it is slow …", category="technical", requested_action="continue")


def test_a_rejected_session_says_why() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(f.Reject("not what I meant"))
    assert "not what I meant" in session_view(world.state)["rejected"]


def test_what_is_unknown_of_the_usage_stays_unknown() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", usage=Usage(input_tokens=7, cost_usd=0.5)))
    spent = session_view(world.state)["spent"]
    assert (spent["input_tokens"], spent["output_tokens"], spent["cost_usd"]) == (7, None, 0.5)


@pytest.mark.parametrize("usages", [(Usage(), Usage(0, 0, 0.0)), (Usage(0, 0, 0.0), Usage())])
def test_what_an_agent_did_not_tell_stays_unknown_although_another_used_nothing(
    usages: tuple[Usage, ...],
) -> None:
    world = World(session(task(1), task(2)))
    for number, usage in enumerate(usages, 1):
        world.advance(number, do.RunAgent)
        world.tell(agent_ended(f"task-{number}", 1, "ok", usage=usage))
    for spent in (session_view(world.state)["spent"], spent_view(world.state.runs.values())):
        assert (spent["input_tokens"], spent["output_tokens"], spent["cost_usd"]) == (None, None, None)
        assert spent["unpriced"] == 1


def test_an_answered_question_tells_who_answered_what_and_when() -> None:
    world = asking()
    (before,) = session_view(world.state)["questions"]
    assert (before["state"], before["closed_at"]) == ("open", None)
    assert (before["text"], before["options"]) == ("Which one?", ("left", "right"))
    assert before["tasks"] == ({"id": "task-1", "attempt": 1, "reason": before["reason"]},)
    world.tell(f.Resolve("esc-1", "left"))
    assert session_view(world.state)["questions"] == ()


# Agents that cannot go on


def limited(*numbers: int, reset_at: float | None = None, status: AgentStatus = "limit") -> World:
    """The agent of the first task met a limit of its account; nothing else has started."""
    world = World(session(task(1), *(task(n) for n in numbers), limits=Limits(jobs=1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, status, detail="come back later", reset_at=reset_at))
    return world


def test_a_limit_is_a_wait_with_its_reason_and_the_moment_it_ends() -> None:
    world = limited(2, reset_at=1600.0)
    held = session_waits(world)["agent scripted"]
    assert held["reason"] == "come back later"
    assert (held["since"], held["deadline"]) == (iso(1000.0), iso(1600.0))
    assert held["next"] == "its tasks go on by themselves"
    retried = task_waits(world, 1)
    assert (retried["deadline"], retried["next"]) == (iso(1600.0), "attempt 2 starts")
    (view,) = session_view(world.state)["holds"]
    assert (view["agent"], view["until"]) == ("scripted", iso(1600.0))
    assert session_waits(world)["tasks to start"]["reason"].endswith("and not while scripted is on hold")


def test_an_agent_that_is_let_in_nowhere_is_a_question_without_a_deadline() -> None:
    world = limited(2, status="denied")
    waits = session_waits(world)
    assert "agent scripted" not in waits
    assert waits["esc-1"]["reason"] == "scripted cannot be used: come back later"
    assert waits["tasks to start"]["next"] == "they start after your answers"
    assert task_waits(world, 1)["next"] == "attempt 2 starts after your answer"


def test_an_ended_session_holds_nobody() -> None:
    world = limited(2, status="denied")
    assert session_view(world.state)["holds"]
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.final
    assert session_view(world.state)["holds"] == ()


def test_a_question_that_is_asked_while_the_agent_works_is_told_apart() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=1)))
    world.advance(1, do.RunAgent)
    world.tell(f.Asked("task-1", 1, Question("Which?"), "call-1"))
    assert session_waits(world)["task-1 (esc-1)"]["reason"] == "task-1 asks while it works"
    assert session_waits(world)["tasks to start"]["reason"].startswith("1 task to start")
    world.tell(f.QuestionParked("task-1", 1, "esc-1"))
    assert "goes on with your answer" in session_waits(world)["task-1 (esc-1)"]["reason"]
    (view,) = session_view(world.state)["questions"]
    assert (view["tasks"][0]["attempt"], view["parked"]) == (1, True)


def test_a_budget_is_shown_where_it_holds() -> None:
    spec = session(task(1, budget=Budget(turns=9)), task(2), budget=Budget(tokens=1000))
    world = World(spec)
    world.advance(1, do.RunAgent)
    usage = Usage(input_tokens=300, output_tokens=100)
    world.tell(agent_ended("task-1", 1, "ok", usage=usage, turns=2))
    (session_budget,) = session_view(world.state)["budgets"]
    assert (session_budget["scope"], session_budget["spent"]["tokens"]) == ("session", 400)
    assert session_budget["limit"]["tokens"] == 1000
    own = task_view(world.state, world.task(1))["budget"]
    assert own is not None
    assert (own["scope"], own["spent"]["turns"], own["limit"]["turns"]) == ("task:task-1", 2, 9)
    assert task_view(world.state, world.task(2))["budget"] is None


def test_what_an_agent_says_of_its_work_is_in_its_row() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.Reported("task-1", 1, "half of the tests pass"))
    world.tell(f.TaskUpdated("task-1", 1, "task-1", "blocked", "no database"))
    world.tell(f.Tell("task-1", "use SQLite"))
    view = task_view(world.state, world.task(1))
    assert (view["progress"], view["word"], view["unread"]) == (
        "half of the tests pass",
        "blocked",
        ("msg-1",),
    )
    assert session_view(world.state)["messages_total"] == 1
    world.tell(agent_ended("task-1", 1, "ok", denials=("Write: not in its scope",)))
    assert task_view(world.state, world.task(1))["denials"] == ("Write: not in its scope",)
    world.tell(work_found("task-1", 1, "", trespasses=("main was moved",), remarks=("a stash is gone",)))
    view = task_view(world.state, world.task(1))
    assert (view["trespasses"], view["remarks"]) == (("main was moved",), ("a stash is gone",))


def test_a_paused_task_says_who_paused_it_what_waits_for_it_and_how_to_go_on() -> None:
    world = World(session(task(1), task(2, 1), task(3), limits=Limits(jobs=1)))
    world.advance(1, do.RunAgent)
    world.tell(f.PauseTask("task-1"))
    said = "paused by user; task-2 cannot start before it is done"
    assert task_waits(world, 1)["next"] == f"{said}; teamlead retry task-1"
    world.answer(world.due(do.StopAgent))
    waits = task_waits(world, 1)
    assert (waits["reason"], waits["next"]) == (said, "teamlead retry task-1")
    assert task_view(world.state, world.task(1))["paused"] is True
    world.finish(3)
    assert session_waits(world)["tasks to start"]["reason"].startswith("1 task to start after")


def test_the_agent_of_a_task_is_the_one_that_is_to_go_on() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.ReassignTask("task-1", "codex"), f.PauseTask("task-1"))
    assert task_view(world.state, world.task(1))["agent"] == "scripted"
    world.answer(world.due(do.StopAgent))
    assert task_view(world.state, world.task(1))["agent"] == "codex"


# Models that are asked


def judging(**fields: Any) -> World:
    world = World(session(task(1, acceptance=("it does",)), consultants=("judge",), **fields))
    world.now += 5.0
    world.advance(1)
    return world


def test_a_judge_at_work_is_waited_for_and_listed() -> None:
    world = judging()
    assert session_waits(world)["task-1-judge"] == WaitPart(
        what="task-1-judge",
        reason="its work is being judged (attempt 1)",
        since=iso(1005.0),
        deadline=iso(1005.0 + 3600.0),
        next="its answer decides what comes next",
    )
    assert task_waits(world, 1) is None
    (found,) = session_view(world.state)["consultations"]
    assert (found["id"], found["role"], found["purpose"]) == ("task-1-judge-1", "judge", "judge")
    assert (found["started_at"], found["ended_at"], found["answer"]) == (iso(1005.0), None, "")
    world.answer(world.due(do.RunAgent))
    assert session_view(world.state)["consultations"] == ()


def test_a_judge_whose_account_has_to_wait_is_waited_for_until_then() -> None:
    world = judging()
    world.tell(answered("task-1-judge-1", "limit", problem="429", reset_at=world.now + 300.0))
    waits = session_waits(world)["task-1-judge"]
    assert waits["reason"] == "to be asked: its work is being judged (attempt 1)"
    assert waits["deadline"] == iso(world.now + 300.0)
    assert waits["next"] == "it is asked by itself"


def test_what_is_open_with_a_model_is_no_question_for_the_user() -> None:
    limits = Limits(attempts=1, jobs=1)
    world = World(session(task(1), task(2), consultants=("planner",), limits=limits))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent, 1), CRASH)
    (record,) = session_view(world.state)["questions"]
    assert (record["to"], record["tasks"][0]["id"], record["state"]) == ("planner", "task-1", "open")
    assert session_waits(world)["task-1-planner"]["reason"].startswith(
        "the planner is asked how else it can be done"
    )


def test_a_judge_on_hold_is_asked_after_answers_also_where_nobody_leads() -> None:
    world = judging()
    world.tell(answered("task-1-judge-1", "denied", problem="401"))
    assert not world.state.askable
    world.tell(f.LeaderLeft("nothing can move without a person"))
    assert session_waits(world)["task-1-judge"]["next"] == "it is asked after your answers"


def test_a_planning_names_no_branch_and_no_work_to_look_at() -> None:
    world = World(planning())
    world.answer(world.due(do.RunAgent))
    view = task_view(world.state, world.task(1))
    assert (view["branch"], view["evidence"]["flags"]) == ("", ())
