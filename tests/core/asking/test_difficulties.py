"""Difficulties that agents report while they work, where the lead acts on them at once; and scopes."""

from typing import Any

import pytest
from tests.core.leading import (
    EVERYBODY,
    STEPS,
    SURE,
    asked,
    crash,
    led,
    mumble,
    options,
    question,
    records,
    report,
    say,
    text,
)
from tests.core.support import World, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.answers import Analysis
from teamlead.core.model import Budget, Limits, Usage
from teamlead.core.reports import DifficultyFeedback, ImplementationFeedback
from teamlead.core.state.indexes import MOST_DIFFICULTIES


def at_work(consultants: tuple[str, ...] = EVERYBODY, **fields: Any) -> World:
    """Task 1 at work, and the lead reacts to what its agent says."""
    world = led(task(1), task(2, 1), consultants=consultants, autonomy=2, **fields)
    world.advance(1, do.RunAgent)
    return world


def tell(world: World, issue: str = "it hangs", **fields: Any) -> None:
    feedback = DifficultyFeedback(issue, **{"requested_action": "escalate"} | fields)
    world.tell(f.FeedbackGiven("task-1", len(world.task(1).attempts), feedback))


def ends(world: World) -> None:
    world.tell(agent_ended("task-1", len(world.task(1).attempts), "ok", summary="done"))


def test_what_agents_at_work_have_reserved_is_awaited_before_anybody_is_asked_about_money() -> None:
    world = at_work(("validator",), limits=Limits(jobs=1), budget=Budget(cost_usd=1.0))
    tell(world, category="technical")
    assert (list(world.state.wanted), world.state.open) == (["task-1-validator-1"], {})
    world.tell(agent_ended("task-1", 1, "ok", usage=Usage(cost_usd=0.1)))
    assert list(world.state.advising) == ["task-1-validator-1"]


def test_a_difficulty_stands_although_the_agent_reports_something_else_after_it() -> None:
    world = at_work()
    tell(world, "it is slow", requested_action="continue")
    tell(world, "it is slow", requested_action="continue")
    world.tell(f.FeedbackGiven("task-1", 1, ImplementationFeedback("success")))
    assert [each.issue for each in world.task(1).attempts[0].difficulties] == ["it is slow"]
    assert not world.state.escalations


def test_of_difficulties_without_end_the_latest_are_kept() -> None:
    world = at_work()
    for number in range(MOST_DIFFICULTIES + 3):
        tell(world, f"{number}", requested_action="continue")
    kept = [each.issue for each in world.task(1).attempts[0].difficulties]
    assert (len(kept), kept[-1]) == (MOST_DIFFICULTIES, f"{MOST_DIFFICULTIES + 2}")


def test_at_the_lower_level_nobody_is_asked_before_the_agent_has_ended() -> None:
    world = led(task(1), autonomy=1)
    world.advance(1, do.RunAgent)
    tell(world)
    assert not world.state.escalations
    ends(world)
    assert records(world) == [("technical", "logicValidator", "open")]


def test_advice_is_sent_to_the_agent_while_it_works() -> None:
    world = at_work()
    tell(world)
    assert asked(world, "validate").attempt == 1
    assert world.task(1).state == "RUNNING"
    turn = say(world, "validate", SURE)
    sent = e.MessageSent("msg-1", "lead", "task-1", "lock it\n\nThe cause: a race")
    assert sent in turn.events
    assert world.due(do.Deliver, 1).message == "msg-1"
    assert records(world) == [("technical", "logicValidator", "resolved")]


def test_an_agent_that_ends_before_the_advice_waits_for_it() -> None:
    world = at_work()
    tell(world)
    ends(world)
    assert (world.task(1).blocked, world.task(1).attempts[0].outcome) == ("ADVICE", "asked")
    say(world, "validate", SURE)
    assert len(world.task(1).attempts) == 2
    assert world.task(1).guidance[-1][1].startswith("lock it")


def test_a_replan_replaces_the_task_and_stops_its_agent() -> None:
    world = at_work(limits=Limits(jobs=1))
    tell(world, requested_action="replan")
    say(world, "replan", STEPS)
    assert world.task(1).state == "REPLACED_BY_REPLAN"
    assert world.due(do.StopAgent, 1).reason == "it was too large"
    assert world.task(3).live is None
    world.answer(world.due(do.StopAgent, 1))
    assert world.task(3).live is not None
    assert [d.spec.id for d in world.task(2).depends_on] == ["task-3", "task-4"]


def test_work_that_is_being_merged_when_the_replan_arrives_is_not_replaced() -> None:
    world = at_work()
    tell(world, requested_action="replan")
    crash(world)
    world.now += 10
    world.tell()
    world.advance(1, do.Integrate)
    say(world, "replan", STEPS)
    assert "is being merged" in asked(world, "replan").problem
    world.finish(1)
    assert records(world) == [("technical", "planner", "withdrawn")]


def test_a_question_for_the_user_is_asked_at_once_and_the_answer_reaches_the_agent_at_work() -> None:
    world = at_work()
    tell(world, category="ambiguity")
    world.tell(f.Resolve(question(world).id, "the left one"))
    assert world.state.messages["msg-1"].text == "the left one"
    assert world.task(1).guidance[-1][1] == "the left one"


def test_one_model_looks_at_one_difficulty_of_a_task_after_the_other() -> None:
    world = at_work()
    tell(world)
    tell(world, "the disk is full")
    assert list(world.state.advising) == ["task-1-validator-1"]
    tell(world, "and it is too large", requested_action="replan")
    assert [r.target for r in world.state.referred.values()] == [
        "logicValidator",
        "logicValidator",
        "planner",
    ]
    assert list(world.state.advising) == ["task-1-validator-1", "task-1-planner-1"]
    say(world, "validate", SURE)
    assert asked(world, "validate").about == "> the disk is full"
    say(world, "validate", Analysis("logs", "delete them", "high"))
    assert [message.text.split("\n")[0] for message in world.state.messages.values()] == [
        "lock it",
        "delete them",
    ]
    assert list(world.state.advising) == ["task-1-planner-1"]


def test_what_is_reported_again_while_somebody_is_at_it_is_asked_once() -> None:
    world = at_work()
    for issue in ("it hangs", "the disk is full", "it hangs"):
        tell(world, issue)
    assert [record.state for record in world.state.escalations.values()] == ["open", "open"]


def test_a_difficulty_that_waits_for_its_turn_keeps_the_task_waiting_until_somebody_has_helped() -> None:
    world = at_work(("validator",))
    tell(world)
    tell(world, "the disk is full")
    ends(world)
    say(world, "validate", SURE)
    assert (world.task(1).blocked, asked(world, "validate").about) == ("ADVICE", "> the disk is full")
    mumble(world, "validate")
    assert world.task(1).blocked == "QUESTION"
    assert question(world).reason.endswith("task-1 has a difficulty: the disk is full")
    world.tell(f.Resolve(question(world).id, "delete the logs"))
    assert world.task(1).live is not None


def test_a_difficulty_that_waits_for_its_turn_goes_with_its_task() -> None:
    world = at_work()
    tell(world)
    tell(world, "the disk is full")
    world.tell(f.SkipTask("task-1", "not needed"))
    assert {record.state for record in world.state.escalations.values()} == {"withdrawn"}
    assert not world.state.wanted


def test_of_two_that_are_asked_the_task_waits_for_both() -> None:
    world = at_work()
    tell(world)
    tell(world, "which one?", category="ambiguity")
    ends(world)
    assert world.task(1).blocked == "QUESTION"
    world.tell(f.Resolve(question(world).id, "left"))
    assert world.task(1).blocked == "ADVICE"
    say(world, "validate", SURE)
    assert world.task(1).live is not None


@pytest.mark.parametrize("first", ["advice", "answer"])
def test_in_whatever_order_the_answers_come(first: str) -> None:
    world = at_work()
    tell(world)
    tell(world, "which one?", category="ambiguity")
    ends(world)
    for step in ("advice", "answer") if first == "advice" else ("answer", "advice"):
        assert world.task(1).live is None
        if step == "advice":
            say(world, "validate", SURE)
        else:
            world.tell(f.Resolve(question(world).id, "left"))
    assert world.task(1).live is not None
    assert len(world.task(1).attempts) == 2


def test_what_a_model_is_asked_about_a_task_that_fails_for_good_is_moot() -> None:
    world = at_work(limits=Limits(attempts=1))
    tell(world)
    crash(world)
    assert records(world) == [("technical", "logicValidator", "withdrawn"), ("failed", "planner", "open")]


def test_a_difficulty_that_nobody_could_help_with_is_asked_of_the_user_while_the_agent_goes_on() -> None:
    world = at_work(("validator",))
    tell(world)
    mumble(world, "validate")
    assert question(world).kind == "technical"
    assert world.task(1).state == "RUNNING"
    world.tell(f.Resolve(question(world).id, "skip"))
    assert world.task(1).state == "SKIPPED"
    assert world.due(do.StopAgent, 1)


# Scope


def beyond(*paths: str) -> World:
    world = led(task(1, scope=("src/",)))
    report(world, category="scope", requested_action="escalate", paths=paths)
    return world


def test_a_larger_scope_is_for_the_user_to_allow() -> None:
    world = beyond("docs/")
    assert (question(world).kind, options(world)) == ("scope", ("allow", "deny", "skip", "stop"))
    assert text(world).startswith("it hangs\nWould have to change: docs/\nAllow it to change more")


def test_allow_adds_the_paths_that_the_agent_named() -> None:
    world = beyond("docs/", "README.md")
    world.tell(f.Resolve("esc-1", "allow"))
    assert world.task(1).spec.scope == ("src/", "docs/", "README.md")
    assert world.task(1).guidance[-1][1] == "Allowed: you may change docs/, README.md as well."
    assert world.task(1).live is not None


def test_allow_with_paths_adds_these_alone() -> None:
    world = beyond("docs/")
    world.tell(f.Resolve("esc-1", "Allow docs/a.md, `tests/`"))
    assert world.task(1).spec.scope == ("src/", "docs/a.md", "tests/")


def test_what_is_allowed_is_accepted_afterwards() -> None:
    world = beyond("elsewhere.py")
    world.tell(f.Resolve("esc-1", "allow"))
    world.advance(1, do.Collect)
    world.answer(world.due(do.Collect), 2)
    assert world.due(do.Integrate, 1)


@pytest.mark.parametrize("answer", ["allow", "allow ../up", "allow /etc", "allow .git/hooks"])
def test_no_paths_and_paths_that_no_plan_could_name_are_refused(answer: str) -> None:
    world = beyond()
    assert world.tell(f.Resolve("esc-1", answer)).refusals
    assert world.task(1).spec.scope == ("src/",)
    assert question(world).state == "open"


def test_deny_lets_the_agent_go_on_without() -> None:
    world = beyond("docs/")
    world.tell(f.Resolve("esc-1", "deny"))
    assert world.task(1).spec.scope == ("src/",)
    assert world.task(1).guidance[-1][1].startswith("Denied")
    assert world.task(1).live is not None


def test_other_words_are_advice_and_allow_nothing() -> None:
    world = beyond("docs/")
    world.tell(f.Resolve("esc-1", "put it into src/docs"))
    assert world.task(1).spec.scope == ("src/",)
    assert world.task(1).guidance[-1][1] == "put it into src/docs"


def test_skip_at_a_scope_skips_the_task() -> None:
    world = beyond("docs/")
    world.tell(f.Resolve("esc-1", "skip"))
    assert world.task(1).state == "SKIPPED"
