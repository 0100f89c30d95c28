"""What a judge can do to an attempt's work, and what it cannot."""

from typing import Any

import pytest
from msgspec.structs import replace
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
from tests.core.support import World, planning, task
from tests.core.told import answered, check_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.answers import Judgement, PlannedFor, Proposal, Remark
from teamlead.core.attempts import judging
from teamlead.core.attempts.answering import MOST_CUT_OFF
from teamlead.core.attempts.proof import evidence_of
from teamlead.core.evidence.values import Evidence, SuiteDelta
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


@pytest.mark.parametrize("judged", ["all", "undecided"])
def test_work_is_judged_by_its_title_where_no_words_say_when_it_is_done(judged: Any) -> None:
    world = led(task(1), consultants=("judge",), judged=judged)
    collected(world, tree="a tree")
    say(world, "judge", NO)
    assert world.task(1).attempts[0].reasons == ("not all of it", "the page")


PROGRESS = SuiteDelta(fixed=("test_it",))


@pytest.mark.parametrize(
    ("judged", "delta", "evidence", "asked_for"),
    [
        ("undecided", PROGRESS, (), 0),
        ("all", PROGRESS, (), 1),
        ("undecided", SuiteDelta(), (), 1),
        ("undecided", PROGRESS, (Evidence("claims", "flagged", "what it says", "9 tests, it says"),), 1),
        ("undecided", PROGRESS, (Evidence("proof", "proven", "it holds", "it does", question="why?"),), 1),
    ],
    ids=["decided", "all", "no test says more", "something is flagged", "code asks"],
)
def test_what_code_has_decided_on_all_counts_is_not_judged_where_that_is_wanted_and_told(
    judged: Any, delta: SuiteDelta, evidence: tuple[Evidence, ...], asked_for: int
) -> None:
    world = led(task(1, checks=("make test",)), consultants=("judge",), judged=judged)
    collected(world, tree="a tree", evidence=evidence)
    world.tell(check_ended("task-1", 1, "make test", 0, delta=delta))
    assert len(world.state.asked_runs) == asked_for
    if not asked_for:
        world.finish(1)
        found = evidence_of(world.state, world.task(1), world.task(1).attempts[0])
        (told,) = [item.found for item in found if item.kind == "judge"]
        assert told.startswith("no model was asked: code has decided it on all counts")


def test_nobody_judges_a_plan_as_work() -> None:
    world = World(planning(consultants=("judge", "planner"), judged="all"))
    assert not judging.wanted(world.state, world.task(1))


QUESTION = "Which sentence asks that test_old goes?"
GONE = Evidence("proof", "flagged", "tests are kept", "test_old is gone", question=QUESTION)
PLANNED = replace(YES, answers=(PlannedFor(1, "Remove the old test."),))
UNPLANNED = replace(YES, answers=(PlannedFor(1),))
UNUSED = replace(YES, objections=(Remark("nothing reads `strict`", "src/a.py:3"),))
STATED = Remark("it adds", "src/a.py:1")
UNFOUNDED = replace(YES, statements=(STATED, Remark("it caches")))


def questioned() -> World:
    world = led(task(1), consultants=("judge",), judged="all", limits=Limits(attempts=2, retry_delay=0.0))
    collected(world, tree="a tree", evidence=(GONE,))
    return world


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (UNPLANNED, "no sentence of the plan asks for this: test_old is gone"),
        (UNUSED, "nothing reads `strict` (src/a.py:3)"),
        (UNFOUNDED, "your report says what no line bears out: it caches"),
    ],
)
def test_what_a_content_judge_objects_to_goes_back_once_and_then_to_a_person(
    answer: Judgement, told: str
) -> None:
    world = questioned()
    say(world, "judge", answer)
    first = world.task(1).attempts[0]
    assert (first.outcome, first.reasons, world.task(1).failures) == ("returned", (told,), 0)
    for tree in ("another tree", "a third tree"):
        collected(world, tree=tree, evidence=(GONE,))
        say(world, "judge", answer)
    assert [attempt.outcome for attempt in world.task(1).attempts] == ["returned", "refused", "refused"]
    assert options(world) == ("retry", "accept", "skip", "stop")
    assert told in text(world)


def test_what_a_sentence_of_the_plan_asks_for_is_no_objection_and_the_sentence_is_evidence() -> None:
    world = questioned()
    say(world, "judge", PLANNED)
    world.finish(1)
    found = evidence_of(world.state, world.task(1), world.task(1).attempts[0])
    (item,) = [item for item in found if item.kind == "judge"]
    assert (item.verdict, item.details) == (
        "unknown",
        ("question 1: the plan asks for it: Remove the old test.",),
    )


def test_an_objection_holds_for_the_same_work_without_being_asked_for_again() -> None:
    world = questioned()
    say(world, "judge", UNPLANNED)
    collected(world, tree="a tree", evidence=(GONE,))
    assert len(world.state.asked_runs) == 1
    last = world.task(1).attempts[1]
    assert (last.outcome, last.reasons) == (
        "refused",
        ("no sentence of the plan asks for this: test_old is gone",),
    )


def test_a_judge_that_is_not_content_says_its_objections_with_its_reasons() -> None:
    world = questioned()
    say(world, "judge", replace(NO, objections=UNUSED.objections))
    assert world.task(1).attempts[0].reasons == (
        "not all of it",
        "the page",
        "nothing reads `strict` (src/a.py:3)",
    )


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


def test_a_judge_that_gives_nothing_usable_twice_in_a_row_is_on_hold_and_a_person_is_asked() -> None:
    world = judged()
    mumble(world, "judge", 1)
    again = asked(world, "judge")
    assert (again.id, again.tries, again.problem) == ("task-1-judge-2", 1, "no JSON")
    mumble(world, "judge", 1)
    assert (question(world).kind, options(world)) == ("judge", ("retry", "without", "stop"))
    assert "the judge gave no usable answer: no JSON (scripted, about task-1)" in text(world)
    assert (list(world.state.holds), world.state.advising) == (["judge"], {})


def unusable(*numbers: int, of: int = 0, **fields: Any) -> World:
    """The work of these tasks waits for a judge that gives nothing usable."""
    specs = [task(n, acceptance=("it does",)) for n in range(1, max((*numbers, of)) + 1)]
    limits = Limits(attempts=1, jobs=3, retry_delay=0.0)
    world = led(*specs, consultants=("judge",), limits=limits, **fields)
    for number in numbers:
        collected(world, number, tree=f"tree {number}")
    while world.state.advising:
        first = next(iter(world.state.advising.values()))
        world.tell(answered(first.id, "ok", problem=f"no JSON in {first.id}"))
    return world


def test_one_question_is_for_all_tasks_and_costs_none_an_attempt() -> None:
    world = unusable(1, 2, 3)
    assert [(record.kind, list(record.tasks)) for record in world.state.open.values()] == [("judge", [])]
    assert list(world.state.holds) == ["judge"]
    tasks = [world.task(number) for number in (1, 2, 3)]
    assert [(t.state, t.failures, len(t.attempts), t.attempts[0].phase) for t in tasks] == [
        ("RUNNING", 0, 1, "judging")
    ] * 3
    assert not world.state.under_way
    world.check_replay()


def test_after_the_answer_retry_all_of_them_are_judged() -> None:
    world = unusable(1, 2, 3)
    world.tell(f.Resolve("esc-1", "retry"))
    assert not world.state.holds
    assert [run.task for run in world.state.advising.values()] == ["task-1", "task-2", "task-3"]
    assert {run.tries for run in world.state.advising.values()} == {0}
    for run in list(world.state.advising.values()):
        world.tell(answered(run.id, "ok", YES))
    world.finish(1, 2, 3)


def test_a_judge_that_fails_again_is_asked_about_again() -> None:
    world = unusable(1)
    world.tell(f.ReleaseAgent("judge"))
    assert world.state.escalations["esc-1"].resolution == "retry"
    mumble(world, "judge", 2)
    assert [record.id for record in world.state.open.values()] == ["esc-2"]
    assert world.task(1).failures == 0


def test_another_judge_is_asked_in_its_place() -> None:
    world = unusable(1, 2, roles=(RoleSettings("judge", model="large", effort="high", arguments=("-v",)),))
    world.tell(f.Resolve("esc-1", "judge: codex"))
    runs = list(world.state.advising.values())
    assert [(run.agent, run.model, run.effort) for run in runs] == [("codex", "", "high")] * 2
    for run in runs:
        world.tell(answered(run.id, "ok", YES))
    world.finish(1, 2)
    world.check_replay()


def test_without_a_judge_what_code_says_is_what_counts() -> None:
    world = led(*(task(n, acceptance=("it does",)) for n in (1, 2, 3)), consultants=("judge",))
    collected(world, 1, commit="", tree="the base")
    collected(world, 2, tree="tree 2")
    while world.state.advising:
        mumble_first(world)
    world.tell(f.Resolve("esc-1", "without"))
    assert world.task(1).attempts[0].outcome == "refused"
    assert world.task(2).attempts[0].phase == "integrating"
    collected(world, 3)
    assert world.task(3).attempts[0].phase == "integrating"
    assert not world.state.wanted
    assert not world.state.holds
    world.check_replay()


def mumble_first(world: World) -> None:
    world.tell(answered(next(iter(world.state.advising)), "ok", problem="no JSON"))


def test_stop_ends_the_session() -> None:
    world = unusable(1)
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"


@pytest.mark.parametrize("said", ["accept", "judge:", "maybe"])
def test_any_other_word_about_a_judge_is_refused(said: str) -> None:
    world = unusable(1)
    refusal = str(world.tell(f.Resolve("esc-1", said)).refusals[0])
    assert "esc-1 is answered with 'retry' or 'without' or 'judge: AGENT' or 'stop'" in refusal


def test_the_question_about_a_judge_goes_with_the_last_that_waits_for_one() -> None:
    world = unusable(1, 2)
    world.tell(f.SkipTask("task-1", "not needed"))
    assert question(world).kind == "judge"
    world.tell(f.SkipTask("task-2", "not needed"))
    record = world.state.escalations["esc-1"]
    assert (record.state, record.resolution) == ("withdrawn", "nothing waits to be judged any more")
    assert not world.state.holds


def test_other_tasks_go_on_to_where_they_are_judged() -> None:
    world = unusable(1, 2, of=4)
    collected(world, 3)
    assert world.task(3).attempts[0].phase == "judging"
    assert [record.id for record in world.state.open.values()] == ["esc-1"]


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
    for _ in range(MOST_CUT_OFF + 1):
        world.tell(answered(asked(world, "judge").id, "lost", problem="it left no result"))
    assert not world.state.advising
    assert "gave no usable answer: it left no result" in text(world)


def test_a_judge_whose_budget_ends_it_for_ever_is_asked_no_more_than_others() -> None:
    world = judged()
    for _ in range(2):
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
