"""A real leader after the other leads the session, each on what the disk says."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.core.oracle import LawBroken
from tests.simulation.agents import RunnerOnLine
from tests.simulation.checker import CheckerOnLine, ObstaclesOnLine
from tests.simulation.copies import WorkspaceOnLine
from tests.simulation.examiner import ExaminerOnLine
from tests.simulation.harm import Harm
from tests.simulation.journal import InboxOnLine, JournalOnLine
from tests.simulation.line import Killed, Line
from tests.simulation.talk import TeamOnLine

from teamlead.core import facts as f
from teamlead.core.events import Recorded
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.engine.leader import Leader
from teamlead.engine.parts import Parts
from teamlead.errors import DiskUnusable, GitFailed, StaleLeader, StorageFailed
from teamlead.ports.journal import Commit, Rows, Stamped
from teamlead.testing.trials import FakeTrials

if TYPE_CHECKING:
    from tests.simulation.world import World

INBOX_EVERY = 1800.0
INBOX_OFTEN = 10.0
LINGERS = 8 * 86400.0
ATTEMPTS = Path("/attempts")
NO_ROWS = Rows()
EXPECTED = (Killed, StaleLeader, StorageFailed, GitFailed)
ECHOED = (
    f.CopyReady,
    f.CopyConflict,
    f.RunOver,
    f.WorkFound,
    f.CheckEnded,
    f.WorkProved,
    f.Merged,
    f.MergeRefused,
    f.EffectFailed,
    f.RunQuiet,
    f.CopyReleased,
    f.ApprovalMade,
    f.ApprovalImpossible,
)


class EchoingLeader(Leader):
    """The real one, to whom some facts are told twice."""

    def __init__(self, world: "World", parts: Parts, state: TeamState, **options: Any) -> None:
        super().__init__(state, parts, **options)
        self._world = world

    def offer(self, fact: f.AnyFact) -> None:
        super().offer(fact)
        world = self._world
        echoes = 0.0 if world.calm else world.weather.echoes
        if echoes and isinstance(fact, ECHOED) and world.random.random() < echoes:
            later = world.random.choice((0.0, 1.0, 30.0))
            asyncio.get_running_loop().call_later(later, super().offer, fact)


class Leaders:
    def __init__(self, world: "World") -> None:
        self._world = world
        self._fates = iter(world.weather.fates)
        self.harm = Harm(world)
        self.line: Line
        """Of the leader of the day."""
        self.broken: BaseException | None = None
        """What an agent found that was promised to it."""

    async def lead_to_the_end(self) -> str:
        world = self._world
        self._open()
        while True:
            end = await self._lead()
            if self.broken is not None:
                raise self.broken
            # A command that came too late for one leader is for the next: whoever asked sees to it.
            if end == "finished" and not world.disk.inbox:
                break
            if end == "waiting" and not await world.people.say_something():
                break
            if end in {"interrupted", "paused", "died"}:
                await asyncio.sleep(world.random.choice((0.0, 1.0, 100.0)))
        for line in list(self.harm.lines):
            self.harm.cut(line)
        for problem in await asyncio.gather(*self.harm.lines.values(), return_exceptions=True):
            if isinstance(problem, LawBroken):
                raise problem
        return end

    def _open(self) -> None:
        world = self._world
        now = world.clock.now()
        turn = step(TeamState(), [f.Open(world.spec)], now)
        epoch = world.disk.open()
        events = [Stamped(now, event) for event in turn.events]
        world.disk.write(Commit(events, NO_ROWS, (), durable=True), epoch)

    async def _lead(self) -> str:
        world, random = self._world, self._world.random
        line = self.line = Line(world, world.disk.open(), None if world.calm else next(self._fates, None))
        state = world.state = world.promises.arrived()
        alone = bool(world.disk.inbox) and random.random() < 0.5
        lingers = random.random() < 0.2 and not world.weather.busy_people
        options = {"staffed": not alone, "linger": lingers and not alone}
        line.leader = leader = EchoingLeader(world, self._parts(line), state, **options)
        world.tell("leader", line.epoch, "applies commands" if alone else "leads", line.fate)
        task = self.harm.lines[line] = asyncio.create_task(leader.run("somebody", line.epoch))
        task.add_done_callback(lambda task: self._replaced(line, task) if line.stale else None)
        self.harm.awaits(line)
        if lingers:
            self.harm.stop_if_it_lingers(line, LINGERS)
        try:
            end = await self._ended(line, task)
        except asyncio.CancelledError:
            if not line.cut:
                raise
            return self._died(line)
        except EXPECTED as error:
            return self._failed(line, error)
        if end != "taken over":
            del self.harm.lines[line]
            world.tell("leader", line.epoch, "ends:", end)
            world.promises.left(line, end)
        return end if leader._staffed else "applied"

    def _replaced(self, line: Line, task: "asyncio.Task[Any]") -> None:
        """Nobody waits for its end but those who read the trace."""
        if not task.cancelled():
            self._world.tell("leader", line.epoch, "was replaced, and ends with", repr(task.exception()))

    async def _ended(self, line: Line, task: "asyncio.Task[Any]") -> str:
        if line.fate is None or line.fate.kind != "taken over":
            return str(await task)
        line.lost = asyncio.get_running_loop().create_future()
        await asyncio.wait([task, line.lost], return_when=asyncio.FIRST_COMPLETED)
        return str(task.result()) if task.done() else "taken over"

    def _failed(self, line: Line, error: BaseException) -> str:
        self._world.tell("leader", line.epoch, "ends with", type(error).__name__)
        if not line.cut:
            self._world.promises.left_nobody(line)
            if isinstance(error, DiskUnusable):
                self._world.promises.gave_way(line)
        return self._died(line)

    def _died(self, line: Line) -> str:
        self.harm.cut(line)
        self._world.disk.full = False
        self._world.people.take_over()
        del self.harm.lines[line]
        return "died"

    def _parts(self, line: Line) -> Parts:
        world = self._world
        runner = RunnerOnLine(world, line)

        def observe(recorded: Sequence[Recorded], state: TeamState) -> None:
            if not line.stale and not line.cut:
                world.promises.turned(recorded, state, world.disk.synced)
                world.people.notice(state)
                if state.draining:
                    self.harm.must_leave(line)

        workspace, checker = WorkspaceOnLine(world, line), CheckerOnLine(world, line)
        return Parts(
            journal=JournalOnLine(world, line),
            inbox=InboxOnLine(world.disk, line),
            workspace=workspace,
            runner_for=lambda _: runner,
            checker=checker,
            trials=FakeTrials(workspace, checker, world.trials),
            obstacles=ObstaclesOnLine(world),
            examiner=ExaminerOnLine(world, line),
            clock=world.clock,
            view=lambda _state, _touched: NO_ROWS,
            prompt=lambda _state, _task, _briefing: "",
            attempts=ATTEMPTS,
            observe=observe,
            consulting=world.consultants.consulting,
            inbox_every=INBOX_OFTEN if world.weather.busy_people else INBOX_EVERY,
            require_disk_space=line.require_disk_space,
            team=lambda listener: TeamOnLine(listener, line),
        )
