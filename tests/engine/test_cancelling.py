"""Ending an attempt in every phase: it keeps its seat, and its copy, until nothing of it runs."""

import asyncio
from collections.abc import Callable

import pytest
from tests.engine.support import Gate, World, task

from teamlead.core import events as e
from teamlead.core.facts import Cancel, Command, SkipTask
from teamlead.core.model import Limits, TaskSpec
from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.testing.checker import CheckCall
from teamlead.testing.runner import FakeRun, FakeRunner

SECOND, DEPENDENT = task(2), task(2, 1)
AFTER_ITS_AGENT = {"collecting", "checking"}
PHASES = ["preparing", "looking for an agent", "starting an agent", "working", "collecting", "checking"]
METHODS = {"prepare": "preparing", "collect": "collecting", "integrate": "integrating"}


def held_in(phase: str, gate: Gate, second: TaskSpec = SECOND) -> World:
    """A world in which task-1 stays in this phase. There is one seat, for which the second task waits."""

    async def hold(here: str, task: str) -> None:
        if (here, task) == (phase, "task-1") and not gate.opened.is_set():
            await gate.passed()

    async def work(spec: RunSpec) -> RunEnd:
        await hold("working", spec.task)
        if phase == "starting an agent" and spec.task == "task-1":
            await asyncio.sleep(1e6)
        return world.write(spec)

    async def check(call: CheckCall) -> int:
        await hold("checking", call.cwd.name)
        return 0

    class Runner(FakeRunner):
        async def recall(self, spec: RunSpec) -> RunEnd | None:
            await hold("looking for an agent", spec.task)
            return await super().recall(spec)

        async def start(self, spec: RunSpec) -> FakeRun:
            run = await super().start(spec)
            await hold("starting an agent", spec.task)
            return run

    world = World(task(1), second, answer=check, checks=("make",), limits=Limits(jobs=1))
    world.runner = Runner(work)
    world.workspace.before = lambda call: hold(METHODS.get(call.method, ""), call.task)
    return world


async def told(world: World, gate: Gate, command: Command, look: Callable[[], None]) -> str:
    """The command comes while task-1 is held. The test looks around long after, and then lets it go."""
    leading = asyncio.create_task(world.leader().run("somebody", 1))
    await gate.reached.wait()
    world.inbox.put(command)
    await asyncio.sleep(1000)
    look()
    gate.opened.set()
    return await leading


@pytest.mark.parametrize("phase", PHASES)
def test_a_skipped_attempt_keeps_its_seat_and_its_copy_until_it_is_quiet(phase: str) -> None:
    gate = Gate(stubborn=True)
    world = held_in(phase, gate)

    def look() -> None:
        state = world.state()
        assert state.active["task-1"].phase == "stopping"
        assert (state.tasks["task-2"].state == "READY") == (phase not in AFTER_ITS_AGENT)
        assert ("release", "task-1") not in [(call.method, call.task) for call in world.workspace.calls]

    assert world.play(told(world, gate, SkipTask("task-1", "not needed"), look)) == "waiting"
    assert world.states() == {"task-1": "SKIPPED", "task-2": "DONE"}
    assert "task-1.txt" not in world.merged()
    assert (("task-1", 1) in world.started()) == (phase not in {"preparing", "looking for an agent"})
    assert world.clock.passed() < 2000, "an agent nobody wants any more was waited for"


@pytest.mark.parametrize("phase", PHASES)
def test_a_cancelled_session_ends_when_its_attempts_are_quiet(phase: str) -> None:
    gate = Gate(stubborn=True)
    world = held_in(phase, gate, DEPENDENT)

    def look() -> None:
        assert world.state().phase == "CANCELLED"
        assert ("release", "task-1") not in [(call.method, call.task) for call in world.workspace.calls]

    assert world.play(told(world, gate, Cancel("enough"), look)) == "finished"
    assert world.states() == {"task-1": "CANCELLED", "task-2": "CANCELLED"}
    assert [event.outcome for event in world.events(e.AttemptEnded)] == ["stopped"]
    *_, released, looked = world.workspace.calls
    assert (released, looked.method) == (("release", "task-1", 0), "look")
    assert not world.state().due


@pytest.mark.parametrize("phase", ["preparing", "working", "checking"])
def test_what_gives_way_is_given_up_at_once(phase: str) -> None:
    gate = Gate()
    world = held_in(phase, gate)

    def look() -> None:
        assert gate.given_up.is_set()
        assert world.states() == {"task-1": "SKIPPED", "task-2": "DONE"}

    assert world.play(told(world, gate, SkipTask("task-1", "not needed"), look)) == "waiting"


def test_work_that_is_being_merged_is_let_through() -> None:
    gate = Gate()
    world = held_in("integrating", gate, DEPENDENT)

    def look() -> None:
        assert world.state().phase == "CANCELLED"
        assert world.state().active["task-1"].phase == "integrating"

    assert world.play(told(world, gate, Cancel("enough"), look)) == "finished"
    assert world.states() == {"task-1": "DONE", "task-2": "CANCELLED"}
    assert "task-1.txt" in world.merged()
    assert not world.state().due


def test_a_task_that_is_being_merged_cannot_be_skipped() -> None:
    gate = Gate()
    world = held_in("integrating", gate)

    def look() -> None:
        (outcome,) = world.journal.outcomes.values()
        assert not outcome.accepted
        assert "being merged" in outcome.message

    world.play(told(world, gate, SkipTask("task-1", "not needed"), look))
    assert world.states() == {"task-1": "DONE", "task-2": "DONE"}
