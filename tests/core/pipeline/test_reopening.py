"""Settled tasks that run again, and what was built on them."""

import pytest
from tests.core.support import World, session, settle, task
from tests.core.told import agent_ended, work_found

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.evidence.bisection import Culprit, WholeCheck
from teamlead.core.model import Limits, Question
from teamlead.errors import Refused


def chain() -> World:
    """One after the other, all done; a fourth has nothing to do with them."""
    world = World(session(task(1), task(2, 1), task(3, 2), task(4)))
    world.finish(1, 2, 3, 4)
    return world


def states(world: World) -> list[str]:
    return [known.state for known in world.state.tasks.values()]


def refusal(world: World, fact: f.AnyFact) -> str:
    (error,) = world.tell(fact).refusals.values()
    assert isinstance(error, Refused)
    return f"{error} {error.remedy}"


def test_a_task_that_others_were_built_on_is_not_done_anew_before_somebody_decides_about_them() -> None:
    world = chain()
    told = refusal(world, f.RetryTask("task-1", "it broke"))
    assert "task-2, task-3 were built on task-1" in told
    assert "--followers" in told
    assert "--only" in told
    assert states(world) == ["DONE"] * 4


def test_what_was_built_on_it_runs_again_after_it_and_nothing_else_does() -> None:
    world = chain()
    world.tell(f.RetryTask("task-1", "it broke", built_on="again"))
    assert states(world) == ["RUNNING", "READY", "READY", "DONE"]
    world.finish(1)
    assert states(world) == ["DONE", "RUNNING", "READY", "DONE"]
    assert world.task(2).attempts[-1].bases == (world.state.integration_tip,)
    assert "task-1, on which this task was built" in world.task(2).guidance[-1][0]


def test_only_the_named_task_runs_again_where_the_others_are_to_stay_as_they_are() -> None:
    world = chain()
    world.tell(f.RetryTask("task-1", "it broke", built_on="keep"))
    assert states(world) == ["RUNNING", "DONE", "DONE", "DONE"]


def test_a_follower_whose_work_still_holds_changes_nothing_and_counts_with_the_work_it_had() -> None:
    world = chain()
    before = world.task(2).commit
    world.tell(f.RetryTask("task-1", "it broke", built_on="again"))
    world.finish(1)
    world.advance(2, do.Collect)
    world.tell(work_found("task-2", 2, ""))
    assert world.task(2).state == "DONE"
    assert world.task(2).commit == before
    assert world.task(2).accepted is world.task(2).attempts[0]
    assert world.task(2).made == (world.state.integration_tip,)


def test_a_follower_whose_check_fails_has_to_be_changed() -> None:
    world = World(session(task(1), task(2, 1, checks=("make",))))
    world.finish(1, 2)
    world.tell(f.RetryTask("task-1", "it broke", built_on="again"))
    world.finish(1)
    world.advance(2, do.Collect)
    world.tell(work_found("task-2", 2, ""))
    world.answer(world.due(do.Check, 2), 1)
    assert world.task(2).attempts[-2].outcome == "refused"
    assert world.task(2).state != "DONE"


def test_the_named_task_has_to_change_something() -> None:
    world = chain()
    world.tell(f.RetryTask("task-1", "it broke", built_on="again"))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 2, ""))
    assert world.task(1).attempts[1].outcome == "refused"


def test_a_follower_at_work_is_stopped_first_and_then_begins_on_the_new_work() -> None:
    world = World(session(task(1), task(2, 1)))
    world.finish(1)
    world.advance(2, do.RunAgent)
    world.tell(f.RetryTask("task-1", "it broke", built_on="again"))
    assert world.due(do.StopAgent).run == "task-2-1"
    assert states(world) == ["RUNNING", "NEEDS_CONTINUATION"]
    world.answer(world.due(do.StopAgent))
    assert world.task(2).live is None
    world.finish(1)
    assert world.task(2).attempts[-1].fresh
    settle(world)
    assert states(world) == ["DONE", "DONE"]


def test_the_question_of_a_follower_is_withdrawn_with_the_work_that_it_is_about() -> None:
    world = World(session(task(1), task(2, 1)))
    world.finish(1)
    world.advance(2, do.RunAgent)
    world.tell(agent_ended("task-2", 1, "ok", question=Question("Which one?")))
    world.tell(f.RetryTask("task-1", "it broke", built_on="again"))
    assert world.state.open == {}
    assert states(world) == ["RUNNING", "READY"]


def test_a_follower_that_is_being_merged_is_let_through_first() -> None:
    world = World(session(task(1), task(2, 1)))
    world.finish(1)
    world.advance(2, do.Integrate)
    assert "being merged" in refusal(world, f.RetryTask("task-1", "it broke", built_on="again"))


def test_what_follows_a_skipped_task_was_built_on_what_is_below_it() -> None:
    world = World(session(task(1), task(2, 1), task(3, 2)))
    world.finish(1)
    world.tell(f.SkipTask("task-2", "not needed"))
    world.answer(world.due(do.StopAgent))
    world.finish(3)
    world.tell(f.RetryTask("task-1", "it broke", built_on="again"))
    assert states(world) == ["RUNNING", "SKIPPED", "READY"]


def test_what_has_not_begun_was_built_on_nothing() -> None:
    world = World(session(task(1), task(2, 1), task(3), limits=Limits(jobs=1)))
    world.finish(1)
    assert states(world) == ["DONE", "READY", "RUNNING"]
    world.tell(f.RetryTask("task-1", "it broke"))
    assert world.task(1).state == "READY"


def broken(world: World, *names: str) -> None:
    tip = world.state.integration_tip
    culprits = tuple(Culprit(name, tip) for name in names)
    world.tell(f.WholeEnded(tip, (WholeCheck("make", "broken", "it fails", culprits),)))


def test_a_task_that_broke_the_whole_takes_along_what_was_built_on_it() -> None:
    world = World(session(task(1), task(2, 1), checks=("make",)))
    world.finish(1, 2)
    broken(world, "task-1")
    assert states(world) == ["RUNNING", "READY"]
    assert world.task(1).stage.reopenings == 1


def test_beyond_its_limit_nothing_is_reopened_without_a_persons_word() -> None:
    world = World(session(task(1), task(2), checks=("make",), limits=Limits(reopenings=1)))
    world.finish(1, 2)
    broken(world, "task-1", "task-2")
    (record,) = world.state.open.values()
    assert record.kind == "whole"
    assert states(world) == ["DONE", "DONE"]
    world.tell(f.Resolve(record.id, "retry"))
    assert states(world) == ["RUNNING", "RUNNING"]


@pytest.mark.parametrize("named", [1, 2, 3])
def test_reopening_is_closed_under_what_was_built_on_it(named: int) -> None:
    world = chain()
    world.tell(f.RetryTask(f"task-{named}", "it broke", built_on="again"))
    reopened = [event.task for _, event in world.log if isinstance(event, e.TaskReopened)]
    assert reopened == [f"task-{number}" for number in range(named, 4)]
    settle(world)
    world.check_replay()
    assert states(world) == ["DONE"] * 4


def failed_again(world: World) -> None:
    """Task 1 is to be done again, fails, and is left out."""
    world.tell(f.RetryTask("task-1", "it broke", built_on="again"))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 2, "error", summary="no"))
    world.tell(f.SkipTask("task-1", "leave it"))


def test_merged_work_of_a_task_that_is_not_done_again_still_counts_and_others_build_on_it() -> None:
    world = World(session(task(1), task(2, 1), limits=Limits(attempts=1)))
    world.finish(1, 2)
    before = world.task(1).commit
    failed_again(world)
    assert (world.task(1).state, world.task(1).commit) == ("SKIPPED", before)
    assert world.task(1).made == (before,)


def test_a_task_that_has_to_change_still_has_to_where_what_it_was_built_on_is_reopened_too() -> None:
    world = World(session(task(1), task(2, 1), limits=Limits(jobs=1)))
    world.finish(1, 2)
    world.tell(f.RetryTask("task-2", "it broke"), f.RetryTask("task-1", "this too", built_on="again"))
    assert not world.task(2).confirms


def test_who_is_asked_about_work_that_failed_again_is_told_that_the_earlier_work_stays() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    world.finish(1)
    world.tell(f.RetryTask("task-1", "it broke"))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 2, "error", summary="no"))
    (asked,) = world.state.open.values()
    assert asked.question
    assert "skip it, so that its earlier work stays as it is" in asked.question.text
