"""What a leader is made of, as handed over by the wiring."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.core.answers import Answer
from teamlead.core.events import Recorded
from teamlead.core.facts import Command
from teamlead.core.model import Excerpt
from teamlead.core.runs import Run
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.ports.checking import Checker, Examiner, NegativeControl, Obstacles, Prover, Trials
from teamlead.ports.clock import Clock
from teamlead.ports.journal import Inbox, Journal, Rows
from teamlead.ports.notifier import Notifier
from teamlead.ports.runner import Held, Runner
from teamlead.ports.team import Listener, TeamServerPort
from teamlead.ports.workspace import Workspace


class Lent(NamedTuple):
    excerpt: Excerpt
    text: str


class Briefing(NamedTuple):
    """What is known of a run when its prompt is written."""

    team: bool
    """The agent has the team tools."""
    continues: bool
    """It goes on with its own conversation."""
    copy: Path
    lent: tuple[Lent, ...] = ()
    """What the lead reads for it, because another agent failed."""


class Shown(NamedTuple):
    """Of an agent's work, what no state holds."""

    log: str = ""
    """What it did."""
    change: str = ""
    """What it changed, as a patch; so with the next one."""
    since: str = ""
    """What is different from its attempt before."""


class Consulting(NamedTuple):
    """How models are asked, and what they say is read."""

    prompt: Callable[[TeamState, Run, Shown], str]
    """For a model that is asked; or for who is to make a plan."""
    transcript: Callable[[Path], Awaitable[str]]
    """What an agent did, by the folder of its attempt."""
    read: Callable[[TeamState, Run, str], Awaitable[Answer]]
    """Raises TeamleadError where it cannot be read or believed, saying what is wrong."""


View = Callable[[TeamState, Iterable[str]], Rows]
Prompt = Callable[[TeamState, Task, Briefing], str]
Observer = Callable[[Sequence[Recorded], TeamState], None]
Person = Callable[[TeamState], Awaitable[Command | None]]


class Parts(NamedTuple):
    journal: Journal
    inbox: Inbox
    workspace: Workspace
    runner_for: Callable[[str], Runner]
    checker: Checker
    trials: Trials
    clock: Clock
    view: View
    prompt: Prompt
    """The text for a task's live attempt."""
    attempts: Path
    """One folder below it an attempt."""
    observe: Observer
    """Called after each turn with what happened."""
    consulting: Consulting | None = None
    """None: no model is consulted."""
    examiner: Examiner | None = None
    """None: what agents say is not looked into."""
    prover: Prover | None = None
    """None: nothing is run besides checks."""
    control: NegativeControl | None = None
    """None: whether checks see what was changed is not looked into."""
    obstacles: Obstacles | None = None
    """None: why a check cannot be run on the base is not looked into."""
    person: Person | None = None
    """Asked when nothing can move without a person; None stands for nobody there."""
    inbox_every: float = 0.025
    """Seconds between two looks at the inbox."""
    homes: Path = Path()
    """One folder below it a task and agent: what the agent's program keeps from run to run."""
    held: Callable[[str], Held | None] = lambda _: None
    """Whether another session of this user has found that a kind of agent may not be used for now."""
    team: Callable[[Listener], TeamServerPort] | None = None
    """Makes the server by which agents reach their team; None: they cannot."""
    permission_wait: float = 600.0
    """Seconds an agent waits for a person's yes to a tool call."""
    excerpts: Callable[[Task, Path], tuple[Lent, ...]] = lambda _, __: ()
    """What the lead may read in a copy for a task, in the place of agents that failed."""
    long_texts: Callable[[TeamState, Task], Mapping[str, str]] = lambda _, __: {}
    """What a prompt names and is too long for it: files of the copy, by their paths there."""
    unseen: Callable[[TeamState], tuple[Path, ...]] = lambda _: ()
    """Files that no agent may read."""
    radar: float = 0.0
    """Seconds between two looks at whether the work of agents would merge; 0: nobody looks."""
    secrets: Mapping[str, str] = {}
    """By their value, what is called so: nothing of them is kept of what agents say."""
    notifier: Notifier | None = None
    """None: nobody is told anything outside of the terminal."""
    require_disk_space: Callable[[], None] = lambda: None
    """Raises DiskUnusable where the disk has too little space to start work, or to blame what failed."""
