"""A kind of agent, and one run of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from teamlead.core.model import Budget, ToolPolicy
from teamlead.core.runs import RunEnd
from teamlead.ports.rooms import Room
from teamlead.ports.team import Team


class Held(NamedTuple):
    """A kind of agent that this user's account may not use for a while."""

    until: float
    reason: str


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
    protects: Sequence[str] = ()
    """Path patterns that it may read and not change."""
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
