"""A machine out of processes, descriptors or memory is nobody's failure: starts wait, and then go on."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from tests.engine.support import SECONDS_OF_WORK, World, task
from tests.engine.test_errors import STEPS, breaking

from teamlead.core import events as e
from teamlead.core.asking.holds import FIRST_PAUSE, LONGEST_PAUSE
from teamlead.core.facts import Approve, ReleaseAgent, SkipTask
from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.core.state.records import MACHINE
from teamlead.errors import LockHeld, MachineBusy, MachineExhausted
from teamlead.ports.checking import CheckEnd
from teamlead.ports.runner import RunSpec
from teamlead.testing.runner import FakeRun
from teamlead.testing.trials import FakeTrials

HELD = LockHeld("process 7 has held 'pool.lock' for more than 60 s", remedy="end it")
EXHAUSTED = MachineExhausted("cannot start 'sh': Resource temporarily unavailable", remedy="end something")


def blameless(world: World) -> bool:
    """Nobody failed, and no attempt was begun twice."""
    tasks = world.state().tasks.values()
    return not any(task.failures for task in tasks) and all(len(task.attempts) <= 1 for task in tasks)


def pauses(world: World) -> list[float]:
    """The machine's, in seconds."""
    held = [recorded for recorded in world.journal.events if isinstance(recorded.event, e.AgentHeld)]
    assert {recorded.event.kind for recorded in held if isinstance(recorded.event, e.AgentHeld)} <= {MACHINE}
    return [
        recorded.event.until - recorded.at
        for recorded in held
        if isinstance(recorded.event, e.AgentHeld) and recorded.event.until is not None
    ]


@pytest.mark.parametrize(("error", "times"), [(EXHAUSTED, 1), (EXHAUSTED, 9), (HELD, 2)])
@pytest.mark.parametrize("step", [*STEPS, "release"])
def test_what_the_machine_cannot_do_now_is_done_later_by_the_same_leader(
    step: str, error: MachineBusy, times: int
) -> None:
    world = breaking(step, error, times=times)
    world.inbox.put(SkipTask("task-2", "not needed"))
    assert world.lead() == "waiting"
    assert world.states() == {"task-1": "DONE", "task-2": "SKIPPED"}
    assert world.merged()["task-1.txt"] == "made by task-1\n"
    assert blameless(world)
    waited = pauses(world)
    assert waited == [min(FIRST_PAUSE * 2**n, LONGEST_PAUSE) for n in range(times)]
    assert {event.reason for event in world.events(e.AgentHeld)} == {error.message}


def test_nothing_is_started_while_the_machine_is_held() -> None:
    """The second agent ends in the midst of a pause; a third and its check wait until that is over."""
    left = [6]

    async def work(spec: RunSpec) -> RunEnd:
        await asyncio.sleep(SECONDS_OF_WORK)
        return world.write(spec)

    world = World(task(1), task(2), task(3, checks=("make",)), work=work, limits=Limits(jobs=2))
    start = world.runner.start

    async def refused(spec: RunSpec) -> FakeRun:
        if spec.task == "task-1" and left[0]:
            left[0] -= 1
            raise EXHAUSTED
        return await start(spec)

    world.runner.start = refused  # type: ignore[method-assign]
    assert world.lead() == "waiting"
    assert set(world.states().values()) == {"DONE"}
    held = [(at, at + pause) for at, pause in zip(world.times(e.AgentHeld), pauses(world), strict=True)]
    (freed,) = world.times(e.TaskDone, "task-2")
    (began,) = world.times(e.AttemptStarted, "task-3")
    assert any(at < freed < until for at, until in held), "the place came free while nothing was held"
    assert not any(at < began < until for at, until in held)
    assert began < world.times(e.TaskDone, "task-1")[0]
    assert blameless(world)


def test_the_machine_is_held_for_all_agents_and_one_more_task_waits_for_it() -> None:
    """Two slots: the second task is not even begun while the first one waits for the machine."""
    world = World(task(1), task(2, agent="other"), limits=Limits(jobs=2))
    left = [2]

    def before(call: object) -> None:
        if getattr(call, "method", "") == "prepare" and left[0]:
            left[0] -= 1
            raise EXHAUSTED

    world.workspace.before = before
    assert world.lead() == "waiting"
    assert set(world.states().values()) == {"DONE"}
    assert blameless(world)
    assert len(pauses(world)) == 1, "what met the same shortage says nothing new"


def test_a_person_who_has_seen_to_the_machine_need_not_wait() -> None:
    world = breaking("start", EXHAUSTED, times=5)
    world.inbox.put(SkipTask("task-2", "not needed"))

    def observe(recorded: object, _: object) -> None:
        if len(world.events(e.AgentHeld)) == 5 and not world.events(e.AgentReleased):
            world.inbox.put(ReleaseAgent(MACHINE))

    world.observe = observe
    world.lead(inbox_every=0.1)
    last, released = world.times(e.AgentHeld)[-1], world.times(e.AgentReleased)
    assert last <= released[0] < last + pauses(world)[-1]
    assert world.times(e.RunEnded)[0] < last + pauses(world)[-1]


class ExhaustedOnce(FakeTrials):
    tried = False

    async def run(self, *given: Any, **named: Any) -> CheckEnd:
        if not self.tried:
            self.tried = True
            raise EXHAUSTED
        return await super().run(*given, **named)


@pytest.mark.parametrize("code", [1, 0], ids=["on the base", "on the merged work"])
def test_a_clean_copy_that_meets_an_exhausted_machine_is_asked_for_again(code: int) -> None:
    world = World(task(1), checks=("make",), answer=lambda _: code)
    assert world.lead(trials=ExhaustedOnce(world.workspace, world.checker)) == "waiting"
    assert (world.states(), world.state().phase) == ({"task-1": "DONE"}, "AWAITING_APPROVAL")
    assert blameless(world)


def test_a_leader_that_is_to_end_does_not_wait_for_the_machine() -> None:
    world = breaking("prepare", EXHAUSTED)

    def observe(recorded: Sequence[e.Recorded], _: object) -> None:
        if any(isinstance(each.event, e.AgentHeld) for each in recorded):
            leader.stop("enough")

    world.observe = observe
    leader = world.leader()
    assert world.play(leader.run("somebody", 1)) == "interrupted"
    assert blameless(world)


def test_a_command_without_a_leader_says_so_and_may_be_given_again() -> None:
    world = World(task(1))
    world.lead()
    left = [1]

    def before(call: object) -> None:
        if getattr(call, "method", "") == "apply" and left:
            left.pop()
            raise EXHAUSTED

    world.workspace.before = before
    world.inbox.put(Approve(world.workspace.integration))
    assert world.lead(staffed=False) == "waiting"
    assert EXHAUSTED.message in world.state().approval_refused
    world.inbox.put(Approve(world.workspace.integration))
    assert world.lead(staffed=False) == "finished"
