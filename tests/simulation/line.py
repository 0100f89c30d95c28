"""A leader's line to the world. Whoever is killed does nothing more, from that very step on."""

import asyncio
from math import inf
from typing import TYPE_CHECKING

from tests.simulation.fates import Fate

from teamlead.engine.leader import Leader

if TYPE_CHECKING:
    from tests.simulation.world import World


class Killed(Exception):
    """The leader's process is gone at this point."""


class Line:
    def __init__(self, world: "World", epoch: int, fate: Fate | None) -> None:
        self.world = world
        self.epoch = epoch
        self.fate = fate
        self.cut = False
        self.leaving = False
        """It has a reason to end its agents."""
        self.stopped_at = inf
        self.drained: set[tuple[str, int]] = set()
        """Runs it took up when it was to start nothing any more."""
        self.full_late = False
        """Its next commit reaches the disk, and is told to have failed."""
        self.leader: Leader
        self.lost: asyncio.Future[None]
        self.during = fate.during if fate else ""
        self._left = fate.step if fate else 0

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
                self.world.befall(self)
                if self.cut:
                    raise Killed
