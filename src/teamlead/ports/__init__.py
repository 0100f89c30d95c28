"""What the engine needs from the outside, as Protocols, and the values that cross.

An adapter looks at the world before it acts: called twice with the same arguments, it does the work once.
Expected failures are `TeamleadError`s.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from teamlead.core.events import AnyEvent, Recorded
from teamlead.core.evidence.values import Examined, Found, RoomKind, SuiteRun
from teamlead.core.facts import Command, CommandUnreadable, Talk
from teamlead.core.model import Budget, Change, Question, TaskSpec, ToolPolicy, Trespass
from teamlead.core.people.notices import Notice
from teamlead.core.reports import Result
from teamlead.core.runs import RunEnd
from teamlead.ports.rooms import Room


class Clock(Protocol):
    def now(self) -> float:
        """Wall time, in seconds since 1970. Reset times and deadlines count in it."""
        ...


class TaskRow(NamedTuple):
    """What `status` shows of one task, kept ready to print."""

    order: int
    id: str
    state: str
    waiting: bool
    """Listed among what the session waits for."""
    body: bytes
    """JSON."""


class Rows(NamedTuple):
    """View rows that changed with a commit. `session` is JSON, or None where it did not change."""

    session: bytes | None = None
    tasks: Sequence[TaskRow] = ()


class Outcome(NamedTuple):
    """The answer to one inbox command."""

    command: str
    accepted: bool
    message: str
    exit_code: int = 0


class Stamped(NamedTuple):
    at: float
    event: AnyEvent


class Commit(NamedTuple):
    """One transaction of the journal."""

    events: Sequence[Stamped]
    rows: Rows
    outcomes: Sequence[Outcome]
    durable: bool
    """On disk before the commit returns; otherwise it outlives the process, not the machine."""


class Journal(Protocol):
    """The event log of one session, written by its leader only."""

    async def commit(self, commit: Commit) -> None:
        """All or nothing. A failure means that memory is ahead of the disk: the leader must end."""
        ...

    def read(self, since: int = 0) -> Iterator[Recorded]:
        """Events with a seq above `since`, in order."""
        ...

    def has_outcome(self, command: str) -> bool: ...

    def doubtful(self, tasks: Iterable[str]) -> Sequence[str]:
        """Those of the tasks whose view rows may not be what was written."""
        ...

    def verify(self) -> None:
        """Raises StaleLeader once another leader has taken over. May be called from any thread."""
        ...


class Inbox(Protocol):
    """Commands that other processes put to a session's leader."""

    def changed(self) -> bool:
        """Cheap: may there be something new since the last `take`?"""
        ...

    def take(self) -> Sequence[tuple[str, Command | CommandUnreadable]]:
        """All waiting commands with their ids, oldest first. They stay until `drop`."""
        ...

    def drop(self, commands: Sequence[str]) -> None:
        """Their outcomes are in the journal. What could not be read is kept elsewhere, to be looked at."""
        ...


class Team(NamedTuple):
    """Where an agent reaches its team, as an MCP server over HTTP on loopback."""

    url: str
    token: str
    """Of this attempt alone."""


class Held(NamedTuple):
    """A kind of agent that this user's account may not use for a while."""

    until: float
    reason: str


class Letter(NamedTuple):
    """A message that its recipient has not seen yet."""

    id: str
    sender: str
    text: str


class TaskLine(NamedTuple):
    """What an agent is told of a task."""

    id: str
    title: str
    state: str
    role: str
    word: str
    """What the agent at work on it says itself."""


class Listener(Protocol):
    """The leader, as agents reach it while they work. Each call bears being cancelled."""

    async def put(self, fact: Talk) -> None:
        """Returns once it is on disk with what it caused; raises its refusal."""
        ...

    async def ask(self, task: str, attempt: int, question: Question, call: str) -> str:
        """The escalation's id, once it is on disk: the same for the same `call`."""
        ...

    async def answer(self, escalation: str, patience: float) -> str | None:
        """What the person answered. None: it takes longer, and the question is parked, on disk."""
        ...

    async def unread(self, task: str) -> Sequence[Letter]: ...

    async def tasks(self) -> Sequence[TaskLine]: ...


class TeamServerPort(Protocol):
    """Where agents reach the leader."""

    async def start(self) -> None: ...

    def admit(self, task: str, attempt: int, role: str = "", form: str = "") -> Team: ...

    def dismiss(self, team: Team) -> None:
        """From now on its token is worth nothing, and what it was waiting for is given up."""
        ...

    async def close(self) -> None: ...


class RunSpec(NamedTuple):
    """One run of an agent."""

    session: str
    task: str
    attempt: int
    role: str
    model: str
    """Empty: the program's own choice; so with `effort`."""
    prompt: str
    cwd: Path
    folder: Path
    """For this attempt alone: prompt, streams, result."""
    hard_timeout: float
    idle_timeout: float
    slot: int
    """Unique among the agents running at one time: for ports and databases."""
    environment: Mapping[str, str] = {}
    """Beyond the allow-listed one."""
    effort: str = ""
    arguments: Sequence[str] = ()
    policy: ToolPolicy = ToolPolicy()
    scope: Sequence[str] = ("**",)
    """Path patterns of the task; what it changes elsewhere is not accepted."""
    budget: Budget = Budget()
    """What is left for this run."""
    conversation: str = ""
    """Of an earlier run of this task with the same agent, to be continued: the prompt is its next turn."""
    home: Path = Path()
    """For this task and agent: the program's own configuration and memory, kept from run to run."""
    form: str = ""
    """In which its result is asked for; empty: in none that the team's tools know."""
    team: Team | None = None
    permit: Callable[[str], Awaitable[str]] | None = None
    """Asks a person whether the agent may do what the sentence says: why not, or "". It has its deadline."""
    own_settings: bool = False
    """The repository's settings and hooks for this program may take effect."""
    secrets: Mapping[str, str] = {}
    """By their value, what is called so: nothing of them is kept of what it says."""
    room: Room | None = None
    """Around the copy at `cwd`; None: the program sees what the user sees."""

    @property
    def place(self) -> Path:
        """Where the agent finds its copy."""
        return self.room.seen(self.cwd) if self.room else self.cwd


class Capabilities(NamedTuple):
    """What a kind of agent can do, and how far it can be held."""

    team: bool = False
    """It can talk with its team while it runs."""
    steer: bool = False
    """Messages reach it in mid-turn."""
    cost: bool = False
    """It reports what it cost in money."""
    structured: bool = False
    """Its last word can be held to a schema. Only told so far: no run asks for it."""
    resume: bool = False
    """A conversation can be continued in a later run."""
    tool_limits: Literal["none", "kinds", "calls"] = "none"
    """kinds: tools can be taken away. calls: each single call is decided by the policy."""
    os_sandbox: bool = False
    """Read-only roles are held by the operating system."""
    unheld: str = ""
    """Why the system does not let it hold its commands, though it should; empty: nothing is amiss."""
    roomless: str = ""
    """Why it can hold its commands only without a room around itself; empty: it can in one, too."""


class RunHandle(Protocol):
    async def send(self, text: str) -> bool:
        """A message in mid-turn; whether it was handed over. Not every program has a way for it."""
        ...

    async def result(self) -> RunEnd:
        """Waits until nothing of the run is alive."""
        ...

    async def cancel(self, grace: float) -> None:
        """Asks it to end, and ends it after `grace` seconds of awake time."""
        ...


class Runner(Protocol):
    """One kind of agent."""

    @property
    def capabilities(self) -> Capabilities: ...

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        """What became of an earlier start of this very run; None if there was none.

        If it was started and left no result, whatever is left of it is ended first, and the status is "lost".
        """
        ...

    async def start(self, spec: RunSpec) -> RunHandle: ...


class Copy(NamedTuple):
    path: Path
    base: str
    kept: str = ""
    """The ref that keeps what an earlier copy held and no branch does; "" if there is none."""


class Applied(NamedTuple):
    commit: str
    before: str
    undo: str


class Loan(NamedTuple):
    """A clean copy of a commit, for a command."""

    path: Path
    number: int
    """Unique among those lent at one time, from 0."""
    logs: Path
    """For what the command says. As long as it runs, it holds `alive.lock` there."""
    room: Room | None = None
    """As with RunSpec."""


class Workspace(Protocol):
    """The working copies and branches of one session."""

    def path(self, task: str) -> Path:
        """Where the task's copy is or would be."""
        ...

    def room(self, task: str) -> Room | None:
        """What a program in the task's copy sees of the machine; None: all that the user sees."""
        ...

    async def prepare(
        self, task: str, attempt: int, bases: Sequence[str], fallback: str, *, fresh: bool
    ) -> Copy:
        """A copy on the branch of the task. Without `fresh` an earlier attempt's copy is continued.

        Raises MergeConflict if the bases neither merge with each other nor are all in `fallback`.
        """
        ...

    async def hand_over(self, task: str, files: Mapping[str, str]) -> None:
        """Puts files into the copy for its agent to read, by their paths there. They are nobody's work."""
        ...

    async def collect(self, task: str, attempt: int, base: str, title: str, summary: str) -> Found:
        """Commits what the copy holds, as one commit on `base`, to the task's branch."""
        ...

    async def disregard(self, task: str) -> None:
        """What differs from the collected work by now was left by its checks: it is never counted as work."""
        ...

    async def integrate(self, task: str, commit: str, title: str) -> str:
        """Merges to the integration branch; returns its tip. Raises MergeConflict with both sides shown."""
        ...

    async def integration_tip(self) -> str: ...

    async def merged(self, task: str, attempt: int) -> str:
        """The attempt's commit, if the integration branch holds it already; else ""."""
        ...

    async def release(self, task: str) -> str:
        """Lets the copy go. Returns the ref that keeps what is on no branch, or "".

        A copy whose work cannot be kept stays, and its path is returned.
        """
        ...

    async def look(self) -> tuple[Trespass, ...]:
        """What was changed in the user's repository, not by them by the looks of it, and is not put right."""
        ...

    async def tree(self, commit: str) -> str:
        """A name for what a commit holds: the same for commits that hold the same."""
        ...

    async def snapshot(self, task: str) -> str:
        """A commit of what the copy holds while an agent is at work in it; "" where that cannot be told.

        Nothing that anybody else sees changes by it. The same content on the same base has the same name,
        a copy without changes that of its base. Known to this workspace alone, and until it is closed.
        """
        ...

    async def try_merge(self, one: str, other: str) -> tuple[str, ...]:
        """The paths in which two commits conflict, snapshots too."""
        ...

    async def difference(self, before: str, after: str) -> str:
        """What changed from one commit to another, as a patch."""
        ...

    def borrow(self, commit: str, *, provided: bool = True) -> AbstractAsyncContextManager[Loan]:
        """A copy of the commit that no agent was in. It goes with all that is in it.

        `provided`: with what the user's settings add to every copy.
        """
        ...

    async def tidy(self) -> None:
        """Removes borrowed copies that an earlier leader did not come to give back."""
        ...

    async def applied(self, commit: str, branch: str) -> Applied | None:
        """What `apply` brought to the branch before; None if it did not."""
        ...

    async def apply(self, commit: str, branch: str, *, squash: bool, sign: bool, message: str) -> Applied:
        """Brings the work onto the user's branch, by compare-and-swap. Raises Refused or MergeConflict."""
        ...


class CheckEnd(NamedTuple):
    exit_code: int | None
    seconds: float
    output: str
    log: str
    suite: SuiteRun | None = None
    """What its output says about tests; None where it is no known test program's."""
    room: RoomKind = ""


class Checker(Protocol):
    async def check(
        self,
        command: str,
        cwd: Path,
        log: Path,
        timeout: float,  # noqa: ASYNC109 - a bound on the command, not on this call
        slot: int,
        *,
        room: Room | None = None,
    ) -> CheckEnd: ...


class Trials(Protocol):
    """Commands on clean copies of commits: of a base, and of merged work. What one came to is remembered."""

    async def run(self, commit: str, command: str, timeout: float, *, repetition: int = 0) -> CheckEnd:  # noqa: ASYNC109 - as above
        """Each `repetition` is a run of its own."""
        ...


class NegativeControl(Protocol):
    """Where checks might look elsewhere than at the copy that they run in."""

    async def unseen(self, command: str, base: str, commit: str, timeout: float) -> tuple[str, ...]:  # noqa: ASYNC109 - as above
        """For a command that passes on a commit: files of it in which it does not notice garbage.

        Nothing: it sees what was changed since `base`, or there is nothing that it could be expected to see.
        """
        ...


class Notifier(Protocol):
    async def notify(self, way: str, notice: Notice) -> str:
        """Tells the user in one of the ways that they have settled; returns what went wrong, or ""."""
        ...


class Claim(NamedTuple):
    """What an attempt says it did, and what it did."""

    task: TaskSpec
    attempt: int
    checks: tuple[str, ...]
    """The commands that it has to pass."""
    text: str
    """The agent's last words."""
    result: Result | None
    """What it handed in while it worked; None: its result is in its last words, if anywhere."""
    base: str
    commit: str
    """Empty if nothing changed."""
    changes: tuple[Change, ...]
    copies: tuple[Path, ...]
    """The copy's names: on disk, and as the agent saw it."""
    folder: Path
    """Of the attempt, for what is to be kept."""


class Examiner(Protocol):
    """Holds what an agent says against its contract and against the repository."""

    async def examine(self, claim: Claim) -> Examined: ...
