"""The world that survives its leaders: disk, git, agents and people, and a clock of its own."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

from tests.core.oracle import LawBroken
from tests.core.oracle import law as promise
from tests.simulation.agents import Agents
from tests.simulation.consultants import Consultants
from tests.simulation.copies import Copies
from tests.simulation.disk import Disk
from tests.simulation.fates import Weather, draw_breakdown, draw_weather
from tests.simulation.leaders import Leaders
from tests.simulation.line import Killed, Line
from tests.simulation.people import People
from tests.simulation.plans import session_of
from tests.simulation.promises import MOST_STEPS, Promises
from tests.simulation.truth import Truth

from teamlead.core.state.team_state import TeamState
from teamlead.ports.checking import CheckEnd
from teamlead.testing.clock import FakeClock
from teamlead.testing.trials import Run
from teamlead.testing.workspace import FakeWorkspace

Trace = Callable[[str], None]

CALM_AFTER = 3000
"""Steps after which nothing goes wrong any more: the session must come to its end."""


class World:
    def __init__(self, seed: int, clock: FakeClock, *, thorough: bool = False, trace: Trace | None) -> None:
        self.random = Random(seed)
        self.clock = clock
        self.thorough = thorough
        self.trace = trace
        self.weather: Weather = draw_weather(self.random)
        self.breakdown = draw_breakdown(Random(f"{seed} breaks down"))
        self.overlap = self.random.choice((0.0, 0.1, 0.4))
        self.spec = session_of(seed, self.random)
        self.promises = Promises(self)
        self.disk = Disk(self.promises)
        self.workspace = FakeWorkspace({"README.md": "hello\n"})
        self.trials: dict[Run, CheckEnd] = {}
        """What is remembered of commands on clean copies."""
        self.truth = Truth(self)
        self.copies = Copies(self)
        self.agents = Agents(self)
        self.consultants = Consultants(self)
        self.people = People(self)
        self.leaders = Leaders(self)
        self.state = TeamState()
        """As the leader of the day knows it."""
        self.busy: dict[str, list[tuple[Line, str]]] = {}
        """Who is at work in the copy of a task, and at what."""

    async def run(self) -> str:
        """How it ended: "finished", or "waiting" for people who will never answer."""
        for moment, jump in self.weather.jumps:
            asyncio.get_running_loop().call_later(moment, self._jump, jump)
        self.people.plan_interference()
        end = await self.leaders.lead_to_the_end()
        self.promises.over()
        return end

    def _jump(self, seconds: float) -> None:
        self.tell("the clock jumps", seconds)
        self.clock.jump(seconds)

    @property
    def calm(self) -> bool:
        return self.promises.steps > CALM_AFTER

    def broken(self, what: str) -> bool:
        return self.breakdown.what == what and self.promises.steps < self.breakdown.steps

    async def pause(self, line: Line) -> None:
        if self.weather.slow and self.random.random() < self.weather.slow:
            await asyncio.sleep(self.random.choice((0.01, 0.5, 3.0)))
        if line.cut:
            raise Killed

    @contextmanager
    def at_work(self, line: Line, method: str, task: str) -> Iterator[None]:
        """Nothing else is at work in a copy that is being released, nor where an attempt has ended."""
        busy = self.busy.setdefault(task, [])
        if method == "prepare":
            promise((line, "release") not in busy, f"{task} gets a copy while its old one is released")
        busy.append((line, method))
        try:
            yield
        finally:
            busy.remove((line, method))

    def count(self, what: str, task: str) -> None:
        self.promises.steps += 1
        if self.promises.steps > MOST_STEPS:
            raise LawBroken(f"the session does not end: {MOST_STEPS} steps, the last is {what} of {task}")
        self.tell(what, task)

    def tell(self, *words: object) -> None:
        if self.trace is not None:
            self.trace(f"{self.clock.passed():.3f} {' '.join(map(str, words))}")
