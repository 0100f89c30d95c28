"""What simulated agents say while they work: they report, ask, write to each other, and wait for answers."""

import asyncio
from typing import TYPE_CHECKING

from tests.core.oracle import law as promise
from tests.simulation.examiner import difficulty, random_difficulty
from tests.simulation.line import Killed, Line

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Question
from teamlead.core.reports import Result
from teamlead.errors import TeamleadError
from teamlead.ports.team import Listener, Team

if TYPE_CHECKING:
    from tests.simulation.agents import Run
    from tests.simulation.world import World

PATIENCE = (0.0, 20.0, 4000.0)
ACTS = ("report", "ask", "ask", "write", "write", "read", "feedback", "result")


class TeamOnLine:
    """Implements `ports.team.TeamServerPort` for one leader: its agents reach it without HTTP."""

    def __init__(self, listener: Listener, line: Line) -> None:
        self.listener = listener
        line.team = self

    async def start(self) -> None:
        pass

    def admit(self, task: str, attempt: int, role: str = "", form: str = "") -> Team:
        return Team("memory", f"{task} {attempt}")

    def dismiss(self, team: Team) -> None:
        pass

    async def close(self) -> None:
        pass


class Chat:
    """What one agent says. It ends with the agent."""

    def __init__(self, run: "Run", world: "World") -> None:
        self._run = run
        self._world = world
        self.parked = False
        """It was told to end its turn."""
        self._leaving: asyncio.Task[None] | None = None
        self._task = asyncio.create_task(self._talk())

    def end(self) -> None:
        self._task.cancel()
        if self._leaving is not None:
            self._leaving.cancel()

    async def _talk(self) -> None:
        random = self._world.random
        try:
            for act in random.sample(ACTS, random.choice((1, 2, 4))):
                await asyncio.sleep(random.choice((0.0, 0.5, 4.0)))
                await getattr(self, f"_{act}")()
        except (TeamleadError, Killed, asyncio.CancelledError):
            return
        except BaseException as error:
            self._world.leaders.broken = error
            raise

    @property
    def _listener(self) -> Listener:
        team = self._run.line.team
        assert team is not None
        return team.listener

    async def _say(self, fact: f.Talk, said: type[e.Event]) -> None:
        await self._listener.put(fact)
        if self._run.line.cut:
            raise Killed
        disk, spec = self._world.disk, self._run.spec
        there = any(
            type(each.event) is said and getattr(each.event, "task", spec.task) == spec.task
            for each in disk.events[: disk.synced]
        )
        promise(there, f"{spec.task} is told that {said.__name__} is on disk, and it is not")

    async def _report(self) -> None:
        spec = self._run.spec
        await self._say(f.Reported(spec.task, spec.attempt, "half way"), e.ProgressReported)
        await self._say(f.TaskUpdated(spec.task, spec.attempt, spec.task, "working", "half"), e.TaskNoted)

    async def _feedback(self) -> None:
        spec = self._run.spec
        feedback = difficulty(random_difficulty(self._world.random))
        await self._say(f.FeedbackGiven(spec.task, spec.attempt, feedback), e.FeedbackReported)

    async def _result(self) -> None:
        spec = self._run.spec
        status = self._world.random.choice(("SUCCESS", "SUCCESS", "PARTIAL"))
        result = Result(
            status,  # type: ignore[arg-type]
            summary="so far",
            findings="none",
            references=(),
            confidence=50,
            confidence_reason="a guess",
        )
        await self._say(f.ResultSubmitted(spec.task, spec.attempt, result), e.ResultReported)

    async def _write(self) -> None:
        spec = self._run.spec
        recipient = self._world.random.choice(("all", "lead", "task-1", "task-3", "nobody"))
        await self._say(f.MessagePosted(spec.task, spec.attempt, recipient, "mind the gap"), e.MessageSent)

    async def _read(self) -> None:
        spec = self._run.spec
        letters = await self._listener.unread(spec.task)
        if letters:
            names = tuple(letter.id for letter in letters)
            await self._say(f.MessagesTaken(spec.task, spec.attempt, names), e.MessagesRead)
            for letter in letters:
                self.hear(letter.id if letter.type == "shutdown_request" else "")

    def hear(self, request: str) -> None:
        """Asked to leave, it answers at once, after a while, in the end too late, or never."""
        if request and self._leaving is None:
            self._leaving = asyncio.create_task(self._leave(request))

    async def _leave(self, request: str) -> None:
        random, spec = self._world.random, self._run.spec
        try:
            for approve in random.choice(((True,), (False, True), (False,), ())):
                await asyncio.sleep(random.choice((0.0, 5.0, 59.0, 61.0, 69.0, 71.0)))
                await self._say(f.ShutdownAnswered(spec.task, spec.attempt, request, approve), e.MessageSent)
        except (TeamleadError, Killed, asyncio.CancelledError):
            return
        except BaseException as error:
            self._world.leaders.broken = error
            raise

    async def _ask(self) -> None:
        spec = self._run.spec
        question = Question("Left or right?", ("left", "right"))
        call = f"{spec.task} {spec.attempt} {self._world.random.randrange(2)}"
        name = await self._listener.ask(spec.task, spec.attempt, question, call)
        answer = await self._listener.answer(name, self._world.random.choice(PATIENCE))
        if self._run.line.cut:
            raise Killed
        if answer is None:
            parked = [each.event for each in self._world.disk.events[: self._world.disk.synced]]
            told = any(isinstance(event, e.QuestionParked) and event.escalation == name for event in parked)
            promise(told, f"{spec.task} is told to end its turn, and {name} is not parked on disk")
            self.parked = True
            self._run.end_turn()
