"""Checks on a clean copy of the base before agents work: run once, beside each other, given up in order."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.engine.support import World, task

from teamlead.core import events as e
from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.facts import Resolve
from teamlead.core.model import Limits
from teamlead.core.state.indexes import PATIENCE
from teamlead.errors import Failed
from teamlead.ports.checking import CheckEnd
from teamlead.testing.checker import CheckCall

MISSING = Obstacle("no program", "make", "`make` is not there", "Install it.")


class Looking:
    """Implements `ports.checking.Obstacles`: what fails has no program."""

    async def explain(self, command: str, end: CheckEnd, limit: float) -> Obstacle | None:
        return MISSING if end.exit_code else None


def on_base(world: World) -> list[str]:
    return [call.command for call in world.checker.calls if call.cwd.name.startswith("trial-")]


def waits(seconds: float) -> Callable[[CheckCall], Awaitable[int]]:
    async def answer(call: CheckCall) -> int:
        if call.cwd.name.startswith("trial-") and call.command == "slow":
            await asyncio.sleep(seconds)
        return 0

    return answer


def test_the_base_is_run_once_and_what_is_compared_later_is_that_run() -> None:
    world = World(task(1, checks=("make",)), task(2, checks=("make",)), preflight=True)
    world.lead()
    assert on_base(world).count("make") == 2, "once on the base, once on the merged work"
    assert set(world.states().values()) == {"DONE"}


def test_as_many_run_at_once_as_checks_may() -> None:
    at_once: list[int] = []
    running = 0

    async def answer(_: CheckCall) -> int:
        nonlocal running
        running += 1
        at_once.append(running)
        await asyncio.sleep(1)
        running -= 1
        return 0

    checks = ("a", "b", "c", "d", "e")
    world = World(task(1, checks=checks), answer=answer, limits=Limits(check_jobs=3), preflight=True)
    world.lead()
    assert max(at_once[: len(checks)]) == 3


def test_agents_start_after_a_minute_beside_what_still_runs() -> None:
    world = World(task(1, checks=("slow",)), answer=waits(10 * PATIENCE), preflight=True)
    world.lead()
    [tried], [started] = world.times(e.PreflightStarted), world.times(e.AttemptStarted)
    assert started - tried == PATIENCE
    assert world.states() == {"task-1": "DONE"}


def test_what_cannot_be_run_is_asked_before_an_agent_starts() -> None:
    world = World(task(1, checks=("make",)), answer=lambda _: 127, preflight=True)
    assert world.lead(obstacles=Looking()) == "waiting"
    assert (world.states(), world.started()) == ({"task-1": "BLOCKED"}, [])


def test_what_is_tried_again_is_run_again() -> None:
    world = World(task(1, checks=("make",)), answer=lambda _: 127, preflight=True)
    world.lead(obstacles=Looking())
    world.inbox.put(Resolve("esc-1", "retry"))
    world.lead(obstacles=Looking())
    assert on_base(world) == ["make", "make"]


def test_where_no_clean_copy_can_be_made_agents_start() -> None:
    def answer(call: CheckCall) -> int:
        if call.cwd.name.startswith("trial-"):
            raise Failed("no clean copy can be made")
        return 0

    world = World(task(1, checks=("make",)), answer=answer, preflight=True)
    world.lead()
    [ended] = world.events(e.PreflightEnded)
    assert ended.untried == "no clean copy can be made"
    assert len(world.started()) == 1
