"""Adapters that fail: what is expected counts against the attempt, what is not ends the leader."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest
from tests.engine.support import Gate, World, task

from teamlead.core.facts import Approve, Cancel, Resolve, SkipTask
from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.errors import Failed, GitFailed, MergeConflict, UsageError
from teamlead.ports.runner import RunSpec
from teamlead.testing.checker import CheckCall
from teamlead.testing.runner import FakeRun, FakeRunner
from teamlead.testing.workspace import Call

STEPS = ["prepare", "start", "collect", "check", "integrate"]


class Bug(Exception):
    pass


def breaking(step: str, error: Exception, *, times: int = 100) -> World:
    """Something goes wrong for task-1 at this step, that often; task-2 has an agent that never ends."""
    left = [times]

    def perhaps(here: str, name: str) -> None:
        if (here, name) == (step, "task-1") and left[0]:
            left[0] -= 1
            raise error

    async def work(spec: RunSpec) -> RunEnd:
        if spec.task == "task-2":
            await asyncio.sleep(1e9)
        return world.write(spec)

    def check(call: CheckCall) -> int:
        perhaps("check", call.cwd.name)
        return 0

    world = World(task(1, checks=("make",)), task(2), work=work, answer=check)
    world.workspace.before = lambda call: perhaps(call.method, call.task or "task-1")
    start = world.runner.start

    async def checked(spec: RunSpec) -> FakeRun:
        perhaps("start", spec.task)
        return await start(spec)

    world.runner.start = checked  # type: ignore[method-assign]
    return world


@pytest.mark.parametrize("step", [*STEPS, "release"])
def test_an_unexpected_error_ends_the_leader_after_its_agents(step: str) -> None:
    world = breaking(step, Bug("this should not happen"))
    with pytest.raises(Bug):
        world.lead()
    assert all(run.done for run in world.runner._runs.values())
    assert world.state().leader == "somebody", "only a leader that ends in order says so"


@pytest.mark.parametrize("step", STEPS)
def test_an_expected_error_is_a_failed_attempt(step: str) -> None:
    world = breaking(step, Failed("the disk is full"), times=1)
    world.inbox.put(SkipTask("task-2", "not needed"))
    assert world.lead() == "waiting"
    first, second = world.state().tasks["task-1"].attempts
    assert (first.outcome, second.outcome) == ("failed", "accepted")
    assert "the disk is full" in first.reasons[0]
    assert second.started_at - first.started_at == pytest.approx(2.0, abs=0.1)


def test_a_merge_that_fails_while_its_conflict_is_looked_into_is_a_failed_attempt() -> None:
    def before(call: Call) -> None:
        if call.method == "integration_tip":
            raise GitFailed("no more memory")

    def work(spec: RunSpec) -> RunEnd:
        world.workspace.write(spec.task, "shared.txt", spec.task)
        return RunEnd("ok")

    world = World(task(1), task(2), work=work, limits=Limits(attempts=1))
    world.workspace.before = before
    assert world.lead() == "waiting"
    assert [t.blocked for t in world.state().tasks.values()] == [None, "FAILED"]


def test_dependencies_that_conflict_with_each_other_are_a_question_and_no_failure() -> None:
    world = breaking("prepare", MergeConflict("they conflict", ["shared.txt"]), times=1)
    world.inbox.put(SkipTask("task-2", "not needed"))
    assert world.lead() == "waiting"
    blocked = world.state().tasks["task-1"]
    assert (blocked.blocked, blocked.failures) == ("CONFLICT", 0)
    assert "shared.txt" in blocked.detail
    world.inbox.put(Resolve("esc-1", "retry"))
    world.lead()
    assert world.states()["task-1"] == "DONE"


def test_a_copy_that_cannot_be_released_is_reported_and_holds_up_nothing() -> None:
    world = breaking("release", Failed("it is busy"))
    world.inbox.put(SkipTask("task-2", "not needed"))
    assert world.lead() == "waiting"
    assert world.state().tasks["task-1"].kept == str(Path("/in/memory/task-1"))


def test_an_approval_that_cannot_be_carried_out_says_why_and_may_be_asked_for_again() -> None:
    world = World(task(1))
    world.lead()
    tip = world.workspace.branches.pop("main")
    world.inbox.put(Approve(world.workspace.integration))
    assert world.lead() == "waiting"
    assert "is gone" in world.state().approval_refused
    world.workspace.branches["main"] = tip
    world.inbox.put(Approve(world.workspace.integration))
    assert world.lead() == "finished"


def test_agents_that_can_be_ended_are_ended_although_another_cannot() -> None:
    class Deaf(FakeRun):
        async def cancel(self, grace: float) -> None:
            raise Bug

    class Runner(FakeRunner):
        async def start(self, spec: RunSpec) -> FakeRun:
            run = await super().start(spec)
            if spec.task == "task-1":
                run.__class__ = Deaf
            return run

    gates = {"task-1": Gate(), "task-2": Gate()}

    async def work(spec: RunSpec) -> RunEnd:
        if spec.task == "task-3":
            return world.write(spec)
        await gates[spec.task].passed()
        raise AssertionError

    world = World(task(1), task(2), task(3), work=work)
    world.runner = Runner(work)

    def before(call: Call) -> Awaitable[None] | None:
        if call.method == "collect":
            raise Bug("the first")
        return None

    world.workspace.before = before

    async def story() -> None:
        with pytest.raises(Bug, match="the first"):
            await world.leader().run("somebody", 1)
        assert gates["task-2"].given_up.is_set()

    world.play(story())


def test_a_session_can_be_cancelled_although_its_agent_is_not_known_any_more() -> None:
    """Its agents died with their leader; the runner's settings are gone meanwhile."""
    world, gate = World(task(1)), Gate()
    world.workspace.before = gate.before("collect", "task-1")

    async def story() -> str:
        leading = asyncio.create_task(world.leader().run("somebody", 1))
        await gate.reached.wait()
        await asyncio.sleep(1)
        leading.cancel()
        await asyncio.wait([leading])
        world.workspace.before = None
        world.inbox.put(Cancel("enough"))
        return await world.leader(runner_for=unknown).run("somebody", 2)

    def unknown(_: str) -> FakeRunner:
        raise UsageError("unknown agent")

    assert world.play(story()) == "finished"
    assert world.states() == {"task-1": "CANCELLED"}
