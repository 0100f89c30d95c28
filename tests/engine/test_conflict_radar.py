"""When the lead looks at the work of agents, what it asks of the workspace, and what it puts up with."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.engine.support import Gate, World, task

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.core.team import radar as rules
from teamlead.engine.conflict_radar import REST, SOONEST
from teamlead.engine.leader import Leader
from teamlead.errors import DiskUnusable, GitFailed
from teamlead.ports.runner import RunSpec
from teamlead.testing.runner import FakeRun
from teamlead.testing.workspace import Call

EVERY = 20.0


def team(*tasks: Any, work: Callable[[World, RunSpec], Awaitable[None]], **limits: Any) -> World:
    async def do(spec: RunSpec) -> RunEnd:
        await work(world, spec)
        return RunEnd("ok", summary="done")

    world = World(*(tasks or (task(1), task(2))), work=do, limits=Limits(jobs=3, **limits))
    return world


async def same_file(world: World, spec: RunSpec) -> None:
    """Each writes its own name to one file in its 5th second, and goes on for a minute."""
    await asyncio.sleep(5)
    world.workspace.write(spec.task, "shared.txt", f"by {spec.task}, attempt {spec.attempt}\n")
    await asyncio.sleep(60)


def looks(world: World) -> int:
    return sum(call == Call("snapshot", "task-1") for call in world.workspace.calls)


def foreseen(world: World) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(event.task, event.other, event.paths) for event in world.events(e.ConflictForeseen)]


def test_both_are_told_long_before_they_end() -> None:
    world = team(work=same_file)
    world.lead(radar=EVERY)
    assert foreseen(world)[0] == ("task-1", "task-2", ("shared.txt",))
    (told, *_), ended = world.times(e.ConflictForeseen), world.times(e.WorkCollected)
    assert told <= 5 + EVERY < min(ended)
    first = [event.recipient for event in world.events(e.MessageSent)][:2]
    assert first == ["task-1", "task-2"]


def test_a_program_that_can_be_steered_hears_it_in_mid_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []

    async def send(_: FakeRun, text: str) -> bool:
        heard.append(text)
        return True

    monkeypatch.setattr(FakeRun, "send", send)
    world = team(work=same_file)
    world.lead(radar=EVERY)
    assert heard[0].startswith("From lead:\n> task-2 (Title 2) changes the same parts of shared.txt")
    assert world.events(e.MessagesRead)[0].messages == ("msg-1",)


def test_a_radar_that_looks_at_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "pairs", lambda _: [])
    with pytest.raises(IndexError):
        test_both_are_told_long_before_they_end()


def test_nobody_looks_when_it_is_switched_off_or_one_agent_works_alone() -> None:
    world = team(work=same_file)
    world.lead(radar=0.0)
    assert looks(world) == 0
    alone = team(task(1), work=same_file)
    alone.lead(radar=EVERY)
    assert looks(alone) == 0


def test_one_that_works_alone_is_held_against_what_was_merged() -> None:
    async def work(world: World, spec: RunSpec) -> None:
        world.workspace.write(spec.task, "shared.txt", f"by {spec.task}\n")
        await asyncio.sleep(1 if spec.task == "task-1" else 60)

    world = team(work=work)
    world.lead(radar=EVERY)
    assert ("task-2", "", ("shared.txt",)) in foreseen(world)
    told = [event.text for event in world.events(e.MessageSent) if event.recipient == "task-2"]
    assert "What was merged since you began" in told[-1]
    # At once when it was merged, not when the time has come.
    assert world.times(e.ConflictForeseen, "task-2")[0] < EVERY


def test_what_merges_again_is_noted_and_said_to_nobody() -> None:
    async def work(world: World, spec: RunSpec) -> None:
        await same_file(world, spec)
        if spec.task == "task-2":
            world.workspace.delete(spec.task, "shared.txt")
            world.write(spec)
        await asyncio.sleep(60)

    world = team(work=work)
    world.lead(radar=EVERY)
    assert foreseen(world) == [("task-1", "task-2", ("shared.txt",)), ("task-1", "task-2", ())]
    assert len(world.events(e.MessageSent)) == 2
    assert set(world.states().values()) == {"DONE"}


def test_what_was_tried_is_not_tried_again() -> None:
    world = team(work=same_file)
    world.lead(radar=EVERY)
    assert looks(world) >= 3
    attempts = [event.attempt for event in world.events(e.AttemptStarted) if event.task == "task-2"]
    tried = sum(call.method == "try_merge" for call in world.workspace.calls)
    assert tried <= 1 + len(attempts)


def test_an_agent_that_reports_is_looked_at_soon_but_not_with_every_word() -> None:
    leaders: list[Leader] = []

    async def work(world: World, spec: RunSpec) -> None:
        await asyncio.sleep(5)
        world.workspace.write(spec.task, "shared.txt", spec.task)
        for _ in range(10):
            await leaders[0].put(f.Reported(spec.task, spec.attempt, "half way"))
            await asyncio.sleep(0.5)
        await asyncio.sleep(10)

    world = team(work=work)
    leaders.append(world.leader(radar=1000.0))
    world.play(leaders[0].run("somebody", 1))
    assert world.times(e.ConflictForeseen)[0] < 5 + 2 * SOONEST
    assert looks(world) <= 2 + 10 / SOONEST


@pytest.mark.parametrize("method", ["snapshot", "try_merge"])
@pytest.mark.parametrize("error", [GitFailed("torn"), DiskUnusable("no space left on device")])
def test_what_cannot_be_told_now_is_told_by_a_later_look(method: str, error: Exception) -> None:
    world = team(work=same_file)
    failures = iter([error, error])

    def fails(call: Call) -> None:
        if call.method == method and (problem := next(failures, None)):
            raise problem

    world.workspace.before = fails
    world.lead(radar=EVERY)
    assert foreseen(world)[0] == ("task-1", "task-2", ("shared.txt",))


def test_a_look_that_takes_long_is_the_only_one_and_a_long_rest_follows() -> None:
    world = team(work=same_file)
    under_way: list[Call] = []

    async def slow(call: Call) -> None:
        if call.method == "snapshot":
            assert under_way == []
            under_way.append(call)
            await asyncio.sleep(4)
            under_way.clear()

    world.workspace.before = slow
    world.lead(radar=EVERY)
    # Each takes eight seconds at least, and work goes on for 65 seconds an attempt.
    assert looks(world) <= 1 + world.times(e.AttemptEnded)[-1] / (REST * 8)


def test_the_leader_ends_with_a_look_under_way() -> None:
    world = team(work=same_file)
    gate = Gate()
    world.workspace.before = gate.before("snapshot", "task-1")

    async def story() -> str:
        leader = world.leader(radar=EVERY)
        running = asyncio.create_task(leader.run("somebody", 1))
        await gate.reached.wait()
        leader.stop("enough")
        leader.stop("now")
        return str(await running)

    assert world.play(story()) == "interrupted"
    assert gate.given_up.is_set()
