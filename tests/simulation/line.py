"""A leader's line to the world. Whoever is killed does nothing more, from that very step on."""

import asyncio
from math import inf
from typing import TYPE_CHECKING

from tests.simulation.fates import Fate

from teamlead.engine.leader import Leader
from teamlead.errors import DiskUnusable

if TYPE_CHECKING:
    from tests.simulation.talk import TeamOnLine
    from tests.simulation.world import World

DISK_HANGS = 4000.0
"""Longer than the leader goes without a look at its inbox."""


class Killed(Exception):
    """The leader's process is gone at this point."""


class Line:
    def __init__(self, world: "World", epoch: int, fate: Fate | None) -> None:
        self.world = world
        self.epoch = epoch
        self.began = len(world.disk.events)
        self.fate = fate
        self.cut = False
        self.leaving = False
        """It has a reason to end its agents."""
        self.stopped_at = inf
        self.drained: set[tuple[str, int]] = set()
        """Runs it took up when it was to start nothing any more."""
        self.full_late = False
        """Its next commit reaches the disk, and is told to have failed."""
        self.short_of_disk_space = False
        """Less is free than should be."""
        self.disk_full = False
        """git and agents cannot store anything."""
        self.blameless: set[tuple[str, int]] = set()
        """Attempts that met such a disk: they must not fail of it."""
        self.leader: Leader
        self.team: TeamOnLine | None = None
        self.lost: asyncio.Future[None]
        self.during = fate.during if fate else ""
        self._left = fate.step if fate else 0
        self._hangs: list[float] = []

    @property
    def stale(self) -> bool:
        return self.epoch != self.world.disk.epoch

    def step(self, method: str) -> None:
        """Before and after whatever a leader does to the world."""
        if self.cut:
            raise Killed
        if self._left and (not self.during or self.during == method):
            self._left -= 1
            if not self._left:
                self.world.leaders.harm.befall(self)
                if self.cut:
                    raise Killed

    async def hang(self) -> None:
        self._hangs.append(self.world.clock.passed() + DISK_HANGS)
        await asyncio.sleep(DISK_HANGS)

    def hindered(self) -> float:
        """For how long the disk hangs since the leader was to leave."""
        return sum(min(max(end - self.stopped_at, 0.0), DISK_HANGS) for end in self._hangs)

    def require_disk_space(self) -> None:
        if self.short_of_disk_space:
            self.world.leaders.harm.must_leave(self)
            raise DiskUnusable("too little disk space is left")

    def store(self, task: str) -> None:
        """Before git or an agent writes anything."""
        if self.disk_full:
            self.is_blameless(task)
            self.world.leaders.harm.must_leave(self)
            raise DiskUnusable("no space left on device")

    def is_blameless(self, task: str) -> None:
        attempt = self.world.state.active.get(task)
        if attempt is not None:
            self.blameless.add((task, attempt.number))
