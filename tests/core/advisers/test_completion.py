"""The planner's last look: whether the merged work is all that was wanted."""

import pytest
from tests.core.leading import asked, led, mumble, options, question, records, say, text
from tests.core.support import World, task
from tests.core.told import answered

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Completion
from teamlead.core.model import Limits, TaskSpec, Usage
from teamlead.core.state.team_state import session_state

ALL = Completion(fulfilled=True, reason="all is there")
SOME = Completion(
    fulfilled=False, reason="no docs", missing=("docs/",), tasks=(TaskSpec("task-1", "Write docs"),)
)
NOT = Completion(fulfilled=False, reason="no docs", missing=("docs/",))


def merged(**fields: object) -> World:
    """One task, done, and everything looked at as a whole."""
    world = led(task(1, scope=("src/",)), consultants=("planner",), **fields)
    world.finish(1)
    return world


def test_the_planner_looks_at_the_merged_work_before_anybody_is_asked_to_approve() -> None:
    world = merged()
    assert (world.state.phase, session_state(world.state)) == ("REVIEWING", "REVIEWING")
    assert asked(world, "complete").commit == world.state.integration_tip
    say(world, "complete", ALL)
    assert world.state.phase == "AWAITING_APPROVAL"
    assert not world.state.escalations


def test_the_checks_of_the_whole_plan_come_first() -> None:
    world = merged(checks=("make lint",))
    assert not world.state.advising
    world.answer(world.due(do.CheckWhole))
    assert asked(world, "complete")


def test_what_it_misses_becomes_tasks_and_counts_as_a_turn_to_the_planner() -> None:
    world = merged()
    say(world, "complete", SOME)
    assert (world.state.phase, world.task(2).spec.title) == ("EXECUTING", "Write docs")
    assert records(world) == [("completion", "planner", "resolved")]
    assert world.state.referrals == {"planner": 1}
    world.finish(2)
    assert asked(world, "complete").id == "planner-2"
    say(world, "complete", ALL)
    assert world.state.phase == "AWAITING_APPROVAL"


def test_at_the_limit_the_user_is_asked_instead() -> None:
    world = merged(limits=Limits(replans=1))
    say(world, "complete", SOME)
    world.finish(2)
    say(world, "complete", SOME)
    assert question(world).kind == "completion"
    assert "the merged work is not all that was wanted: no docs; docs/" in text(world)


def test_without_tasks_the_user_decides() -> None:
    world = merged()
    say(world, "complete", NOT)
    assert (question(world).kind, options(world)) == ("completion", ("accept", "retry", "stop"))


def test_a_planner_that_cannot_be_understood_leaves_it_to_the_user() -> None:
    world = merged()
    mumble(world, "complete")
    assert question(world).kind == "completion"
    assert "gave no usable answer: no JSON" in text(world)


def test_tasks_beyond_what_the_plan_may_change_are_refused() -> None:
    world = merged()
    beyond = Completion(
        fulfilled=False, reason="no docs", tasks=(TaskSpec("task-1", "Write docs", scope=("docs/",)),)
    )
    say(world, "complete", beyond)
    assert "would change docs/, and only src/ is allowed" in asked(world, "complete").problem


def test_tasks_that_name_no_scope_may_change_what_the_plan_may() -> None:
    world = merged()
    say(world, "complete", SOME)
    assert world.task(2).spec.scope == ("src/",)
    assert world.task(2).planned


def test_accept_takes_the_work_for_all_that_was_wanted() -> None:
    world = merged()
    say(world, "complete", NOT)
    world.tell(f.Resolve("esc-1", "accept"))
    assert world.state.phase == "AWAITING_APPROVAL"
    assert world.state.fulfilment is not None
    assert world.state.fulfilment.accepted == "user"


@pytest.mark.parametrize(("word", "about"), [("retry", ""), ("the docs are a wiki", "the docs are a wiki")])
def test_retry_has_it_looked_at_again_with_what_a_person_says(word: str, about: str) -> None:
    world = merged()
    say(world, "complete", NOT)
    world.tell(f.Resolve("esc-1", word))
    assert asked(world, "complete").about == about
    say(world, "complete", ALL)
    assert world.state.phase == "AWAITING_APPROVAL"


def test_stop_ends_the_session() -> None:
    world = merged()
    say(world, "complete", NOT)
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"


def test_the_same_work_is_not_looked_at_twice() -> None:
    world = merged()
    say(world, "complete", SOME)
    world.tell(f.SkipTask("task-2", "not needed"))
    world.answer(world.due(do.StopAgent))
    assert not world.state.advising
    assert question(world).kind == "completion"


def test_work_that_is_added_meanwhile_makes_the_look_and_the_question_moot() -> None:
    world = merged()
    late = asked(world, "complete").id
    world.tell(f.AddTasks((task(2),)))
    assert not world.state.advising
    world.tell(answered(late, "ok", ALL, usage=Usage(cost_usd=2.0)))
    assert (world.state.fulfilment, world.state.usage) == (None, Usage(cost_usd=2.0))
    world.finish(2)
    say(world, "complete", NOT)
    world.tell(f.AddTasks((task(3),)))
    world.finish(3)
    assert records(world) == [("completion", "user", "withdrawn")]
    assert asked(world, "complete")


def test_without_a_planner_or_without_merged_work_nobody_looks() -> None:
    world = led(task(1), consultants=("judge",))
    world.finish(1)
    assert world.state.phase == "AWAITING_APPROVAL"
    world = led(task(1), consultants=("planner",))
    world.tell(f.SkipTask("task-1", "not needed"))
    world.answer(world.due(do.StopAgent))
    assert not world.state.asked_runs
    assert world.state.phase == "DONE"


def test_a_planner_whose_account_is_denied_is_asked_about_while_everything_waits_for_it() -> None:
    world = merged()
    world.tell(answered(asked(world, "complete").id, "denied", problem="401"))
    assert question(world).kind == "agent"
    world.tell(f.Resolve("esc-1", "retry"))
    say(world, "complete", ALL)
    assert world.state.phase == "AWAITING_APPROVAL"
