"""What befalls a leader, and what must become of it."""

import asyncio
from math import inf
from typing import TYPE_CHECKING, Any

from tests.core.oracle import law as promise
from tests.simulation.line import Line

if TYPE_CHECKING:
    from tests.simulation.world import World

LONGEST_STOP = 60.0
"""Seconds from the word to the end: the grace, then what git and people take. Hangs of the disk are added."""
AT_ONCE = 0.001


class Harm:
    def __init__(self, world: "World") -> None:
        self._world = world
        self.lines: dict[Line, asyncio.Task[Any]] = {}
        """The leaders that run, stale ones among them."""
        self.takeovers = 0

    def awaits(self, line: Line) -> None:
        """A fate that has no step has a moment."""
        if line.fate and not line.fate.step:
            asyncio.get_running_loop().call_later(line.fate.moment, self.befall, line)

    def befall(self, line: Line) -> None:
        world = self._world
        if line not in self.lines or line.cut or line.stale:
            return
        assert line.fate is not None
        world.tell("leader", line.epoch, "is", line.fate.kind)
        match line.fate.kind:
            case "killed" | "power cut":
                self._kill(line, machine=line.fate.kind == "power cut")
            case "taken over":
                self.takeovers += 1
                line.lost.set_result(None)
            case "journal full":
                line.leaving = world.disk.full = True
            case "journal full late":
                line.full_late = True
            case "short of room":
                line.short_of_disk_space = True
            case "disk full":
                line.short_of_disk_space = line.disk_full = True
                world.disk.full = world.random.random() < 0.3
                # It may be about to leave already.
                line.leaving |= world.disk.full
            case "stopped":
                self.stop(line, "ctrl-c")
            case "hurried":
                self.stop(line, "ctrl-c")
                self.stop(line, "ctrl-c")

    def _kill(self, line: Line, *, machine: bool) -> None:
        if machine:
            for other in list(self.lines):
                self.cut(other)
            self._world.disk.lose_unsynced()
        self.cut(line)
        self._orphan(line, machine=machine)

    def stop(self, line: Line, reason: str) -> None:
        line.leader.stop(reason)
        self.must_leave(line)

    def stop_if_it_lingers(self, line: Line, seconds: float) -> None:
        """A leader that waits for people is stopped after some days."""

        def stop() -> None:
            if line in self.lines and not line.cut and line.stopped_at == inf:
                self.stop(line, "it waited long enough")

        asyncio.get_running_loop().call_later(seconds, stop)

    def must_leave(self, line: Line) -> None:
        now = self._world.clock.passed()
        if line.stopped_at > now:
            line.leaving = True
            line.stopped_at = now
            asyncio.get_running_loop().call_later(LONGEST_STOP, self._must_be_gone, line)

    def _must_be_gone(self, line: Line) -> None:
        if line not in self.lines or line.stale:
            return
        left = line.stopped_at + LONGEST_STOP + line.hindered() - self._world.clock.passed()
        if not self._world.state.draining and not line.leader._under_way.running:
            # It has nothing to store: it will meet the disk with the next thing that it does.
            left = LONGEST_STOP
        promise(left > AT_ONCE, "it was to leave, and goes on")
        asyncio.get_running_loop().call_later(left, self._must_be_gone, line)

    def cut(self, line: Line) -> None:
        line.cut = True
        if line in self.lines:
            self.lines[line].cancel()
        self._orphan(line, machine=False)

    def _orphan(self, line: Line, *, machine: bool) -> None:
        for agents in (self._world.agents, self._world.consultants):
            agents.leader_died(line, machine=machine)
