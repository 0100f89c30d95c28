"""What a new leader finds out before it decides anything: git and the agents may be ahead of the journal."""

import asyncio
from collections.abc import Callable

import pytest
from tests.engine.support import Killed, Line, World, surviving, task

from teamlead.core import events as e
from teamlead.core.facts import Approve, Reject, SkipTask
from teamlead.core.runs import RunEnd
from teamlead.engine.leader import Leader
from teamlead.errors import GitFailed
from teamlead.ports.runner import RunSpec
from teamlead.testing.checker import CheckCall
from teamlead.testing.workspace import Call


def cut_after(world: World, method: str) -> None:
    """A leader whose power is cut as soon as this call has done its work."""

    async def story() -> None:
        line = Line()
        parts = line.parts(world.parts())
        real = getattr(world.workspace, method)

        async def last(*arguments: object, **options: object) -> object:
            result = await real(*arguments, **options)
            line.cut()
            return result

        setattr(world.workspace, method, last)
        with pytest.raises(Killed):
            await Leader(world.state(), parts).run("the dead", 1)
        setattr(world.workspace, method, real)

    world.play(story())
    world.journal = surviving(world.journal, power_cut=True)


def fails_at(world: World, method: str) -> Callable[[Call], None]:
    def before(call: Call) -> None:
        if call.method == method:
            raise GitFailed(f"git would not {method}")

    return before


def moody() -> World:
    """In its copy its check passes once, and never again."""

    def once(_: CheckCall) -> int:
        return int(len(world.checked()) > 1)

    world = World(task(1, checks=("make test",)), answer=once)
    return world


def test_merged_work_is_done_though_the_journal_does_not_know_that_it_was_accepted() -> None:
    world = moody()
    cut_after(world, "integrate")
    assert not world.events(e.WorkAccepted)
    assert world.lead() == "waiting"
    assert world.states() == {"task-1": "DONE"}
    assert world.state().tasks["task-1"].commit in world.workspace.history.commits
    assert len(world.checked()) == 1, "what is merged is not checked again"


def test_merged_work_cannot_be_skipped_any_more() -> None:
    world = moody()
    cut_after(world, "integrate")
    command = world.inbox.put(SkipTask("task-1", "not needed"))
    world.lead(staffed=False)
    assert not world.journal.outcomes[command].accepted
    assert world.states() == {"task-1": "DONE"}


def test_merged_work_does_not_count_as_failed_where_git_fails_afterwards() -> None:
    world = World(task(1))
    cut_after(world, "integrate")
    world.workspace.before = fails_at(world, "integrate")
    assert world.lead() == "waiting"
    assert world.states() == {"task-1": "DONE"}


def test_an_approval_that_was_applied_is_not_called_refused_where_git_fails_afterwards() -> None:
    world = World(task(1))
    world.lead()
    world.inbox.put(Approve(world.workspace.integration))
    cut_after(world, "apply")
    assert "task-1.txt" in world.delivered()
    world.workspace.before = fails_at(world, "apply")
    command = world.inbox.put(Reject("not good enough"))
    assert world.lead() == "finished"
    assert world.state().approval
    assert not world.journal.outcomes[command].accepted


def test_an_agent_that_outlived_its_leader_is_gone_before_its_attempt_can_end() -> None:
    living: list[int] = []

    async def works(spec: RunSpec) -> RunEnd:
        assert not living, "two agents work in one copy"
        living.append(spec.attempt)
        try:
            await asyncio.sleep(60)
        finally:
            living.remove(spec.attempt)
        return world.write(spec)

    async def story() -> None:
        line = Line()
        first = asyncio.create_task(Leader(world.state(), line.parts(world.parts())).run("the dead", 1))
        await asyncio.sleep(0.003)
        line.cut()
        first.cancel()
        with pytest.raises((Killed, asyncio.CancelledError)):
            await first
        assert living == [1], "there was no warden"
        assert not world.events(e.CopyPrepared), "the journal is behind"
        world.workspace.before = fails_once
        await world.leader().run("somebody", 2)

    def fails_once(call: Call) -> None:
        if call.method == "prepare":
            world.workspace.before = None
            raise GitFailed("git would not prepare")

    world = World(task(1), work=works)
    world.play(story())
    assert world.states() == {"task-1": "DONE"}
    assert world.started() == [("task-1", 1), ("task-1", 2)]
