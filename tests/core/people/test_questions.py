"""What agents ask while they work, parked or not, answered before or after they have ended."""

from typing import Any

import pytest
from tests.core.leading import ONE_ATTEMPT, replan
from tests.core.support import World, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Concern, Limits, Question
from teamlead.core.reports import Blocker, DifficultyFeedback, Feedback, ImplementationFeedback, Result
from teamlead.core.runs import AgentStatus

WHICH = Question("Left or right?", ("left", "right"))
WHEN = Question("Now or later?")


def working(**fields: Any) -> World:
    world = World(session(task(1), **fields))
    world.advance(1, do.RunAgent)
    return world


def asks(world: World, question: Question = WHICH, call: str = "call-1") -> str:
    world.tell(f.Asked("task-1", len(world.task(1).attempts), question, call))
    return world.state.calls[call]


def ends(world: World, status: AgentStatus = "ok", **fields: Any) -> None:
    world.tell(agent_ended("task-1", len(world.task(1).attempts), status, **fields))


def starts(world: World) -> int:
    return sum(isinstance(event, e.AttemptStarted) for _, event in world.log)


def refusal(world: World, fact: f.AnyFact) -> str:
    return str(world.tell(fact).refusals[0])


def test_an_attempt_goes_on_while_its_question_is_open_and_gets_the_answer_as_guidance() -> None:
    world = working()
    name = asks(world)
    assert world.task(1).state == "RUNNING"
    record = world.state.open[name]
    assert (record.kind, record.asker, record.call) == ("question", Concern("task-1", 1), "call-1")
    world.tell(f.Resolve(name, "left"))
    assert world.task(1).guidance == [("Left or right?", "left")]
    assert (world.task(1).attempts[0].guided, world.task(1).live) == (0, world.task(1).attempts[0])
    world.finish(1)
    assert starts(world) == 1


def test_the_same_call_repeated_raises_nothing_new_also_after_its_attempt_has_ended() -> None:
    world = working()
    name = asks(world)
    assert world.tell(f.Asked("task-1", 1, WHEN, "call-1")).events == []
    ends(world)
    assert world.tell(f.Asked("task-1", 1, WHICH, "call-1")).events == []
    assert "not at work" in refusal(world, f.Asked("task-1", 1, WHICH, "call-2"))
    assert list(world.state.escalations) == [name]


def test_an_empty_question_is_refused() -> None:
    assert "empty question" in refusal(working(), f.Asked("task-1", 1, Question(" "), "call-1"))


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("ok", "asked"),
        ("lost", "lost"),
        ("interrupted", "interrupted"),
        ("limit", "held"),
        ("unavailable", "held"),
    ],
)
def test_an_attempt_that_ends_before_the_answer_waits_for_it_and_starts_once(
    status: AgentStatus, outcome: str
) -> None:
    world = working()
    name = asks(world)
    ends(world, status)
    assert (world.task(1).state, world.task(1).blocked) == ("BLOCKED", "QUESTION")
    assert world.task(1).attempts[0].outcome == outcome
    world.now += 1000
    world.tell(f.Resolve(name, "left"))
    assert starts(world) == 2
    assert world.task(1).attempts[1].guided == 1
    assert "resolved already" in refusal(world, f.Resolve(name, "right"))
    assert starts(world) == 2


@pytest.mark.parametrize("status", ["lost", "interrupted", "limit", "unavailable"])
def test_an_answer_that_came_before_the_end_leaves_nothing_to_wait_for(status: AgentStatus) -> None:
    world = working()
    world.tell(f.Resolve(asks(world), "left"))
    ends(world, status)
    world.now += 1000
    world.tell()
    assert (starts(world), world.task(1).attempts[1].guided) == (2, 1)


@pytest.mark.parametrize("order", [("call-1", "call-2"), ("call-2", "call-1")])
def test_of_two_questions_the_last_answer_resumes_the_task_in_either_order(order: tuple[str, str]) -> None:
    world = working()
    names = {"call-1": asks(world), "call-2": asks(world, WHEN, "call-2")}
    ends(world)
    first, last = (names[call] for call in order)
    world.tell(f.Resolve(first, "one"))
    assert (world.task(1).state, starts(world)) == ("BLOCKED", 1)
    world.tell(f.Resolve(last, "two"))
    assert (world.task(1).state, starts(world)) == ("RUNNING", 2)
    assert [answer for _, answer in world.task(1).guidance] == ["one", "two"]
    assert world.task(1).attempts[1].guided == 2


def test_a_question_at_the_end_and_an_open_one_are_both_waited_for() -> None:
    world = working()
    name = asks(world)
    ends(world, question=WHEN)
    assert list(world.state.open) == [name, "esc-2"]
    world.tell(f.Resolve("esc-2", "now"))
    assert world.task(1).state == "BLOCKED"
    world.tell(f.Resolve(name, "left"))
    assert world.task(1).state == "RUNNING"


def test_an_agent_told_to_end_its_turn_is_resumed_with_an_answer_that_came_meanwhile() -> None:
    world = working()
    name = asks(world)
    world.tell(f.QuestionParked("task-1", 1, name))
    world.tell(f.Resolve(name, "left"))
    ends(world, conversation="c-1")
    assert world.task(1).attempts[0].outcome == "asked"
    assert (world.task(1).state, starts(world)) == ("RUNNING", 2)
    world.finish(1)
    assert starts(world) == 2


def test_an_agent_told_to_end_its_turn_is_resumed_with_an_answer_that_comes_later() -> None:
    world = working()
    name = asks(world)
    world.tell(f.QuestionParked("task-1", 1, name))
    ends(world)
    assert world.task(1).state == "BLOCKED"
    world.now += 5 * 86400
    world.tell(f.Resolve(name, "left"))
    world.finish(1)
    assert starts(world) == 2


def test_a_question_that_was_answered_in_time_cannot_be_parked_any_more() -> None:
    world = working()
    name = asks(world)
    world.tell(f.Resolve(name, "left"))
    assert world.tell(f.QuestionParked("task-1", 1, name)).events == []
    world.finish(1)
    assert starts(world) == 1


def test_parking_twice_is_parking_once_and_only_ones_own_question() -> None:
    world = working()
    name = asks(world)
    assert world.tell(f.QuestionParked("task-1", 1, name)).events
    assert world.tell(f.QuestionParked("task-1", 1, name)).events == []
    assert "did not ask 'esc-9'" in refusal(world, f.QuestionParked("task-1", 1, "esc-9"))


def test_a_leader_that_is_lost_with_a_question_open_loses_neither() -> None:
    world = working()
    name = asks(world)
    world.check_replay()
    world.tell(f.LeaderArrived(2, "next"))
    ends(world, "lost")
    assert world.task(1).blocked == "QUESTION"
    world.tell(f.Resolve(name, "left"))
    assert starts(world) == 2


def test_an_answer_given_while_nobody_leads_is_there_for_the_next_leader() -> None:
    world = working()
    name = asks(world)
    world.tell(f.LeaderLeft("killed"))
    world.tell(f.Resolve(name, "left"))
    world.tell(f.LeaderArrived(2, "next"))
    ends(world, "lost")
    assert (starts(world), world.task(1).attempts[1].guided) == (2, 1)


@pytest.mark.parametrize("status", ["error", "timeout"])
def test_a_failure_goes_its_usual_way_and_the_answer_becomes_guidance(status: AgentStatus) -> None:
    world = working(limits=Limits(attempts=2, retry_delay=0.0))
    name = asks(world)
    ends(world, status)
    assert (world.task(1).state, starts(world)) == ("RUNNING", 2)
    world.tell(f.Resolve(name, "left"))
    assert world.task(1).guidance == [("Left or right?", "left")]
    assert starts(world) == 2


def test_an_answer_does_not_unblock_a_task_that_waits_for_another_word() -> None:
    world = working(limits=Limits(attempts=1))
    name = asks(world)
    ends(world, "error")
    assert world.task(1).blocked == "FAILED"
    world.tell(f.Resolve(name, "left"))
    assert world.task(1).blocked == "FAILED"
    world.tell(f.Resolve("esc-2", "retry"))
    assert world.task(1).state == "RUNNING"


def test_a_question_of_an_earlier_attempt_is_withdrawn_when_its_task_is_done() -> None:
    world = working(limits=Limits(retry_delay=0.0))
    name = asks(world)
    ends(world, "error")
    world.finish(1)
    assert world.state.escalations[name].state == "withdrawn"
    assert world.state.phase == "AWAITING_APPROVAL"


def test_a_merge_found_after_a_crash_withdraws_what_its_attempt_still_asked() -> None:
    world = working()
    name = asks(world)
    world.tell(f.Merged("task-1", 1, "commit", "tip"))
    assert world.state.escalations[name].state == "withdrawn"


@pytest.mark.parametrize("word", ["skip", "replace", "cancel"])
def test_what_ends_a_task_withdraws_its_open_question(word: str) -> None:
    world = working(consultants=("planner",), limits=ONE_ATTEMPT)
    name = asks(world)
    if word == "replace":
        replan(world, 1, task(2))
    else:
        world.tell(f.SkipTask("task-1", "not needed") if word == "skip" else f.Cancel("enough"))
    assert world.state.escalations[name].state == "withdrawn"
    assert "withdrawn already" in refusal(world, f.Resolve(name, "left"))


def test_skipping_at_one_question_withdraws_the_others_of_the_task() -> None:
    world = working(limits=Limits(attempts=1))
    name = asks(world)
    ends(world, "error")
    world.tell(f.Resolve("esc-2", "skip"))
    assert world.state.escalations[name].state == "withdrawn"
    assert world.task(1).state == "SKIPPED"


DIFFICULTY = DifficultyFeedback(
    "which library?", ("a",), "ambiguity", requested_action="clarification", suggestion="take b"
)


@pytest.mark.parametrize(("action", "kind"), [("clarification", "question"), ("escalate", "technical")])
def test_a_difficulty_is_asked_about_at_once_where_the_lead_reacts(action: Any, kind: str) -> None:
    world = working(autonomy=2)
    feedback = DifficultyFeedback("which library?", requested_action=action)
    world.tell(f.FeedbackGiven("task-1", 1, feedback))
    assert [r.kind for r in world.state.open.values()] == [kind]
    assert world.tell(f.FeedbackGiven("task-1", 1, feedback)).events == []
    ends(world)
    assert len(world.state.escalations) == 1
    assert world.task(1).blocked == "QUESTION"


def test_a_difficulty_is_asked_about_at_the_end_where_the_lead_does_not_react() -> None:
    world = working(autonomy=1)
    world.tell(f.FeedbackGiven("task-1", 1, DIFFICULTY))
    assert not world.state.open
    ends(world)
    (record,) = world.state.open.values()
    assert record.question
    assert record.question.text == "which library?\nTried: a\nSuggested: take b"
    assert world.task(1).blocked == "QUESTION"
    world.tell(f.Resolve(record.id, "take b"))
    world.finish(1)
    assert starts(world) == 2


@pytest.mark.parametrize(
    "feedback",
    [
        DifficultyFeedback("slow", requested_action="continue"),
        ImplementationFeedback("failed"),
    ],
)
@pytest.mark.parametrize("autonomy", [1, 2])
def test_other_feedback_is_kept_and_asks_nobody(feedback: Feedback, autonomy: int) -> None:
    world = working(autonomy=autonomy)
    world.tell(f.FeedbackGiven("task-1", 1, feedback))
    assert world.task(1).attempts[0].feedback == feedback
    world.finish(1)
    assert not world.state.escalations


@pytest.mark.parametrize("status", ["PARTIAL", "FAILED"])
def test_an_agent_that_says_itself_that_it_is_not_done_is_believed(status: Any) -> None:
    world = working(limits=Limits(attempts=2))
    result = Result(status, "half of it", "none", (), 40, "a guess", blockers=(Blocker("no access"),))
    world.tell(f.ResultSubmitted("task-1", 1, result))
    ends(world)
    first = world.task(1).attempts[0]
    assert (first.outcome, first.result) == ("refused", result)
    assert first.reasons == (f"its own result is {status}: half of it; blocked by: no access",)
    assert world.task(1).state == "RUNNING"


def test_a_result_of_success_changes_nothing_about_what_is_checked() -> None:
    world = working()
    world.tell(f.ResultSubmitted("task-1", 1, Result("SUCCESS", "done", "none", (), 90, "tests pass")))
    ends(world)
    assert world.due(do.Collect)


def test_an_agent_may_report_and_note_but_only_about_its_own_task() -> None:
    world = working()
    world.tell(f.Reported("task-1", 1, "half way"))
    world.tell(f.TaskUpdated("task-1", 1, "task-1", "blocked", "no access"))
    attempt = world.task(1).attempts[0]
    assert (attempt.progress, attempt.word, attempt.note) == ("half way", "blocked", "no access")
    assert world.task(1).state == "RUNNING"
    assert "task-2 is not yours" in refusal(world, f.TaskUpdated("task-1", 1, "task-2", "done"))
