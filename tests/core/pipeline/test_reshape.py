"""A graph that changes while it runs."""

import pytest
from tests.core.leading import ONE_ATTEMPT, asked, led, replan
from tests.core.support import World, session, settle, task

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits, TaskSpec
from teamlead.errors import NotFound, TeamleadError


def refusal(world: World, fact: f.AnyFact) -> TeamleadError:
    turn = world.tell(fact)
    assert turn.events == []
    return turn.refusals[0]


def depends_on(world: World, number: int) -> list[str]:
    return [d.spec.id for d in world.task(number).depends_on]


# Adding


def test_a_task_added_while_others_run_starts_when_it_may() -> None:
    world = World(session(task(1)))
    world.tell(f.AddTasks((task(2, 1),)))
    world.tell(f.AddTasks((task(3),)))
    assert list(world.state.active) == ["task-1", "task-3"]
    world.finish(1)
    assert "task-2" in world.state.active


def test_a_task_added_behind_work_that_is_done_starts_from_it() -> None:
    world = World(session(task(1), task(9)))
    world.finish(1)
    world.tell(f.AddTasks((task(2, 1),)))
    assert world.due(do.PrepareCopy, 2).bases == ("task-1@1",)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (task(1), "task-1 is there already"),
        (task(2, 7), "task-7, which does not exist"),
        (task(2, 2), "task-2 → task-2"),
    ],
)
def test_a_task_that_does_not_fit_is_not_added(spec: TaskSpec, says: str) -> None:
    world = World(session(task(1)))
    assert says in str(refusal(world, f.AddTasks((spec,))))


@pytest.mark.parametrize(
    "fact",
    [f.Tell("task-1", "hello"), f.SkipTask("task-1", ""), f.PauseTask("task-1"), f.AddTasks((task(9, 1),))],
)
def test_whoever_turns_to_a_task_that_was_replaced_is_told_what_is_in_its_place(fact: f.AnyFact) -> None:
    world = planned(task(1))
    replan(world, 1, task(1), task(2))
    assert refusal(world, fact).remedy == "in its place: task-2, task-3"


def test_nothing_can_depend_on_a_task_that_was_replaced() -> None:
    world = planned(task(1), task(2))
    replan(world, 2, task(3))
    assert "will never be done (REPLACED_BY_REPLAN)" in str(refusal(world, f.AddTasks((task(4, 2),))))
    replan(world, 1, task(4, 2))
    assert "will never be done (REPLACED_BY_REPLAN)" in asked(world, "replan").problem


def test_a_task_cannot_be_added_while_the_session_is_being_approved() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(world.approval())
    assert "being approved" in str(refusal(world, f.AddTasks((task(2),))))
    world.answer(world.due(do.ApplyWork), 1)
    world.tell(f.AddTasks((task(2),)))
    assert world.state.phase == "EXECUTING"


# Replacing


def planned(*tasks: TaskSpec) -> World:
    """A task that fails once is for the planner."""
    return led(*tasks, consultants=("planner",), limits=ONE_ATTEMPT)


def test_the_dependents_of_a_replaced_task_depend_on_what_took_its_place() -> None:
    world = planned(task(1), task(2), task(3, 1, 2))
    replan(world, 2, task(4), task(5, 4))
    assert world.task(2).state == "REPLACED_BY_REPLAN"
    assert depends_on(world, 3) == ["task-1", "task-4", "task-5"]
    world.finish(1, 4)
    assert world.task(3).live is None
    world.finish(5)
    assert world.task(3).live is not None


def test_what_replaces_a_task_waits_for_what_it_waited_for_unless_it_says_otherwise() -> None:
    world = planned(task(1), task(2), task(3, 1))
    world.finish(1)
    replan(world, 3, task(4), task(5, 2))
    assert depends_on(world, 4) == ["task-1"]
    assert depends_on(world, 5) == ["task-2"]


def test_what_replaces_a_task_may_be_given_in_any_order() -> None:
    world = planned(task(1), task(2, 1))
    replan(world, 1, task(3, 4), task(4, 5), task(5))
    assert depends_on(world, 2) == ["task-3", "task-4", "task-5"]
    assert list(world.state.active) == ["task-5"]
    settle(world)
    assert world.state.phase == "DONE"


def test_a_replacement_may_itself_be_replaced() -> None:
    world = planned(task(1), task(2, 1))
    replan(world, 1, task(3))
    replan(world, 3, task(4))
    assert depends_on(world, 2) == ["task-4"]
    settle(world)
    assert [t.state for t in world.state.tasks.values()] == [
        "REPLACED_BY_REPLAN",
        "DONE",
        "REPLACED_BY_REPLAN",
        "DONE",
    ]


# Skipping and reopening


def test_what_is_settled_or_being_merged_cannot_be_skipped() -> None:
    world, fact = World(session(task(1), task(2))), f.SkipTask("task-1", "no")
    world.advance(1, do.Integrate)
    assert "being merged" in str(refusal(world, fact))
    world.finish(1)
    assert "task-1 is DONE already" in str(refusal(world, fact))


def test_an_unknown_task_is_not_found() -> None:
    error = refusal(World(session(task(1))), f.SkipTask("task-9", "no"))
    assert isinstance(error, NotFound)
    assert "'task-9'" in str(error)


def test_the_question_about_a_skipped_task_is_withdrawn() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent), 1)
    world.tell(f.SkipTask("task-1", "not needed"))
    assert world.state.escalations["esc-1"].state == "withdrawn"
    assert world.state.phase == "DONE"


def test_a_reopened_task_holds_back_what_has_not_started_and_nothing_else() -> None:
    world = World(session(task(1), task(2, 1), task(3, 1), task(4, 1), limits=Limits(jobs=1)))
    world.finish(1, 2)
    assert list(world.state.active) == ["task-3"]
    world.tell(f.RetryTask("task-1", "it broke", built_on="keep"))
    assert world.task(2).state == "DONE"
    world.finish(3)
    assert list(world.state.active) == ["task-1"]
    world.finish(1)
    assert list(world.state.active) == ["task-4"]


def test_copies_are_released_when_their_task_is_settled_and_kept_while_it_is_not() -> None:
    world = World(session(task(1), task(2), limits=Limits(attempts=1)))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent, 1), 1)
    assert list(world.state.copies) == ["task-1", "task-2"]
    assert not any(isinstance(effect, do.Release) for effect in world.state.due.values())
    world.advance(2, do.Release)
    world.tell(f.SkipTask("task-1", "not needed"))
    releases = [effect for effect in world.state.due.values() if isinstance(effect, do.Release)]
    assert [effect.task for effect in releases] == ["task-2", "task-1"]
    world.answer(releases[1], 1)
    assert world.task(1).kept == "refs/kept"
    assert list(world.state.copies) == ["task-2"]


# What a skipped task still waited for


def test_who_waited_for_a_skipped_task_waits_for_what_it_waited_for() -> None:
    world = World(session(task(1), task(2, 1), task(3, 2)))
    world.tell(f.SkipTask("task-2", "not needed"))
    assert list(world.state.active) == ["task-1"]
    world.finish(1)
    assert world.due(do.PrepareCopy, 3).bases == ("task-1@1",)


def test_the_wait_is_handed_on_through_several_skipped_tasks() -> None:
    world = World(session(task(1), task(2, 1), task(3, 2), task(4, 3)))
    world.tell(f.SkipTask("task-2", "not needed"))
    world.tell(f.SkipTask("task-3", "not needed"))
    assert list(world.state.active) == ["task-1"]
    world.finish(1)
    assert "task-4" in world.state.active
