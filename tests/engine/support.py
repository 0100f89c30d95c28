"""A real leader with everything around it in memory. The world survives its leaders."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from teamlead.core import events as e
from teamlead.core.facts import Command, Open, Resolve
from teamlead.core.model import Limits, Plan, Question, SessionSpec, TaskSpec
from teamlead.core.runs import RunEnd
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.engine.leader import Leader
from teamlead.engine.parts import Briefing, Consulting, Observer, Parts, Person
from teamlead.engine.stopping import End
from teamlead.ports.journal import Commit, Journal, Rows, Stamped
from teamlead.ports.runner import RunHandle, Runner, RunSpec
from teamlead.sessions.replay import fold
from teamlead.testing.checker import Answer, CheckCall, FakeChecker, passes
from teamlead.testing.clock import FakeClock, run_virtual
from teamlead.testing.consultants import CONSULTING
from teamlead.testing.journal import MemoryInbox, MemoryJournal
from teamlead.testing.runner import FakeRun, FakeRunner
from teamlead.testing.runner import Work as AgentWork
from teamlead.testing.trials import FakeTrials
from teamlead.testing.workspace import Call, FakeWorkspace

Event = TypeVar("Event", bound=e.Event)
Result = TypeVar("Result")
SECONDS_OF_WORK = 10.0


def task(number: int, *depends_on: int, **fields: Any) -> TaskSpec:
    dependencies = tuple(f"task-{n}" for n in depends_on)
    return TaskSpec(f"task-{number}", f"Title {number}", depends_on=dependencies, **fields)


def prompt(_: TeamState, task: Task, briefing: Briefing) -> str:
    """What an agent of these tests looks at: what is known of its task, and not the number of its attempt."""
    return json.dumps(
        {"failures": task.failures, "answers": [answer for _, answer in task.guidance if answer]}
    )


async def transcript(folder: Path) -> str:
    return f"what was done in {folder.name}"


class World:
    def __init__(
        self,
        *tasks: TaskSpec,
        work: AgentWork | None = None,
        answer: Answer = passes,
        limits: Limits | None = None,
        **fields: Any,
    ) -> None:
        self.clock = FakeClock()
        self.journal = MemoryJournal()
        self.inbox = MemoryInbox()
        self.workspace = FakeWorkspace({"README.md": "hello\n"})
        self.runner = FakeRunner(work or self.write)
        self.checker = FakeChecker(answer)
        self.observed: list[e.Recorded] = []
        self.observe: Observer = lambda recorded, _: self.observed.extend(recorded)
        self.spec = SessionSpec(
            "s-1", Plan("A plan", "Do it", tasks), "base", "main", "fake", limits or Limits(), **fields
        )
        self.open(self.journal)

    def open(self, journal: Journal) -> None:
        now = self.clock.now()
        turn = step(TeamState(), [Open(self.spec)], now)
        events = [Stamped(now, event) for event in turn.events]
        run_virtual(journal.commit(Commit(events, Rows(), (), durable=True)), self.clock)

    def write(self, spec: RunSpec) -> RunEnd:
        """What an agent does that does what it should: one file, named after the task."""
        self.workspace.write(spec.task, f"{spec.task}.txt", f"made by {spec.task}\n")
        return RunEnd("ok", summary=f"wrote {spec.task}.txt")

    def parts(self, **changed: Any) -> Parts:
        # Each leader opens the inbox anew, and has seen nothing of it.
        self.inbox._changed = True
        parts = Parts(
            journal=self.journal,
            inbox=self.inbox,
            workspace=self.workspace,
            runner_for=lambda _: cast("Runner", self.runner),
            checker=self.checker,
            trials=FakeTrials(self.workspace, self.checker),
            clock=self.clock,
            view=lambda _state, _touched: Rows(),
            prompt=prompt,
            attempts=Path("/in/memory/attempts"),
            observe=self.observe,
            consulting=Consulting(
                lambda _state, asked, shown: f"{asked.name}\n{shown.log}\n{shown.change}\n{asked.problem}",
                transcript,
                CONSULTING.read,
            ),
            # Seldom, so that hours of virtual time are a handful of looks.
            inbox_every=10.0,
        )
        return parts._replace(**changed)

    def checked(self) -> list[CheckCall]:
        """What ran in the copies of tasks."""
        return [call for call in self.checker.calls if not call.cwd.name.startswith("trial-")]

    def state(self) -> TeamState:
        return fold(self.journal.read(), "memory")

    def leader(
        self, *, staffed: bool = True, linger: bool = False, person: Person | None = None, **changed: Any
    ) -> Leader:
        """A new one, who knows what the journal says."""
        return Leader(self.state(), self.parts(person=person, **changed), staffed=staffed, linger=linger)

    def lead(self, **options: Any) -> End:
        return self.play(self.leader(**options).run("somebody", 1))

    def play(self, story: Coroutine[Any, Any, Result]) -> Result:
        return run_virtual(story, self.clock)

    def events(self, kind: type[Event]) -> list[Event]:
        return [recorded.event for recorded in self.journal.events if isinstance(recorded.event, kind)]

    def times(self, kind: type[e.Event], task: str = "") -> list[float]:
        """When it happened, in seconds since the session was opened."""
        first = self.journal.events[0].at
        return [
            recorded.at - first
            for recorded in self.journal.events
            if isinstance(recorded.event, kind) and (not task or getattr(recorded.event, "task", "") == task)
        ]

    def states(self) -> dict[str, str]:
        return {name: task.state for name, task in self.state().tasks.items()}

    def delivered(self) -> dict[str, str]:
        """What is on the user's branch."""
        return self.workspace.files(self.workspace.branches["main"])

    def merged(self) -> dict[str, str]:
        return self.workspace.files(self.workspace.integration)

    def started(self) -> list[tuple[str, int]]:
        return [(spec.task, spec.attempt) for spec in self.runner.specs]


class Gate:
    """Something stops here until the test opens it. A stubborn one does not give way to a cancellation."""

    def __init__(self, *, stubborn: bool = False) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()
        self.given_up = asyncio.Event()
        self._stubborn = stubborn

    async def passed(self) -> None:
        self.reached.set()
        try:
            await self.opened.wait()
        except asyncio.CancelledError:
            self.given_up.set()
            if self._stubborn:
                await self.opened.wait()
            raise

    def before(self, method: str, task: str) -> Callable[[Call], Awaitable[None] | None]:
        """For `FakeWorkspace.before`: this method waits here for this task."""
        return lambda call: self.passed() if call[:2] == (method, task) else None


class SlowJournal(MemoryJournal):
    """Whatever does not wait for a commit gets its chance to act before it."""

    async def commit(self, commit: Commit) -> None:
        await asyncio.sleep(0.5)
        await super().commit(commit)


def surviving(
    journal: MemoryJournal, *, power_cut: bool = False, kind: type[MemoryJournal] = MemoryJournal
) -> MemoryJournal:
    """What the next leader reads. After a power cut, only what the disk is sure to hold."""
    commits = list(journal.commits)
    while power_cut and not commits[-1].durable:
        commits.pop()
    found = kind()
    for commit in commits:
        found._apply(commit)
    return found


# The law that decisions come first


def watch_order(world: World) -> None:
    """From here on, an effect whose decision is not on disk ends its leader with an AssertionError."""

    def before(call: Call) -> None:
        if call.method in {"prepare", "collect", "integrate"}:
            assert _on_disk(world, e.AttemptStarted, call.task, call.attempt), call
        if call.method == "release":
            assert _on_disk(world, e.TaskDone, call.task) or _on_disk(world, e.PhaseChanged), call
        if call.method == "apply":
            assert _on_disk(world, e.ApprovalRequested), call

    start = world.runner.start

    async def checked(spec: RunSpec) -> FakeRun:
        assert _on_disk(world, e.AttemptStarted, spec.task, spec.attempt), spec
        return await start(spec)

    def observe(recorded: Sequence[e.Recorded], _: TeamState) -> None:
        for seen in recorded:
            assert type(seen.event) in e.LAZY or seen in world.journal.events, seen
        world.observed.extend(recorded)

    world.workspace.before = before
    world.runner.start = checked  # type: ignore[method-assign]
    world.observe = observe


def _on_disk(world: World, kind: type[e.Event], task: str = "", attempt: int = 0) -> bool:
    return any(
        isinstance(event, kind)
        and (not task or getattr(event, "task", "") == task)
        and (not attempt or getattr(event, "attempt", 0) == attempt)
        for event in surviving_events(world)
    )


def surviving_events(world: World) -> list[e.AnyEvent]:
    return [recorded.event for recorded in surviving(world.journal, power_cut=True).events]


# A session with everything in it


def eventful_tasks() -> tuple[TaskSpec, ...]:
    """A diamond; task-2 fails at first, task-3 asks, task-5 and task-6 conflict."""
    return (
        task(1),
        task(2, 1, checks=("make test",)),
        task(3, 1),
        task(4, 2, 3),
        task(5, 1),
        task(6, 1, checks=("make test", "make lint")),
    )


def eventful(journal: MemoryJournal | None = None) -> World:
    world = World(
        *eventful_tasks(), work=lambda spec: _eventful(world, spec), auto_approve=True, limits=Limits(jobs=2)
    )
    if journal is not None:
        world.journal = journal
        world.open(journal)
    return world


async def _eventful(world: World, spec: RunSpec) -> RunEnd:
    known = json.loads(spec.prompt)
    await asyncio.sleep(SECONDS_OF_WORK + int(spec.task[-1]))
    match spec.task:
        case "task-2" if known["failures"] == 0:
            return RunEnd("error", detail="it crashed")
        case "task-3" if not known["answers"]:
            return RunEnd("ok", question=Question("Which colour?"))
        case "task-3":
            world.workspace.write(spec.task, "colour.txt", known["answers"][-1])
        case "task-4":
            world.workspace.write(spec.task, "task-1.txt", "changed by task-4\n")
        case "task-5" | "task-6":
            there = world.workspace.read(spec.task, "shared.txt")
            world.workspace.write(spec.task, "shared.txt", "\n".join(sorted({*there.split(), spec.task})))
    world.write(spec)
    return RunEnd("ok", summary="done")


EVENTFUL: Mapping[str, str] = {
    "README.md": "hello\n",
    "task-1.txt": "changed by task-4\n",
    "task-2.txt": "made by task-2\n",
    "task-3.txt": "made by task-3\n",
    "task-4.txt": "made by task-4\n",
    "task-5.txt": "made by task-5\n",
    "task-6.txt": "made by task-6\n",
    "colour.txt": "blue",
    "shared.txt": "task-5\ntask-6",
}


async def says_blue(state: TeamState) -> Command | None:
    await asyncio.sleep(60)
    return Resolve(next(iter(state.open)), "blue") if state.open else None


def check_eventful(world: World) -> None:
    """The one right result, however often leaders died on the way."""
    assert world.delivered() == dict(EVENTFUL)
    assert world.state().phase == "DONE"
    assert set(world.states().values()) == {"DONE"}
    assert len(world.started()) == len(set(world.started())), "an agent ran twice with one attempt number"
    history = world.workspace.history.commits
    merges = [s.message for s in history.values() if s.message.startswith("Merge task-")]
    assert sorted(merges) == [f"Merge task-{n}: Title {n}" for n in range(1, 7)]
    assert len(world.events(e.ApprovalApplied)) == 1
    answered = [event.resolution for event in world.events(e.EscalationResolved)]
    assert answered == ["blue"]


# Death


class Killed(Exception):
    """The leader's process is gone at this point."""


class Line:
    """A leader's line to the world. It is cut at a given step, before or after something was done."""

    def __init__(self, cut_at: int = 0) -> None:
        self.steps = 0
        self._cut_at = cut_at
        self._cut = False

    def step(self) -> None:
        self.steps += 1
        self._cut = self._cut or self.steps == self._cut_at
        if self._cut:
            raise Killed

    def cut(self) -> None:
        self._cut = True

    def parts(self, parts: Parts) -> Parts:
        runner = cast("Runner", _OnLine(parts.runner_for(""), self))
        return parts._replace(
            journal=cast("Any", _OnLine(parts.journal, self)),
            inbox=cast("Any", _OnLine(parts.inbox, self)),
            workspace=cast("Any", _OnLine(parts.workspace, self)),
            checker=cast("Any", _OnLine(parts.checker, self)),
            runner_for=lambda _: runner,
        )


AT_ONCE = {"changed", "take", "has_outcome", "doubtful", "read", "path", "room", "verify", "capabilities"}
"""Only look, so that dying around them is dying at the step before or after."""


class _OnLine:
    def __init__(self, port: Any, line: Line) -> None:
        self._port = port
        self._line = line

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._port, name)
        if name in AT_ONCE:
            return method
        return self._drop if name == "drop" else self._waited_for(method)

    def _drop(self, commands: Any) -> None:
        self._line.step()
        self._port.drop(commands)
        self._line.step()

    def _waited_for(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def call(*arguments: Any, **options: Any) -> Any:
            self._line.step()
            result = await method(*arguments, **options)
            self._line.step()
            return cast("RunHandle", _OnLine(result, self._line)) if method.__name__ == "start" else result

        return call
