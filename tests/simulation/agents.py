"""Simulated agents: quick, slow, hanging, lying, failing, asking, out of their scope, in each other's way."""

import asyncio
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace
from tests.core.oracle import law as promise
from tests.simulation.examiner import random_difficulty
from tests.simulation.line import Line
from tests.simulation.talk import Chat

from teamlead.core.model import Question, Usage
from teamlead.core.runs import ROLE_OF, RunEnd
from teamlead.errors import Failed, Refused, StaleLeader
from teamlead.ports.runner import Capabilities, RunSpec

if TYPE_CHECKING:
    from tests.simulation.world import World

BEHAVIOURS = (
    "lies",
    "fails",
    "fails",
    "asks",
    "strays",
    "hangs",
    "breaks",
    "breaks",
    "steers",
    "embellishes",
    "despairs",
    "despairs",
    "never starts",
)
REQUEST = re.compile(r"\(shutdown_request (msg-\d+)\)")
OUTAGES = ("limited", "limited", "unserved", "unserved", "denied")
DURATIONS = (0.0, 1.0, 5.0, 5.0, 20.0, 20.0, 60.0, 3000.0)


class Run:
    """One agent. It dies with its leader, or when it is recalled."""

    def __init__(self, agents: "Agents", spec: RunSpec, line: Line, behaviour: str) -> None:
        self.spec = spec
        self.line = line
        self.behaviour = behaviour
        self.end: RunEnd | None = None
        """Stored: a leader that comes later finds it."""
        self._agents = agents
        loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] = loop.create_future()
        seconds = spec.hard_timeout if behaviour == "hangs" else agents.world.random.choice(DURATIONS)
        self._timer = loop.call_later(seconds, self._finish)
        world = agents.world
        talks = not world.calm and spec.team is not None and world.random.random() < world.weather.chatty
        self._chat = Chat(self, world) if talks else None

    @property
    def alive(self) -> bool:
        return self._agents.in_copy.get(self._agents.place(self.spec)) is self

    async def send(self, text: str) -> bool:
        heard = self.alive and self._agents.world.random.random() < 0.5
        if heard and self._chat is not None and (request := REQUEST.search(text)):
            self._chat.hear(request[1])
        return heard

    def end_turn(self) -> None:
        """It was told so, and takes its time."""
        if self.alive:
            self._timer.cancel()
            wait = self._agents.world.random.choice((0.0, 30.0, 3000.0))
            self._timer = asyncio.get_running_loop().call_later(wait, self._finish)

    async def result(self) -> RunEnd:
        await self._over
        self.line.step("result")
        assert self.end is not None
        if self.line.short_of_disk_space and self.end.status in {"error", "timeout"}:
            self.line.is_blameless(self.spec.task)
        return self.end

    async def cancel(self, grace: float) -> None:
        self.line.step("cancel")
        if self.alive:
            self._agents.may_end(self)
            self.die(RunEnd("interrupted", detail="ended by the lead"))

    def die(self, end: RunEnd | None) -> None:
        """Without a result, whoever recalls it finds it lost."""
        self._timer.cancel()
        if self._chat is not None:
            self._chat.end()
        if self.alive:
            del self._agents.in_copy[self._agents.place(self.spec)]
            self._agents.world.tell("agent ends", self.spec.task, self.spec.attempt, end and end.status)
        self.end = self.end or end
        if self.line.cut:
            self._over.cancel()
        elif not self._over.done() and self.end is not None:
            self._over.set_result(None)

    def _finish(self) -> None:
        parked = self._chat is not None and self._chat.parked
        end = self._agents.wait(self) if parked else self._agents.work(self)
        # Its leader stores what it said. Of one whose leader is gone, nothing is known but its work.
        self.die(None if self.line.cut else end)


class Agents:
    def __init__(self, world: "World") -> None:
        self.world = world
        self.runs: dict[tuple[str, int], Run] = {}
        self.in_copy: dict[str, Run] = {}
        """The living, by their place."""

    @staticmethod
    def place(spec: RunSpec) -> str:
        return spec.task

    def start(self, spec: RunSpec, line: Line) -> Run:
        self._may_start(spec, line)
        run = self._launch(spec, line)
        begun = f"begun by {(spec.task, spec.attempt)}"
        self.world.copies.write(spec.task, f"src/{spec.task}/notes-{spec.attempt}", begun)
        return run

    def _launch(self, spec: RunSpec, line: Line) -> Run:
        behaviour = self._broken(spec) or self._behaviour()
        if behaviour == "never starts":
            raise Failed("the agent cannot be started")
        self.world.tell("agent starts", spec.task, spec.attempt, behaviour)
        run = Run(self, spec, line, behaviour)
        self.runs[spec.task, spec.attempt] = self.in_copy[self.place(spec)] = run
        return run

    def _broken(self, spec: RunSpec) -> str:
        return "fails" if self.world.broken("agents") else ""

    def _behaviour(self) -> str:
        random, weather = self.world.random, self.world.weather
        if not self.world.calm and random.random() < weather.outages:
            return random.choice(OUTAGES)
        lucky = self.world.calm or random.random() < weather.luck
        return "works" if lucky else random.choice(BEHAVIOURS)

    def wait(self, run: Run) -> RunEnd:
        return self._billed(run, RunEnd("ok", summary="I wait for the answer", conversation="c-1"))

    def _billed(self, run: Run, end: RunEnd) -> RunEnd:
        """With what it used; some are ended at their budget, some are a little late."""
        random, budget = self.world.random, run.spec.budget
        cost, tokens, turns = random.choice((0.2, 0.5, 2.0)), random.choice((20, 200)), random.choice((1, 4))
        over = (
            (budget.cost_usd is not None and cost > budget.cost_usd)
            or (budget.tokens is not None and tokens > budget.tokens)
            or (budget.turns is not None and turns > budget.turns)
        )
        price = cost if random.random() < 0.9 else None
        used = replace(end, usage=Usage(tokens, 0, price), turns=turns)
        return replace(used, status="budget", detail="its budget is used up") if over else used

    def _first_time(self, spec: RunSpec, line: Line) -> None:
        """No run is started twice, nor by somebody who is not to start any."""
        if line.stale:
            raise StaleLeader("s-1")
        if (spec.task, spec.attempt) in self.runs:
            promise(self.world.leaders.harm.takeovers, f"attempt {spec.attempt} of {spec.task} is run twice")
            raise Refused(f"attempt {spec.attempt} of {spec.task} was started already")
        promise(line.leader._staffed, f"{spec.task} is run, where only a command is to be applied")
        promise((spec.task, spec.attempt) not in line.drained, f"{spec.task} is run by a leader that drains")

    def _may_start(self, spec: RunSpec, line: Line) -> None:
        self._first_time(spec, line)
        promise(spec.task not in self.in_copy, f"two agents work in the copy of {spec.task}")
        slots = [run.spec.slot for run in self.in_copy.values() if not run.line.cut and not run.line.stale]
        promise(spec.slot not in slots, f"slot {spec.slot} is taken twice")
        self.world.truth.decided(spec.task, spec.attempt, "is run")
        promise(self.world.copies.has(spec.task), f"{spec.task} is run without a copy")

    def recall(self, spec: RunSpec) -> RunEnd | None:
        run = self.runs.get((spec.task, spec.attempt))
        if run is None:
            return None
        if run.end is not None:
            return run.end
        lost = RunEnd("lost", detail="the lead ended before the agent")
        run.die(lost)
        return lost

    def may_end(self, run: Run) -> None:
        """Nobody ends a healthy agent for nothing, whatever the clocks say."""
        if run.line.cut or run.line.stale or run.line.leaving or self.world.state.draining:
            return
        attempt = self.world.state.active.get(run.spec.task)
        stopping = attempt is not None and attempt.phase == "stopping"
        promise(stopping, f"the agent of {run.spec.task} is ended for no reason")

    def leader_died(self, line: Line, *, machine: bool) -> None:
        for run in list(self.in_copy.values()):
            if run.line is not line and not machine:
                continue
            if machine or not self.world.weather.survivors:
                run.die(None)

    def work(self, run: Run) -> RunEnd:
        match run.behaviour:
            case "limited":
                return RunEnd("limit", detail="429", reset_at=self._reset())
            case "unserved":
                return RunEnd("unavailable", detail="529")
            case "denied":
                return RunEnd("denied", detail="401")
            case _:
                return self._billed(run, self._work(run))

    def _reset(self) -> float | None:
        ahead = self.world.random.choice((None, -5.0, 30.0, 3600.0, 2 * 86400.0))
        return None if ahead is None else self.world.clock.now() + ahead

    def _work(self, run: Run) -> RunEnd:
        spec, copies = run.spec, self.world.copies
        own = f"src/{spec.task}/work"
        match run.behaviour:
            case "lies":
                copies.undo(spec.task)
                return RunEnd("ok", summary="all done, believe me")
            case "fails":
                return RunEnd("error", detail="it crashed")
            case "hangs":
                return RunEnd("timeout", detail="it still ran")
            case "asks":
                return RunEnd("ok", question=Question("Left or right?", ("left", "right")))
            case "strays":
                copies.write(spec.task, f"elsewhere-{spec.task}", f"by attempt {spec.attempt}")
            case "steers":
                copies.write(spec.task, "src/.gitattributes", f"by attempt {spec.attempt} of {spec.task}")
            case "embellishes" | "breaks" | "despairs":
                copies.write(spec.task, own, self._bad_work(run))
                return RunEnd("ok", summary="all done, and more")
            case _:
                copies.tidy(spec.task)
        copies.write(spec.task, own, f"made by attempt {spec.attempt}")
        if self.world.random.random() < self.world.overlap:
            copies.write(spec.task, "src/shared", f"{copies.read(spec.task, 'src/shared')}+{spec.task}")
        return RunEnd("ok", summary="done")

    def _bad_work(self, run: Run) -> str:
        if run.behaviour == "despairs":
            return random_difficulty(self.world.random)
        word = "embellished" if run.behaviour == "embellishes" else "broken"
        return f"{word} by attempt {run.spec.attempt}"


class RunnerOnLine:
    """Implements `ports.runner.Runner` for one leader."""

    capabilities = Capabilities(team=True, steer=True)

    def __init__(self, world: "World", line: Line) -> None:
        self._world = world
        self._line = line

    def _all_like(self, spec: RunSpec) -> Agents:
        return self._world.consultants if spec.role in ROLE_OF.values() else self._world.agents

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        self._line.step("recall")
        if self._line.stale:
            raise StaleLeader("s-1")
        if self._world.clock.passed() > self._line.stopped_at:
            self._line.drained.add((spec.task, spec.attempt))
        await self._world.pause(self._line)
        end = self._all_like(spec).recall(spec)
        self._line.step("recall")
        return end

    async def start(self, spec: RunSpec) -> Run:
        self._line.step("start")
        await self._world.pause(self._line)
        self._line.store(spec.task)
        run = self._all_like(spec).start(spec, self._line)
        self._line.step("start")
        return run
