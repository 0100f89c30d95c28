"""One simulated session: a real leader after the other, and the world that survives them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from tests.core.oracle import LawBroken
from tests.simulation.agents import Agents, RunnerOnLine
from tests.simulation.copies import CheckerOnLine, Copies, WorkspaceOnLine
from tests.simulation.disk import Disk
from tests.simulation.fates import Weather, draw_weather
from tests.simulation.line import Killed, Line
from tests.simulation.people import People
from tests.simulation.plans import random_session
from tests.simulation.promises import MOST_STEPS, Promises, fold, promise

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.events import Recorded
from teamlead.core.state import TeamState
from teamlead.core.step import step
from teamlead.engine.leader import Leader
from teamlead.engine.parts import Parts
from teamlead.errors import GitFailed, StaleLeader, StorageFailed
from teamlead.ports import Commit, Rows, Stamped
from teamlead.testing.clock import FakeClock
from teamlead.testing.workspace import FakeWorkspace

Trace = Callable[[str], None]

INBOX_EVERY = 1800.0
INBOX_OFTEN = 10.0
DISK_HANGS = 4000.0
"""Longer than the leader goes without a look at its inbox."""
ATTEMPTS = Path("/attempts")
NO_ROWS = Rows()
LONGEST_STOP = 120.0 + 5 * DISK_HANGS
CALM_AFTER = 3000
"""Steps after which nothing goes wrong any more: the session must come to its end."""
ECHOED = (
    f.CopyReady,
    f.CopyConflict,
    f.AgentEnded,
    f.WorkFound,
    f.CheckEnded,
    f.Merged,
    f.MergeRefused,
    f.EffectFailed,
    f.AttemptQuiet,
    f.CopyReleased,
    f.ApprovalMade,
    f.ApprovalImpossible,
)
EXPECTED = (Killed, StaleLeader, StorageFailed, GitFailed)


@lru_cache
def _path(task: str) -> Path:
    return Path("/copies") / task


class _Paths(dict[str, Path]):
    def __missing__(self, task: str) -> Path:
        return _path(task)


class EchoingLeader(Leader):
    """The real one, to whom some facts are told twice."""

    def __init__(self, world: "World", line: Line, state: TeamState, **options: Any) -> None:
        super().__init__(state, world.parts(line), **options)
        self._world = world

    def offer(self, fact: f.AnyFact, command: str | None = None) -> None:
        super().offer(fact, command)
        world = self._world
        echoes = 0.0 if world.calm else world.weather.echoes
        if echoes and isinstance(fact, ECHOED) and world.random.random() < echoes:
            later = world.random.choice((0.0, 1.0, 30.0))
            asyncio.get_running_loop().call_later(later, super().offer, fact)


class World:
    def __init__(self, seed: int, clock: FakeClock, *, thorough: bool = False, trace: Trace | None) -> None:
        self.random = Random(seed)
        self.clock = clock
        self.thorough = thorough
        self.trace = trace
        self.weather: Weather = draw_weather(self.random)
        self.overlap = self.random.choice((0.0, 0.1, 0.4))
        self.spec = random_session(self.random)
        self.promises = Promises(self)
        self.disk = Disk(self.promises)
        self.workspace = FakeWorkspace({"README.md": "hello\n"})
        self.copies = Copies(self)
        self.agents = Agents(self)
        self.people = People(self)
        self.paths = _Paths()
        self.state = TeamState()
        """As the leader of the day knows it."""
        self.main = self.workspace.base
        self.users_own = {self.main}
        self.merges: dict[tuple[str, str], None] = {}
        self.takeovers = 0
        self.approvals_refused = 0
        self.busy: dict[str, list[tuple[Line, str]]] = {}
        self._fates = iter(self.weather.fates)
        self._lines: dict[Line, asyncio.Task[Any]] = {}
        self._starts: set[tuple[str, int]] = set()
        self._synced = 0
        self._approval = False

    # The run

    async def run(self) -> str:
        """How it ended: "finished", or "waiting" for people who will never answer."""
        self._open()
        loop = asyncio.get_running_loop()
        for moment, jump in self.weather.jumps:
            loop.call_later(moment, self._jump, jump)
        self.people.plan_interference()
        while True:
            end = await self._lead()
            # A command that came too late for one leader is for the next: whoever asked sees to it.
            if end == "finished" and not self.disk.inbox:
                break
            if end == "waiting" and not await self.people.say_something():
                break
            if end in {"interrupted", "died"}:
                await asyncio.sleep(self.random.choice((0.0, 1.0, 100.0)))
        for line in list(self._lines):
            self._cut(line)
        for problem in await asyncio.gather(*self._lines.values(), return_exceptions=True):
            if isinstance(problem, LawBroken):
                raise problem
        self.promises.over(self._fold())
        return end

    def _open(self) -> None:
        now = self.clock.now()
        turn = step(TeamState(), [f.Open(self.spec)], now)
        epoch = self.disk.open()
        events = [Stamped(now, event) for event in turn.events]
        self.disk.write(Commit(events, NO_ROWS, (), durable=True), epoch)

    async def _lead(self) -> str:
        line = Line(self, self.disk.open(), None if self.calm else next(self._fates, None))
        state = self.state = self._fold()
        self.promises.arrived(state)
        alone = bool(self.disk.inbox) and self.random.random() < 0.5
        lingers = self.random.random() < 0.2 and not self.weather.busy_people
        leader = EchoingLeader(self, line, state, staffed=not alone, linger=lingers and not alone)
        self.tell("leader", line.epoch, "applies commands" if alone else "leads", line.fate)
        task = self._lines[line] = asyncio.create_task(leader.run("somebody", line.epoch))
        task.add_done_callback(lambda task: self._replaced(line, task) if line.stale else None)
        line.leader = leader
        if line.fate and not line.fate.step:
            asyncio.get_running_loop().call_later(line.fate.moment, self.befall, line)
        if lingers:
            self._tire_of_lingering(line)
        try:
            end = await self._ended(line, task)
        except asyncio.CancelledError:
            if not line.cut:
                raise
            return self._died(line)
        except EXPECTED as error:
            self.tell("leader", line.epoch, "ends with", type(error).__name__)
            if not line.cut:
                self._left_nobody(line)
            return self._died(line)
        if end == "taken over":
            return end
        del self._lines[line]
        return self._left(line, leader, end)

    def _replaced(self, line: Line, task: "asyncio.Task[Any]") -> None:
        """Nobody waits for its end but those who read the trace."""
        if not task.cancelled():
            self.tell("leader", line.epoch, "was replaced, and ends with", repr(task.exception()))

    def _died(self, line: Line) -> str:
        self._cut(line)
        self.disk.full = False
        self.people.take_over()
        del self._lines[line]
        return "died"

    async def _ended(self, line: Line, task: "asyncio.Task[Any]") -> str:
        if line.fate is None or line.fate.kind != "taken over":
            return str(await task)
        line.lost = asyncio.get_running_loop().create_future()
        await asyncio.wait([task, line.lost], return_when=asyncio.FIRST_COMPLETED)
        return str(task.result()) if task.done() else "taken over"

    def _left(self, line: Line, leader: Leader, end: str) -> str:
        self.tell("leader", line.epoch, "ends:", end)
        self._left_nobody(line)
        if end == "finished" or self.thorough:
            self.promises.same_as_disk(leader.state, self.disk.events)
        if leader._staffed:
            self.promises.left(leader.state, end)
            return end
        return "applied"

    def _left_nobody(self, line: Line) -> None:
        alive = [run.spec.task for run in self.agents.in_copy.values() if run.line is line]
        promise(not alive, f"the leader ended, and agents of its are alive: {alive}")

    def _tire_of_lingering(self, line: Line) -> None:
        """A leader that waits for people is stopped after some days."""

        def stop() -> None:
            if line in self._lines and not line.cut and not line.leaving:
                self._stop(line, "it waited long enough")

        asyncio.get_running_loop().call_later(8 * 86400.0, stop)

    # What befalls a leader

    def befall(self, line: Line) -> None:
        if line not in self._lines or line.cut or line.stale:
            return
        assert line.fate is not None
        self.tell("leader", line.epoch, "is", line.fate.kind)
        match line.fate.kind:
            case "killed" | "power cut":
                machine = line.fate.kind == "power cut"
                if machine:
                    for other in list(self._lines):
                        self._cut(other)
                    self.disk.lose_unsynced()
                self._cut(line)
                self.agents.leader_died(line, machine=machine)
            case "taken over":
                self.takeovers += 1
                line.lost.set_result(None)
            case "disk full":
                line.leaving = self.disk.full = True
            case "disk full late":
                line.full_late = True
            case "stopped":
                self._stop(line, "ctrl-c")
            case "hurried":
                self._stop(line, "ctrl-c")
                self._stop(line, "ctrl-c")

    def _stop(self, line: Line, reason: str) -> None:
        line.leaving = True
        line.stopped_at = self.clock.passed()
        line.leader.stop(reason)
        asyncio.get_running_loop().call_later(LONGEST_STOP, self._must_be_gone, line)

    def _must_be_gone(self, line: Line) -> None:
        promise(line not in self._lines or line.stale, "it was told to stop, and goes on")

    def _cut(self, line: Line) -> None:
        line.cut = True
        if line in self._lines:
            self._lines[line].cancel()
        self.agents.leader_died(line, machine=False)

    def _jump(self, seconds: float) -> None:
        self.tell("the clock jumps", seconds)
        self.clock.jump(seconds)

    # What a leader is given

    def parts(self, line: Line) -> Parts:
        runner = RunnerOnLine(self.agents, line)

        def observe(recorded: Sequence[Recorded], state: TeamState) -> None:
            if not line.stale and not line.cut:
                self.promises.turned(recorded, state, self.disk.synced)
                self.people.notice(state)

        return Parts(
            journal=JournalOnLine(self, line),
            inbox=InboxOnLine(self.disk, line),
            workspace=WorkspaceOnLine(self, line),
            runner_for=lambda _: runner,
            checker=CheckerOnLine(self, line),
            clock=self.clock,
            view=lambda _state, _touched: NO_ROWS,
            prompt=lambda _state, _task: "",
            attempts=ATTEMPTS,
            observe=observe,
            inbox_every=INBOX_OFTEN if self.weather.busy_people else INBOX_EVERY,
        )

    @property
    def calm(self) -> bool:
        return self.promises.steps > CALM_AFTER

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

    # What is known of the disk and of git

    def _fold(self) -> TeamState:
        return fold(self.disk.events)

    def sync(self) -> None:
        """What is on disk for good from now on."""
        seen, self._synced = self._synced, self.disk.synced
        for recorded in self.disk.events[seen:]:
            event = recorded.event
            if type(event) is e.AttemptStarted:
                self._starts.add((event.task, event.attempt))
            elif type(event) is e.ApprovalRequested:
                self._approval = True
            elif type(event) is e.ApprovalRefused:
                self._approval = False
                self.approvals_refused += 1

    def decided(self, task: str, attempt: int, what: str) -> None:
        promise((task, attempt) in self._starts, f"{task} {what} before its attempt {attempt} is on disk")

    def approval_on_disk(self) -> bool:
        return self._approval

    def merged(self, task: str, commit: str) -> None:
        """What is merged is looked at by somebody who knows the truth."""
        promise((task, commit) not in self.merges, f"the work of {task} is merged twice")
        self.merges[task, commit] = None
        made = self.workspace.history.commits[commit]
        base = self.workspace.history.commits[made.parents[0]].files
        for path, content in made.files.items():
            if base.get(path) != content:
                promise(path.startswith("src/"), f"{task} is merged with a change out of its scope: {path}")
                promise(not path.endswith(".gitattributes"), f"{task} is merged and steers git")
                spec = self.promises.spec(task)
                checked = spec.checks or self.spec.checks
                promise(
                    not checked or not content.startswith(b"broken"),
                    f"{task} is merged, and its checks did not pass",
                )

    def user_commits(self) -> None:
        """Sometimes where the agents work, too."""
        path = self.random.choice(("mine", "src/shared"))
        self.main = self.workspace.user_commits("main", {path: f"{len(self.users_own)}"})
        self.users_own.add(self.main)


class JournalOnLine:
    """Implements `ports.Journal` for one leader."""

    def __init__(self, world: World, line: Line) -> None:
        self._world = world
        self._line = line

    async def commit(self, commit: Commit) -> None:
        world, line = self._world, self._line
        line.step("commit")
        if world.weather.slow:
            if world.random.random() < 0.01:
                await asyncio.sleep(DISK_HANGS)
            await world.pause(line)
        try:
            world.disk.write(commit, line.epoch)
        except (StaleLeader, StorageFailed):
            line.leaving = True
            raise
        if commit.durable:
            world.sync()
        if world.trace is not None:
            for stamped in commit.events:
                world.tell("event" if commit.durable else "event, not synced", stamped.event)
            for outcome in commit.outcomes:
                world.tell("outcome", *outcome)
        if line.full_late:
            line.leaving = True
            raise StorageFailed("the journal was written, and the disk said no")
        line.step("commit")

    def read(self, since: int = 0) -> Any:
        return iter(self._world.disk.events[since:])

    def verify(self) -> None:
        if self._line.stale:
            raise StaleLeader("s-1")

    def has_outcome(self, command: str) -> bool:
        return command in self._world.disk.outcomes


class InboxOnLine:
    """Implements `ports.Inbox` for one leader."""

    def __init__(self, disk: Disk, line: Line) -> None:
        self._disk = disk
        self._line = line
        self._seen = -1

    def changed(self) -> bool:
        if self._line.cut:
            raise Killed
        return self._seen != self._disk.arrivals

    def take(self) -> list[tuple[str, f.Command]]:
        self._seen = self._disk.arrivals
        return list(self._disk.inbox.items())

    def drop(self, commands: Sequence[str]) -> None:
        self._line.step("drop")
        for command in commands:
            self._disk.drop(command)
        self._line.step("drop")
