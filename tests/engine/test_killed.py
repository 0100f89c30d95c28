"""Leaders that die at every step of an eventful session, and the ones that come after them."""

import asyncio
from contextlib import suppress

import pytest
from tests.engine.support import Killed, Line, World, check_eventful, eventful, says_blue, surviving

from teamlead.engine.leader import Leader


async def led(world: World, line: Line) -> str:
    leader = Leader(world.state(), line.parts(world.parts(person=says_blue)))
    return await leader.run("somebody", 1)


def steps_of_a_session() -> int:
    world, line = eventful(), Line()
    world.play(led(world, line))
    return line.steps


async def killed_and_resumed(world: World, *steps: int, pause: float, power_cut: bool) -> str:
    for step in steps:
        line = Line(cut_at=step)
        with suppress(Killed):
            # One that comes late may be done before.
            return await led(world, line)
        assert line.steps >= step
        world.journal = surviving(world.journal, power_cut=power_cut)
        await asyncio.sleep(pause)
    return await led(world, Line())


def test_an_eventful_session_ends_well_when_nobody_dies() -> None:
    world = eventful()
    assert world.lead(person=says_blue) == "finished"
    check_eventful(world)


@pytest.mark.parametrize("pause", [0.0, 1000.0], ids=["resumed at once", "its agents ended meanwhile"])
@pytest.mark.parametrize("power_cut", [False, True], ids=["killed", "power cut"])
def test_a_leader_may_die_at_any_step(pause: float, power_cut: bool) -> None:
    for step in range(1, steps_of_a_session() + 1):
        world = eventful()
        end = world.play(killed_and_resumed(world, step, pause=pause, power_cut=power_cut))
        assert end == "finished", f"killed at step {step}"
        check_eventful(world)


def test_its_successor_may_die_as_well() -> None:
    for step in range(1, steps_of_a_session(), 5):
        for later in (2, 7, 13, 29):
            world = eventful()
            end = world.play(killed_and_resumed(world, step, later, pause=1.0, power_cut=False))
            assert end == "finished", f"killed at step {step}, then at step {later}"
            check_eventful(world)
