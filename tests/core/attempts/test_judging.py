"""What a judge can do to an attempt's work, and what it cannot."""

from typing import Any

import pytest
from tests.core.leading import (
    NO,
    YES,
    asked,
    collected,
    crash,
    led,
    mumble,
    options,
    question,
    records,
    say,
    text,
)
from tests.core.support import World, task
from tests.core.told import answered

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.answers import Judgement, Proposal
from teamlead.core.attempts.answering import MOST_CUT_OFF
from teamlead.core.evidence.values import Evidence
from teamlead.core.model import Budget, Change, Limits, RoleSettings, Usage
from teamlead.core.runs import AgentStatus

SATISFIED = Judgement(success=False, reason="it was there", already_satisfied=True)
REPLAN = Judgement(success=False, reason="too large", should_replan=True)
CLASH = Judgement(success=False, reason="both cannot be", contradictions=("fast and complete",))
PUZZLED = Judgement(success=False, reason="who knows")


def judged(*consultants: str, **fields: Any) -> World:
    """Task 1 with its work before the judge."""
    fields = {"acceptance": ("it does",)} | fields
    world = led(task(1, **fields), task(2, 1), consultants=("judge", *consultants))
    collected(world, tree="a tree")
    return world


def test_work_that_code_accepts_is_merged_after_the_judge_says_yes() -> None:
    world = judged()
    assert world.task(1).attempts[0].phase == "judging"
    say(world, "judge", YES)
    assert world.due(do.Integrate, 1)
    world.finish(1)
    attempt = world.task(1).attempts[0]
    assert (attempt.decision, attempt.decided_because) == ("accept", "it does")
    assert attempt.judgement == YES


@pytest.mark.parametrize(
    "spec", [task(1), task(1, acceptance=("make test",), checks=("make test",))], ids=["none", "only checks"]
)
def test_nobody_is_asked_where_commands_alone_decide(spec: Any) -> None:
    world = led(spec)
    world.finish(1)
    assert not any(c.purpose == "judge" for c in world.state.runs.values())


def test_what_is_to_be_continued_goes_back_with_the_judges_words_and_the_third_time_to_the_planner() -> None:
    world = judged("planner")
    for number in (1, 2):
        say(world, "judge", NO)
        ended = world.task(1).attempts[number - 1]
        assert (ended.outcome, ended.reasons) == ("refused", ("not all of it", "the page"))
        assert (ended.decision, ended.decided_because) == ("continue", "not all of it")
        collected(world, tree=f"tree {number}")
    say(world, "judge", NO)
    assert asked(world, "replan").task == "task-1"
    assert world.task(1).blocked == "PLANNER"
    assert world.task(1).attempts[-1].decision == "replan"


def test_a_task_that_should_be_planned_anew_goes_to_the_planner_at_once() -> None:
    world = judged("planner")
    say(world, "judge", REPLAN)
    assert records(world) == [("failed", "planner", "open")]
    assert asked(world, "replan").escalation == "esc-1"


@pytest.mark.parametrize("answer", [REPLAN, PUZZLED])
def test_without_a_planner_and_where_the_judge_knows_no_way_the_user_may_accept(answer: Judgement) -> None:
    world = judged()
    say(world, "judge", answer)
    assert (question(world).kind, options(world)) == ("failed", ("retry", "accept", "skip", "stop"))
    assert answer.reason in text(world)
    world.tell(f.Resolve("esc-1", "accept"))
    assert world.task(1).attempts[-1].waived
    assert world.task(1).advice == []
    world.finish(1)
    assert world.task(1).attempts[-1].decided_because == "a person accepts it"
    assert len(world.state.asked_runs) == 1


def test_contradictory_requirements_are_for_the_user_and_no_failure() -> None:
    world = judged("planner")
    say(world, "judge", CLASH)
    record = question(world)
    assert (record.kind, list(record.tasks), record.target) == ("contradiction", ["task-1"], "user")
    assert "fast and complete" in text(world)
    assert world.task(1).failures == 0
    world.tell(f.Resolve(record.id, "fast goes first"))
    assert world.task(1).guidance[-1][1] == "fast goes first"
    assert world.task(1).live is not None


@pytest.mark.parametrize(("word", "state"), [("accept", "DONE"), ("skip", "SKIPPED"), ("retry", "RUNNING")])
def test_every_option_at_a_contradiction_does_what_it_says(word: str, state: str) -> None:
    world = judged()
    say(world, "judge", CLASH)
    assert options(world) == ("retry", "accept", "skip", "stop")
    world.tell(f.Resolve("esc-1", word))
    if word == "accept":
        world.finish(1)
    assert world.task(1).state == state


def test_work_that_was_not_needed_is_skipped_and_its_dependents_go_on() -> None:
    world = judged()
    say(world, "judge", SATISFIED)
    assert (world.task(1).state, world.task(1).attempts[0].decision) == ("SKIPPED", "skip")
    assert "it was there" in world.task(1).detail
    assert world.task(2).live is not None


def unchanged(*checks: str) -> World:
    world = led(task(1, acceptance=("it does",), checks=checks))
    collected(world, commit="", tree="the base")
    return world


def test_where_nothing_was_changed_the_checks_run_and_then_the_judge_may_skip_it() -> None:
    world = unchanged("make test")
    world.answer(world.due(do.Check))
    say(world, "judge", SATISFIED)
    assert world.task(1).state == "SKIPPED"


@pytest.mark.parametrize("answer", [YES, NO, PUZZLED])
def test_a_judge_does_not_overrule_that_nothing_was_changed(answer: Judgement) -> None:
    world = unchanged()
    say(world, "judge", answer)
    ended = world.task(1).attempts[0]
    assert ended.outcome == "refused"
    assert ended.reasons[0] == "nothing was changed, although the task requires a change"
    assert answer.reason in ended.reasons
    assert world.task(1).state != "DONE"


def test_where_nothing_was_changed_and_a_check_fails_no_judge_is_asked() -> None:
    world = unchanged("make test")
    world.answer(world.due(do.Check), 1)
    assert not world.state.asked_runs
    assert world.task(1).attempts[0].outcome == "refused"


def test_where_nothing_was_changed_and_something_is_objected_to_no_judge_is_asked() -> None:
    world = led(task(1, acceptance=("it does",)))
    wrong = Evidence("references", "objected", "what it cites is there", "src/a.py has no line 90")
    collected(world, commit="", tree="the base", evidence=(wrong,))
    assert not world.state.asked_runs
    assert world.task(1).attempts[0].outcome == "refused"


def test_at_a_contradiction_nobody_can_accept_that_nothing_was_changed() -> None:
    world = unchanged()
    say(world, "judge", CLASH)
    assert "accept" not in options(world)
    assert "cannot be answered" in str(world.tell(f.Resolve("esc-1", "accept")).refusals[0])


def test_a_judge_sees_nothing_of_what_code_refuses() -> None:
    world = led(task(1, acceptance=("it does",), scope=("src/",)))
    collected(world, changes=(Change("elsewhere.py", "000000", "100644"),))
    assert not world.state.asked_runs
    assert world.task(1).attempts[0].outcome == "refused"


def test_a_judge_that_cannot_be_understood_is_asked_three_times_and_then_the_user() -> None:
    world = judged()
    mumble(world, "judge", 2)
    again = asked(world, "judge")
    assert (again.id, again.tries, again.problem) == ("task-1-judge-3", 2, "no JSON")
    mumble(world, "judge", 1)
    assert (question(world).kind, options(world)) == ("failed", ("retry", "accept", "skip", "stop"))
    assert "the judge gave no usable answer: no JSON" in text(world)


def test_an_answer_to_another_question_is_none() -> None:
    world = judged()
    world.tell(answered("task-1-judge-1", "ok", Proposal(())))
    assert asked(world, "judge").problem == "it answered another question"


@pytest.mark.parametrize("status", ["limit", "lost", "unavailable", "interrupted"])
def test_that_a_judge_was_not_served_is_nobodys_failure(status: AgentStatus) -> None:
    world = judged()
    for _ in range(4):
        world.tell(answered(asked(world, "judge").id, status))
        world.now += 10_000
        world.tell()
    assert asked(world, "judge").tries == 0
    assert not world.state.open


def test_a_judge_that_is_cut_off_again_and_again_is_not_asked_for_ever() -> None:
    world = judged()
    for _ in range(MOST_CUT_OFF + 2):
        world.tell(answered(asked(world, "judge").id, "lost", problem="it left no result"))
    assert not world.state.advising
    assert "gave no usable answer: it left no result" in text(world)


def test_a_judge_whose_budget_ends_it_for_ever_is_asked_no_more_than_others() -> None:
    world = judged()
    for _ in range(3):
        world.tell(answered(asked(world, "judge").id, "budget", problem="its own limit"))
    assert not world.state.advising
    assert "gave no usable answer: its own limit" in text(world)


def test_a_judge_whose_budget_is_used_up_is_asked_again_after_a_persons_word() -> None:
    world = led(task(1, acceptance=("it does",)), budget=Budget(cost_usd=1.0))
    collected(world, tree="a tree")
    world.tell(answered(asked(world, "judge").id, "budget", usage=Usage(cost_usd=1.0)))
    assert question(world).kind == "budget"
    world.tell(f.Resolve("esc-1", "more"))
    assert asked(world, "judge").tries == 0


def test_what_a_judge_has_cost_counts_also_where_nobody_wants_its_verdict() -> None:
    world = judged()
    late = asked(world, "judge").id
    world.tell(f.SkipTask("task-1", "not needed"))
    world.tell(answered(late, "interrupted", usage=Usage(cost_usd=2.0)))
    assert (world.state.usage, world.state.runs[late].status) == (Usage(cost_usd=2.0), "interrupted")
    world.tell(answered(late, "interrupted", usage=Usage(cost_usd=2.0)))
    assert world.state.usage == Usage(cost_usd=2.0)
    assert not world.state.wanted


def test_the_same_work_is_not_judged_twice_and_counts_as_a_repetition() -> None:
    world = judged()
    say(world, "judge", NO)
    collected(world, tree="a tree")
    assert len(world.state.asked_runs) == 1
    again = world.task(1).attempts[1]
    assert (again.outcome, again.judgement, again.judged_by) == ("refused", NO, "task-1-judge-1")
    assert "it left the same work as before" in text(world)


def test_the_same_work_is_judged_again_once_somebody_has_said_something() -> None:
    world = judged()
    say(world, "judge", PUZZLED)
    world.tell(f.Resolve("esc-1", "the page is in the other folder"))
    collected(world, tree="a tree")
    assert asked(world, "judge").id == "task-1-judge-2"


def test_the_same_work_is_judged_again_once_the_task_was_told_something() -> None:
    world = judged()
    say(world, "judge", NO)
    world.tell(f.Tell("task-1", "the page is in the other folder"))
    collected(world, tree="a tree")
    assert asked(world, "judge").id == "task-1-judge-2"
    say(world, "judge", YES)
    world.answer(world.due(do.Integrate), 1)
    collected(world, tree="a tree")
    assert len(world.state.asked_runs) == 2


def test_what_was_told_before_an_attempt_that_came_to_nothing_changes_no_verdict_after_it() -> None:
    limits = Limits(attempts=4, retry_delay=0.0)
    world = led(task(1, acceptance=("it does",)), consultants=("judge",), limits=limits)
    world.tell(f.Tell("task-1", "the page is in the other folder"))
    collected(world, tree="a tree")
    say(world, "judge", YES)
    world.answer(world.due(do.Integrate), 1)
    crash(world)
    collected(world, tree="a tree")
    assert world.task(1).attempts[-1].phase == "integrating"
    assert len(world.state.asked_runs) == 1


def test_a_verdict_is_not_used_again_where_something_was_said_while_it_was_sought() -> None:
    world = judged()
    world.now += 1
    world.tell(f.Tell("task-1", "with a footer"))
    say(world, "judge", YES)
    assert world.task(1).attempts[0].outcome == "asked"
    collected(world, tree="a tree")
    assert asked(world, "judge").id == "task-1-judge-2"


def test_what_one_agent_says_to_another_asks_nothing_else_of_its_task() -> None:
    world = judged()
    say(world, "judge", NO)
    world.tell(f.AddTasks((task(2),)))
    world.advance(2, do.RunAgent)
    world.tell(f.MessagePosted("task-2", 1, "task-1", "mind the lock"))
    collected(world, tree="a tree")
    assert len(world.state.asked_runs) == 1


def test_a_verdict_of_yes_is_used_again_for_the_same_work() -> None:
    world = judged()
    say(world, "judge", YES)
    world.answer(world.due(do.Integrate), 1)
    turn = collected(world, tree="a tree")
    assert e.WorkAccepted("task-1", 2, "task-1-judge-1") in turn.events
    world.finish(1)


@pytest.mark.parametrize("drop", ["skip", "retry"])
def test_nobody_is_asked_about_the_budget_of_a_judge_who_is_not_needed_any_more(drop: str) -> None:
    roles = (RoleSettings("judge", budget=Budget(cost_usd=1.0)),)
    world = led(task(1, acceptance=("it does",)), task(2), roles=roles, consultants=("judge",))
    collected(world, tree="a tree")
    world.tell(answered(asked(world, "judge").id, "budget", usage=Usage(cost_usd=1.0)))
    assert (question(world).kind, question(world).cause) == ("budget", "role:judge")
    world.tell(f.SkipTask("task-1", "not needed") if drop == "skip" else f.RetryTask("task-1"))
    record = world.state.escalations["esc-1"]
    assert (record.state, record.resolution) == ("withdrawn", "nothing waits for this budget any more")
    assert world.state.asked == {}


def test_a_budget_that_another_still_waits_for_is_still_asked_about() -> None:
    roles = (RoleSettings("judge", budget=Budget(cost_usd=1.0)),)
    tasks = [task(number, acceptance=("it does",)) for number in (1, 2)]
    world = led(*tasks, roles=roles, consultants=("judge",))
    collected(world, 1)
    world.tell(answered(asked(world, "judge").id, "budget", usage=Usage(cost_usd=1.0)))
    collected(world, 2)
    world.tell(f.SkipTask("task-1", "not needed"))
    assert question(world).cause == "role:judge"
    world.tell(f.Resolve("esc-1", "more"))
    assert asked(world, "judge").task == "task-2"


def test_a_person_who_skips_the_task_needs_no_verdict() -> None:
    world = judged()
    consultation = asked(world, "judge").id
    world.tell(f.SkipTask("task-1", "not needed"))
    assert not world.state.advising
    world.tell(answered(consultation, "ok", YES))
    assert (world.task(1).state, world.task(1).attempts[0].judgement) == ("SKIPPED", None)


def test_a_task_that_the_plan_can_do_without_is_left_out_when_the_judge_gives_it_up() -> None:
    world = judged(critical=False)
    say(world, "judge", PUZZLED)
    assert world.task(1).state == "SKIPPED"
    assert not world.state.open


def test_only_the_attempts_that_a_session_allows_are_judged() -> None:
    world = led(task(1, acceptance=("it does",)), limits=Limits(attempts=1), consultants=("judge",))
    collected(world)
    say(world, "judge", NO)
    assert question(world).reason.startswith("task-1 (Title 1) failed once; last: not all of it")
