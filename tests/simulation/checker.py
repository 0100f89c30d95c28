"""Simulated checks."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tests.core.oracle import law as promise
from tests.simulation.line import Line

from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.evidence.values import SuiteRun
from teamlead.ports.checking import CheckEnd
from teamlead.ports.rooms import Room

if TYPE_CHECKING:
    from tests.simulation.world import World


LINT = "make lint"
MISSING = 0.5
TESTS = "make test"
"""This check tells of its tests, so that what it says is compared, and repeated where it is new."""


def _suite(command: str, code: int | None) -> SuiteRun | None:
    if command != TESTS or code is None:
        return None
    return SuiteRun("go", int(code == 0), code, 0, {"work::TestWork": "failed" if code else "passed"})


class ObstaclesOnLine:
    """Implements `ports.checking.Obstacles`: one command may have no program, as long as that lasts."""

    def __init__(self, world: "World") -> None:
        self._world = world

    async def explain(self, command: str, end: CheckEnd, limit: float) -> Obstacle | None:
        if end.exit_code is None:
            return Obstacle("no end", told=f"it did not end within {limit:g} seconds")
        missing = command == LINT and self._world.random.random() < MISSING
        return Obstacle("no program", "lint", "`lint` is not there", "Install it.") if missing else None


class CheckerOnLine:
    """Implements `ports.checking.Checker` for one leader. Broken work never passes."""

    def __init__(self, world: "World", line: Line) -> None:
        self._world = world
        self._line = line

    async def check(
        self,
        command: str,
        cwd: Path,
        log: Path,
        timeout: float,  # noqa: ASYNC109 - as above
        slot: int,
        *,
        room: Room | None = None,
        environment: Mapping[str, str] = {},
    ) -> CheckEnd:
        world, line, task = self._world, self._line, cwd.name
        line.step("check")
        world.count(command, task)
        promise(task not in world.agents.in_copy, f"{task} is checked, and its agent is alive")
        with world.at_work(line, "check", task):
            await world.people.wait_no_longer(task)
            await world.pause(line)
        code = self._code(task)
        line.step("check")
        if code != 0 and line.short_of_disk_space:
            line.is_blameless(task)
        return CheckEnd(code, 1.0, "" if code == 0 else "it said no", str(log), _suite(command, code))

    def _code(self, task: str) -> int | None:
        world = self._world
        if task in world.workspace.loans:
            # A clean copy: what it holds decides, and nothing else.
            return int(world.truth.broken(world.workspace.loans[task]))
        copy = world.workspace.copies.get(task)
        if copy is None or any(content.startswith(b"broken") for content in copy.files.values()):
            return 1
        if world.calm or world.random.random() < 0.9:
            copy.files.setdefault("src/cache", b"left by a check")
            return 0
        return world.random.choice((1, None))
