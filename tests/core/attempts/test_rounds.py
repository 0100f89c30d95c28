"""Attempts in a row that settle nothing."""

from tests.core.leading import led, options, question
from tests.core.support import World, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits


def lost(world: World, number: int, times: int) -> None:
    for _ in range(times):
        world.advance(number, do.RunAgent)
        world.tell(agent_ended(f"task-{number}", len(world.task(number).attempts), "lost"))


def circling(rounds: int = 3) -> World:
    return led(task(1), task(2), consultants=(), limits=Limits(jobs=1, rounds=rounds))


def test_at_the_limit_a_person_is_asked_and_nothing_new_starts() -> None:
    world = circling()
    lost(world, 1, 2)
    assert not world.state.open
    lost(world, 1, 1)
    assert (question(world).kind, options(world)) == ("rounds", ("more", "stop"))
    assert question(world).reason == "3 attempts in a row have settled no task"
    assert not world.state.active


def test_more_allows_as_many_again() -> None:
    world = circling()
    lost(world, 1, 3)
    world.tell(f.Resolve("esc-1", "more"))
    lost(world, 1, 2)
    assert not world.state.open
    lost(world, 1, 1)
    assert question(world).id == "esc-2"


def test_stop_ends_the_session_and_nothing_else_is_understood() -> None:
    world = circling()
    lost(world, 1, 3)
    assert "'more' or 'stop'" in str(world.tell(f.Resolve("esc-1", "perhaps")).refusals[0])
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"


def test_a_task_that_is_settled_begins_the_count_anew() -> None:
    world = circling()
    lost(world, 1, 2)
    world.finish(1)
    lost(world, 2, 2)
    assert not world.state.open
