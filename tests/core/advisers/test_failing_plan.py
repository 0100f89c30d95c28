"""A plan whose tasks fail one after the other."""

import pytest
from tests.core.leading import (
    STEPS,
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
from tests.core.told import agent_ended, answered

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Proposal
from teamlead.core.model import Budget, Limits

LIMITS = Limits(attempts=1, jobs=1, retry_delay=0.0)
SEATS_FOR_ALL = Limits(attempts=1, jobs=6, retry_delay=0.0)


def failing(count: int = 3, *, consultants: tuple[str, ...] = ("planner",), **fields: object) -> World:
    """So many of five tasks fail in a row; the planner has no use for the first ones."""
    limits = Limits(attempts=1, jobs=1, retry_delay=0.0, **fields)  # type: ignore[arg-type]
    world = led(*(task(n) for n in range(1, 6)), consultants=consultants, limits=limits)
    for number in range(1, count + 1):
        crash(world, number)
        if number < 3 and world.state.advising:
            mumble(world, "replan", problem=f"no JSON{'!' * number}")
    return world


def test_two_in_a_row_are_two_failures() -> None:
    world = failing(2)
    assert not world.state.halts
    assert world.task(3).live is not None


def test_with_the_third_the_planner_looks_at_the_whole_plan_and_nothing_new_starts() -> None:
    world = failing()
    assert asked(world, "review").name == "planner"
    assert asked(world, "review").about.startswith("3 tasks in a row failed for good: task-1, task-2, task-3")
    assert [record.kind for record in world.state.halts.values()] == ["plan"]
    assert (world.task(3).blocked, world.task(4).live) == ("PLANNER", None)


def test_then_the_user_is_asked_with_what_it_proposes() -> None:
    world = failing()
    say(world, "review", STEPS)
    record = world.state.open[plan(world)]
    assert record.question is not None
    assert record.question.options == ("replan", "retry", "stop")
    assert "The planner says: it was too large" in record.question.text
    assert "- task-1: A step (**)" in record.question.text
    assert world.task(4).live is None
    assert world.state.escalations["esc-5"].by == "planner"


def spending(*turns: int) -> World:
    """Tasks that may take two turns fail in a row, after so many each, and the planner proposes others."""
    tasks = [task(n, budget=Budget(turns=2)) for n in range(1, len(turns) + 2)]
    world = led(*tasks, consultants=("planner",), limits=LIMITS)
    for number, taken in enumerate(turns, 1):
        world.advance(number, do.RunAgent)
        world.tell(agent_ended(f"task-{number}", 1, "error", turns=taken))
        if number < len(turns):
            mumble(world, "replan", problem=f"no JSON{'!' * number}")
    say(world, "review", STEPS)
    return world


def test_what_is_left_of_all_that_failed_is_shared_among_those_in_their_place() -> None:
    world = spending(2, 2, 1)
    world.tell(f.Resolve(plan(world), "replan"))
    assert [world.task(n).spec.budget for n in (5, 6)] == [Budget(turns=1)] * 2


def test_a_replan_that_nothing_is_left_for_is_told_and_not_offered() -> None:
    world = spending(2, 2, 2)
    told = world.state.open[plan(world)].question
    assert told is not None
    assert told.options == ("retry", "stop")
    assert "Their budget has nothing left for that." in told.text


def plan(world: World) -> str:
    return next(r.id for r in world.state.open.values() if r.kind == "plan")


def test_replan_puts_the_proposal_in_the_place_of_all_that_failed() -> None:
    world = failing()
    say(world, "review", STEPS)
    world.tell(f.Resolve(plan(world), "replan"))
    assert [world.task(n).state for n in (1, 2, 3)] == ["REPLACED_BY_REPLAN"] * 3
    assert (world.task(6).spec.title, world.task(7).spec.title) == ("A step", "The rest")
    assert not world.state.open
    assert world.state.failing == []
    world.finish(4, 5, 6, 7)


def test_retry_goes_on_with_the_plan_and_what_was_left_to_it_is_tried_again() -> None:
    world = failing()
    say(world, "review", STEPS)
    world.tell(f.Resolve(plan(world), "retry"))
    assert world.task(3).live is not None
    assert (world.task(1).blocked, world.task(2).blocked) == ("FAILED", "FAILED")
    world.finish(3, 4)


def test_any_other_answer_is_advice_for_what_was_left_to_it() -> None:
    world = failing()
    say(world, "review", STEPS)
    world.tell(f.Resolve(plan(world), "mind the lock file"))
    assert world.task(3).guidance[-1][1] == "mind the lock file"


def test_stop_ends_the_session() -> None:
    world = failing()
    say(world, "review", STEPS)
    world.tell(f.Resolve(plan(world), "stop"))
    assert world.state.phase == "FAILED"


@pytest.mark.parametrize("useless", ["unreadable", "no way"])
def test_a_planner_without_a_proposal_leaves_the_plan_to_the_user(useless: str) -> None:
    world = failing()
    if useless == "unreadable":
        mumble(world, "review")
    else:
        say(world, "review", Proposal((), "it is hopeless"))
    record = world.state.open[plan(world)]
    assert record.question is not None
    assert record.question.options == ("retry", "stop")
    refused = world.tell(f.Resolve(record.id, "replan")).refusals[0]
    assert "is answered with 'retry' or 'stop'" in str(refused)


@pytest.mark.parametrize("replans", [0, 2])
def test_at_the_planners_limit_the_user_is_asked_at_once(replans: int) -> None:
    world = failing(replans=replans)
    kinds = [record.kind for record in world.state.open.values()]
    assert kinds == ["failed", "failed", "failed", "plan"]
    assert world.task(3).blocked == "FAILED"
    assert not world.state.advising


def test_without_a_planner_the_user_is_asked_at_once_and_nothing_starts_until_the_answer() -> None:
    world = failing(consultants=())
    assert [record.kind for record in world.state.open.values()] == ["failed", "failed", "failed", "plan"]
    assert world.task(4).live is None
    world.tell(f.Resolve(plan(world), "retry"))
    assert world.task(4).live is not None


def test_a_task_that_is_done_in_between_clears_the_row() -> None:
    world = failing(2)
    world.finish(3)
    crash(world, 4)
    assert not world.state.halts


@pytest.mark.parametrize("critical", [True, False])
def test_a_judge_that_cannot_be_read_says_nothing_about_the_plan(*, critical: bool) -> None:
    tasks = [task(n, acceptance=("it does",), critical=critical) for n in range(1, 6)]
    world = led(*tasks, consultants=("judge", "planner"), limits=SEATS_FOR_ALL)
    for number in (1, 2, 3):
        collected(world, number)
    while world.state.advising:
        world.tell(answered(next(iter(world.state.advising)), "ok", problem="no JSON"))
    assert (world.state.failing, world.state.halts) == ([], {})
    assert [record.kind for record in world.state.open.values()] == ["judge"]
    assert world.task(4).live is not None


def test_the_order_of_completion_counts_and_not_that_of_the_plan() -> None:
    tasks = [task(n) for n in range(1, 6)]
    world = led(*tasks, consultants=(), limits=Limits(attempts=1, jobs=4, retry_delay=0.0))
    crash(world, 4)
    crash(world, 1)
    crash(world, 3)
    assert world.state.open[plan(world)].reason == "3 tasks in a row failed for good: task-4, task-1, task-3"


def test_what_fails_while_the_plan_is_looked_at_waits_for_it_and_is_no_part_of_the_proposal() -> None:
    tasks = [task(n) for n in range(1, 6)]
    limits = Limits(attempts=1, jobs=5, retry_delay=0.0, replans=9)
    world = led(*tasks, consultants=("planner",), limits=limits)
    for number in (1, 2, 3):
        crash(world, number)
    crash(world, 4)
    world.finish(5)
    say(world, "review", STEPS)
    world.tell(f.Resolve(plan(world), "replan"))
    assert [world.task(n).state for n in (1, 2, 3)] == ["REPLACED_BY_REPLAN"] * 3
    assert world.task(4).live is not None
    assert not world.state.advising
    assert records(world)[0] == ("failed", "planner", "withdrawn")


def test_a_plan_of_which_no_task_is_left_needs_no_decision() -> None:
    tasks = [task(n, critical=False) for n in range(1, 4)]
    world = led(*tasks, consultants=(), limits=LIMITS)
    for number in (1, 2, 3):
        crash(world, number)
    assert not world.state.open
    assert world.state.phase == "DONE"


def test_tasks_left_out_count_as_failed() -> None:
    tasks = [task(n, critical=False) for n in range(1, 5)]
    world = led(*tasks, consultants=(), limits=LIMITS)
    for number in (1, 2, 3):
        crash(world, number)
    assert question(world).kind == "plan"
    assert options(world) == ("retry", "stop")
    assert text(world).startswith("3 tasks in a row failed for good")
