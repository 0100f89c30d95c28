"""Sessions whose agents do nothing, led by the real leader on the real journal."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

from teamlead.core.evidence.values import Found
from teamlead.core.facts import Open
from teamlead.core.model import Change, Limits, Plan, SessionSpec, TaskSpec, TaskType, Trespass
from teamlead.core.runs import RunEnd
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.engine.leader import Leader
from teamlead.engine.parts import Parts
from teamlead.engine.stopping import End
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.checking import CheckEnd
from teamlead.ports.journal import Commit, Stamped
from teamlead.ports.rooms import Room
from teamlead.ports.runner import Capabilities, RunSpec
from teamlead.ports.workspace import NO_FILES, Applied, Copy, Loan
from teamlead.prompts.worker import worker_prompt
from teamlead.sessions.replay import fold
from teamlead.views.rows import view_rows

JOBS = 8
WIDTH = 10
SHAPES = ("chain", "fan", "layers")
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def graph(shape: str, size: int) -> list[tuple[int, ...]]:
    """For each task, in order, the tasks it depends on.

    chain: each on the one before. fan: one, then all at once, then one that needs them all. layers: ten wide,
    each task on the whole layer before it.
    """
    if shape == "chain":
        return [(number - 1,) if number else () for number in range(size)]
    if shape == "fan":
        return [(), *[(0,)] * (size - 2), tuple(range(1, size - 1))]
    layer = [tuple(range(start, start + WIDTH)) for start in range(0, size, WIDTH)]
    return [layer[number // WIDTH - 1] if number >= WIDTH else () for number in range(size)]


def session_of(dependencies: Sequence[Sequence[int]], kind: TaskType = "implementation") -> SessionSpec:
    tasks = tuple(
        TaskSpec(
            f"task-{number}",
            f"Do part {number} of the work",
            depends_on=tuple(f"task-{dependency + 1}" for dependency in needed),
            type=kind,
        )
        for number, needed in enumerate(dependencies, 1)
    )
    limits = Limits(jobs=JOBS)
    return SessionSpec(
        "20250101-000000-abcd", Plan("Measure", "", tasks), COMMIT, "main", "fake", limits, auto_approve=True
    )


class NoWorkspace:
    """Everything succeeds at once and touches nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, task: str) -> Path:
        return self._folder / task

    def room(self, task: str) -> Room | None:  # noqa: ARG002 - the port's
        return None

    async def prepare(
        self,
        task: str,
        attempt: int,  # noqa: ARG002 - the port's signature, here and below
        bases: Sequence[str],  # noqa: ARG002
        fallback: str,  # noqa: ARG002
        *,
        fresh: bool,  # noqa: ARG002
    ) -> Copy:
        return Copy(self._folder / task, COMMIT)

    async def hand_over(self, task: str, files: Mapping[str, str]) -> None:
        """Nobody reads it."""

    async def collect(self, task: str, attempt: int, base: str, title: str, summary: str) -> Found:  # noqa: ARG002
        return Found(COMMIT, (Change(task, "000000", "100644", 1),))

    async def disregard(self, task: str) -> None:
        """Nothing is ever left."""

    async def integrate(self, task: str, commit: str, title: str) -> str:  # noqa: ARG002
        return COMMIT

    async def merged(self, task: str, attempt: int) -> str:  # noqa: ARG002
        return ""

    async def integration_tip(self) -> str:
        return COMMIT

    async def release(self, task: str) -> str:  # noqa: ARG002
        return ""

    async def look(self) -> tuple[Trespass, ...]:
        return ()

    async def tree(self, commit: str) -> str:
        return commit

    async def snapshot(self, task: str) -> str:  # noqa: ARG002
        return COMMIT

    async def try_merge(self, one: str, other: str) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    async def difference(self, before: str, after: str) -> str:
        return f"{before} {after}"

    def borrow(
        self,
        commit: str,  # noqa: ARG002
        *,
        provided: bool = True,  # noqa: ARG002
        files: Mapping[str, str] = NO_FILES,  # noqa: ARG002
    ) -> AbstractAsyncContextManager[Loan]:
        return nullcontext(Loan(self._folder, 0, self._folder))

    async def tidy(self) -> None:
        """Nothing is ever borrowed."""

    async def roll_back(self) -> tuple[str, ...]:
        return ()

    async def applied(self, commit: str, branch: str) -> Applied | None:  # noqa: ARG002
        return None

    async def apply(self, commit: str, branch: str, *, squash: bool, sign: bool, message: str) -> Applied:  # noqa: ARG002
        return Applied(commit, COMMIT, "")


class NoRun:
    async def send(self, text: str) -> bool:  # noqa: ARG002
        return False

    async def result(self) -> RunEnd:
        await asyncio.sleep(0)
        return RunEnd("ok", "done")

    async def cancel(self, grace: float) -> None:
        pass


class NoRunner:
    """Counts the agents it is asked to run, and runs none."""

    capabilities = Capabilities()

    def __init__(self) -> None:
        self.started: list[str] = []
        self.first = 0.0
        """When the first was asked for."""

    async def recall(self, spec: RunSpec) -> RunEnd | None:  # noqa: ARG002
        return None

    async def start(self, spec: RunSpec) -> NoRun:
        if not self.started:
            self.first = time.perf_counter()
        self.started.append(spec.task)
        return NoRun()


class NoChecker:
    async def check(
        self,
        command: str,  # noqa: ARG002 - the port's
        cwd: Path,  # noqa: ARG002 - as above
        log: Path,  # noqa: ARG002 - as above
        timeout: float,  # noqa: ARG002, ASYNC109 - as above
        slot: int,  # noqa: ARG002 - as above
        *,
        room: Room | None = None,  # noqa: ARG002 - as above
        environment: Mapping[str, str] = {},  # noqa: ARG002 - as above
        afresh: bool = False,  # noqa: ARG002 - as above
    ) -> CheckEnd:
        return CheckEnd(0, 0.0, "", "")


class NoTrials:
    async def run(
        self,
        commit: str,  # noqa: ARG002 - the port's
        command: str,  # noqa: ARG002 - as above
        timeout: float,  # noqa: ARG002, ASYNC109 - as above
        *,
        repetition: int = 0,  # noqa: ARG002 - as above
        environment: Mapping[str, str] = {},  # noqa: ARG002 - as above
        afresh: bool = False,  # noqa: ARG002 - as above
    ) -> CheckEnd:
        return CheckEnd(0, 0.0, "", "")


class RealClock:
    def now(self) -> float:
        return time.time()


class Forgetful(SqliteJournal):
    """A journal that never waits for the disk: to compare with a bare one that does not either."""

    async def commit(self, commit: Commit) -> None:
        await super().commit(commit._replace(durable=False))


class Session(NamedTuple):
    """A session on disk, with nothing done yet."""

    folder: Path

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    @property
    def inbox(self) -> Path:
        return self.folder / "inbox.db"


def new_session(folder: Path, spec: SessionSpec) -> Session:
    session = Session(folder)
    folder.mkdir()
    SqliteJournal.create(session.journal)
    SqliteInbox.create(session.inbox)
    state = TeamState()
    now = time.time()
    turn = step(state, [Open(spec)], now)
    journal = SqliteJournal.open(session.journal)
    try:
        rows = view_rows(state, list(state.touched))
        asyncio.run(journal.commit(Commit([Stamped(now, e) for e in turn.events], rows, (), durable=True)))
    finally:
        journal.close()
    return session


class Ran(NamedTuple):
    seconds: float
    """From opening the journal to the leader's end."""
    until_first: float
    """From opening the journal to the first agent asked for."""
    agents: list[str]
    end: End
    state: TeamState


def run_session(session: Session, *, durable: bool, vfs: str = "", agents_until_killed: int = 0) -> Ran:
    """The real leader on the real journal. With `agents_until_killed` it ends like one that was killed."""
    runner = NoRunner()
    begun = time.perf_counter()
    journal = (SqliteJournal if durable else Forgetful).open(session.journal, vfs=vfs)
    with SqliteInbox.lead(session.inbox) as inbox:
        state = fold(journal.read(), str(session.journal))

        def observe(*_: object) -> None:
            if agents_until_killed and len(runner.started) >= agents_until_killed:
                raise Killed

        parts = Parts(
            journal=journal,
            inbox=inbox,
            workspace=NoWorkspace(session.folder),
            runner_for=lambda _: runner,
            checker=NoChecker(),
            trials=NoTrials(),
            clock=RealClock(),
            view=view_rows,
            prompt=lambda state, task, _: worker_prompt(state, task),
            attempts=session.folder / "attempts",
            observe=observe,
        )
        end: End = "interrupted"
        try:
            end = asyncio.run(Leader(state, parts).run("benchmark", journal.epoch))
        except Killed:
            pass
        finally:
            journal.close()
    ended = time.perf_counter()
    return Ran(ended - begun, runner.first - begun, runner.started, end, state)


class Killed(Exception):
    pass
