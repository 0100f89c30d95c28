"""Stopping once, stopping twice, and going on afterwards."""

import asyncio

import pytest
from tests.engine.support import Gate, World, task

from teamlead.core import events as e
from teamlead.core.facts import Cancel
from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.testing.checker import CheckCall

GRACE = 10.0


def working_for(seconds: float, *, jobs: int = 1) -> World:
    """Two tasks whose agents take that long."""

    async def work(spec: RunSpec) -> RunEnd:
        await asyncio.sleep(seconds)
        return world.write(spec)

    world = World(task(1), task(2), work=work, limits=Limits(jobs=jobs, grace=GRACE))
    return world


async def stopped(world: World, *moments: float) -> str:
    """A leader that is told to stop at these seconds of its run."""
    leader = world.leader()
    for moment in moments:
        asyncio.get_running_loop().call_later(moment, leader.stop, "ctrl-c")
    return await leader.run("somebody", 1)


def test_stopping_once_lets_agents_end_and_starts_nothing() -> None:
    world = working_for(5.0)
    assert world.play(stopped(world, 1.0)) == "interrupted"
    assert world.states() == {"task-1": "DONE", "task-2": "READY"}
    assert world.started() == [("task-1", 1)]
    assert world.clock.passed() == pytest.approx(5.0, abs=0.1)
    assert world.state().stopped_because == "it was interrupted"


def test_at_the_end_of_the_grace_agents_are_ended_and_it_is_no_failure_of_theirs() -> None:
    world = working_for(1000.0)
    assert world.play(stopped(world, 1.0)) == "interrupted"
    assert world.clock.passed() == pytest.approx(1.0 + GRACE, abs=0.1)
    assert [event.outcome for event in world.events(e.AttemptEnded)] == ["interrupted"]
    assert world.state().tasks["task-1"].failures == 0
    assert world.lead() == "waiting"
    assert world.started() == [("task-1", 1), ("task-1", 2), ("task-2", 1)]
    assert set(world.states().values()) == {"DONE"}


@pytest.mark.parametrize("moments", [(1.0, 2.0), (1.0, 1.0)], ids=["one after the other", "at once"])
def test_stopping_twice_ends_agents_now(moments: tuple[float, float]) -> None:
    world = working_for(1000.0, jobs=2)
    assert world.play(stopped(world, *moments)) == "interrupted"
    assert world.clock.passed() == pytest.approx(moments[1], abs=0.1)
    assert [event.outcome for event in world.events(e.AttemptEnded)] == ["interrupted", "interrupted"]
    assert all(run.done for run in world.runner._runs.values())
    world.lead()
    assert set(world.states().values()) == {"DONE"}


def test_stopping_a_third_time_changes_nothing() -> None:
    world = working_for(1000.0)
    assert world.play(stopped(world, 1.0, 1.0, 1.0)) == "interrupted"
    assert len(world.events(e.LeaderStopping)) == 1


def test_checks_are_given_up_at_the_end_of_the_grace_and_run_again_later() -> None:
    async def hangs_at_first(_: CheckCall) -> int:
        if len(world.checker.calls) == 1:
            await gate.passed()
        return 0

    gate = Gate()
    world = World(task(1, checks=("make test",)), answer=hangs_at_first, limits=Limits(grace=GRACE))
    assert world.play(stopped(world, 1.0)) == "interrupted"
    assert gate.given_up.is_set()
    assert world.clock.passed() == pytest.approx(1.0 + GRACE, abs=0.1)
    assert world.states() == {"task-1": "RUNNING"}
    world.lead()
    assert world.states() == {"task-1": "DONE"}
    assert len(world.checked()) == 2
    assert world.started() == [("task-1", 1)]


def test_no_check_begins_once_the_leader_was_stopped_twice() -> None:
    world, gate = World(task(1, checks=("make test",))), Gate(stubborn=True)
    world.workspace.before = gate.before("collect", "task-1")

    async def story() -> str:
        leader = world.leader()
        leading = asyncio.create_task(leader.run("somebody", 1))
        await gate.reached.wait()
        leader.stop("ctrl-c")
        leader.stop("ctrl-c")
        await asyncio.sleep(1)
        gate.opened.set()
        return await leading

    assert world.play(story()) == "interrupted"
    assert [event.work.commit for event in world.events(e.WorkCollected)] != []
    assert world.checker.calls == []
    world.lead()
    assert world.states() == {"task-1": "DONE"}


def test_a_check_that_ends_within_the_grace_counts() -> None:
    async def takes_its_time(_: CheckCall) -> int:
        await asyncio.sleep(5)
        return 0

    world = World(task(1, checks=("make", "make test")), answer=takes_its_time, limits=Limits(grace=20.0))
    assert world.play(stopped(world, 1.0)) == "interrupted"
    assert world.states() == {"task-1": "DONE"}


def test_a_copy_in_preparation_is_given_up_when_stopped_twice_and_made_later() -> None:
    world, gate = World(task(1)), Gate()
    world.workspace.before = gate.before("prepare", "task-1")
    assert world.play(stopped(world, 1.0, 2.0)) == "interrupted"
    assert gate.given_up.is_set()
    assert world.clock.passed() == pytest.approx(2.0, abs=0.1)
    world.workspace.before = None
    world.lead()
    assert world.started() == [("task-1", 1)]
    assert world.states() == {"task-1": "DONE"}


def test_a_copy_that_is_ready_after_the_stop_gets_its_agent_only_after_the_resume() -> None:
    world = World(task(1))

    async def slowly(_: object) -> None:
        await asyncio.sleep(5)

    world.workspace.before = slowly
    assert world.play(stopped(world, 1.0)) == "interrupted"
    assert world.started() == []
    world.lead()
    assert world.started() == [("task-1", 1)]


def test_a_stop_before_the_first_turn_starts_nothing() -> None:
    world = World(task(1))

    async def story() -> str:
        leader = world.leader()
        leading = asyncio.create_task(leader.run("somebody", 1))
        await asyncio.sleep(0)
        leader.stop("ctrl-c")
        return await leading

    assert world.play(story()) == "interrupted"
    assert world.started() == []
    world.lead()
    assert world.states() == {"task-1": "DONE"}


def test_a_leader_that_died_while_stopping_holds_nobody_back() -> None:
    world = working_for(5.0)

    async def story() -> None:
        leader = world.leader()
        leading = asyncio.create_task(leader.run("somebody", 1))
        await asyncio.sleep(1)
        leader.stop("ctrl-c")
        await asyncio.sleep(1)
        leading.cancel()
        await asyncio.wait([leading])

    world.play(story())
    assert world.state().draining
    assert world.play(stopped(world, 1.0)) == "interrupted"
    assert world.states()["task-1"] == "DONE", "the first stop of the new leader was taken for a second"
    world.lead()
    assert set(world.states().values()) == {"DONE"}


def test_stopping_a_command_without_staff_does_not_mark_the_session_as_stopping() -> None:
    world, gate = working_for(1000.0), Gate(stubborn=True)

    async def story() -> str:
        await stopped(world, 1.0)
        world.workspace.before = gate.before("release", "task-1")
        world.inbox.put(Cancel("enough"))
        leader = world.leader(staffed=False)
        leading = asyncio.create_task(leader.run("somebody", 2))
        await gate.reached.wait()
        leader.stop("ctrl-c")
        gate.opened.set()
        return await leading

    assert world.play(story()) in {"finished", "interrupted"}
    assert not world.state().draining
