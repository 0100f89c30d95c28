"""Retries in virtual time, and clocks that jump."""

import asyncio
from typing import Any

import pytest
from tests.engine.support import World, task

from teamlead.core import events as e
from teamlead.core.facts import Resolve, SkipTask
from teamlead.core.model import Limits, Question
from teamlead.core.runs import RunEnd
from teamlead.engine.alarm import LONGEST as LONGEST_ALARM
from teamlead.ports.journal import Commit
from teamlead.ports.runner import RunSpec
from teamlead.system.clock import SteadyClock
from teamlead.testing.clock import FakeClock
from teamlead.testing.journal import MemoryJournal

HOUR = 3600.0


def failing(times: int, **limits: Any) -> World:
    """A task whose agent fails that often, then does it. A retry waits for an hour at first."""

    def work(spec: RunSpec) -> RunEnd:
        return world.write(spec) if spec.attempt > times else RunEnd("error", detail="it crashed")

    world = World(task(1), work=work, limits=Limits(**{"attempts": 5, "retry_delay": HOUR, **limits}))
    return world


def starts(world: World) -> list[float]:
    return world.times(e.AttemptStarted, "task-1")


def test_each_retry_waits_twice_as_long() -> None:
    world = failing(4)
    assert world.lead() == "waiting"
    assert starts(world) == pytest.approx([0, HOUR, 3 * HOUR, 7 * HOUR, 15 * HOUR], abs=1)
    assert world.states() == {"task-1": "DONE"}


def test_after_too_many_failures_a_person_is_asked_and_the_count_starts_anew() -> None:
    world = failing(3, attempts=2)
    assert world.lead() == "waiting"
    assert starts(world) == pytest.approx([0, HOUR], abs=1)
    world.inbox.put(Resolve("esc-1", "retry"))
    world.lead()
    assert starts(world)[2:] == pytest.approx([HOUR, 2 * HOUR], abs=1)
    world.inbox.put(Resolve("esc-2", "retry"))
    world.lead()
    assert world.states() == {"task-1": "DONE"}


@pytest.mark.parametrize(
    ("jump", "expected"),
    [
        pytest.param(10 * HOUR, 600 + LONGEST_ALARM, id="forward: it is soon noticed that it is time"),
        pytest.param(-HOUR, 2 * HOUR, id="backward: it waits for the moment it was told"),
        pytest.param(60.0, HOUR - 60, id="a little forward: earlier"),
    ],
)
def test_a_clock_that_jumps_loses_no_timer_and_starts_nothing_twice(jump: float, expected: float) -> None:
    world = failing(1)
    started: list[float] = []

    async def story() -> None:
        asyncio.get_running_loop().call_later(600.0, world.clock.jump, jump)
        await world.leader(inbox_every=HOUR).run("somebody", 1)
        started.append(world.clock.passed())

    world.play(story())
    assert started == pytest.approx([expected], abs=LONGEST_ALARM + 1)
    assert world.started() == [("task-1", 1), ("task-1", 2)]
    assert world.states() == {"task-1": "DONE"}


DAY = 24 * HOUR


def steady(world: World) -> SteadyClock:
    """What real leaders go by."""
    return SteadyClock(world.state().updated_at, world.clock.now, world.clock.passed)


@pytest.mark.parametrize("jump", [-HOUR, -30 * DAY])
def test_a_pause_lasts_no_longer_because_the_clock_is_set_back(jump: float) -> None:
    world = failing(1)

    async def story() -> None:
        asyncio.get_running_loop().call_later(600.0, world.clock.jump, jump)
        await world.leader(clock=steady(world)).run("somebody", 1)

    world.play(story())
    assert world.clock.passed() == pytest.approx(HOUR, abs=LONGEST_ALARM + 1)
    assert starts(world) == pytest.approx([0, HOUR], abs=LONGEST_ALARM + 1)
    assert world.states() == {"task-1": "DONE"}


def test_a_clock_that_is_set_back_between_two_leaders_turns_no_moment_back() -> None:
    world = failing(1)

    async def interrupted() -> str:
        leader = world.leader(clock=steady(world))
        asyncio.get_running_loop().call_later(60.0, leader.stop, "ctrl-c")
        return await leader.run("somebody", 1)

    world.play(interrupted())
    world.clock.jump(-30 * DAY)
    assert world.lead(clock=steady(world)) == "waiting"
    moments = [recorded.at for recorded in world.journal.events]
    assert moments == sorted(moments)
    assert world.clock.passed() == pytest.approx(HOUR, abs=LONGEST_ALARM + 61)


def test_a_retry_waits_across_leaders() -> None:
    world = failing(1)

    async def interrupted() -> str:
        leader = world.leader()
        asyncio.get_running_loop().call_later(60.0, leader.stop, "ctrl-c")
        return await leader.run("somebody", 1)

    assert world.play(interrupted()) == "interrupted"
    assert world.lead() == "waiting"
    assert starts(world) == pytest.approx([0, HOUR], abs=1)


def test_a_retry_that_is_overdue_starts_with_the_next_leader() -> None:
    world = failing(1)

    async def interrupted() -> str:
        leader = world.leader()
        asyncio.get_running_loop().call_later(60.0, leader.stop, "ctrl-c")
        return await leader.run("somebody", 1)

    world.play(interrupted())
    world.clock.advance(10 * HOUR)
    world.lead()
    assert starts(world) == pytest.approx([0, 10 * HOUR + 60], abs=1)


class Slow(MemoryJournal):
    """Time passes while something that may wait for the disk is written."""

    clock: FakeClock | None = None

    async def commit(self, commit: Commit) -> None:
        if self.clock and not commit.durable:
            self.clock.advance(5.0)
        await super().commit(commit)


def test_a_moment_that_passes_while_something_is_written_is_not_missed() -> None:
    async def work(spec: RunSpec) -> RunEnd:
        if spec.task == "task-1":
            return RunEnd("error") if spec.attempt == 1 else world.write(spec)
        await asyncio.sleep(1)
        return world.write(spec)

    world = World(task(1), task(2), work=work, limits=Limits(retry_delay=2.0))
    world.journal = journal = Slow()
    world.open(journal)
    journal.clock = world.clock
    assert world.lead() == "waiting"
    assert world.states() == {"task-1": "DONE", "task-2": "DONE"}


def test_a_retry_whose_time_has_come_waits_for_a_free_slot() -> None:
    async def work(spec: RunSpec) -> RunEnd:
        if spec.task == "task-1" and spec.attempt == 1:
            return RunEnd("error")
        await asyncio.sleep(100)
        return world.write(spec)

    world = World(task(1), task(2), work=work, limits=Limits(jobs=1, retry_delay=2.0))
    assert world.lead() == "waiting"
    assert starts(world) == pytest.approx([0, 100], abs=1)
    assert world.states() == {"task-1": "DONE", "task-2": "DONE"}


def test_a_session_that_stops_for_a_question_does_not_wait_for_a_timer_in_silence() -> None:
    async def work(spec: RunSpec) -> RunEnd:
        if spec.task == "task-1":
            return RunEnd("error") if spec.attempt == 1 else world.write(spec)
        await asyncio.sleep(1)
        return RunEnd("ok", question=Question("Which colour?"))

    world = World(task(1), task(2), work=work, limits=Limits(retry_delay=60.0), stop_on_escalation=True)
    assert world.lead() == "waiting"
    assert starts(world) == [0]
    world.inbox.put(SkipTask("task-2", "not needed"))
    world.lead()
    assert world.states() == {"task-1": "DONE", "task-2": "SKIPPED"}
