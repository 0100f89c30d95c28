"""What a leader is made of, as handed over by the wiring."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.core.events import Recorded
from teamlead.core.facts import Command
from teamlead.core.state import Task, TeamState
from teamlead.ports import Checker, Clock, Inbox, Journal, Rows, Runner, Workspace

View = Callable[[TeamState, Iterable[str]], Rows]
Prompt = Callable[[TeamState, Task], str]
Observer = Callable[[Sequence[Recorded], TeamState], None]
Person = Callable[[TeamState], Awaitable[Command | None]]


class Parts(NamedTuple):
    journal: Journal
    inbox: Inbox
    workspace: Workspace
    runner_for: Callable[[str], Runner]
    checker: Checker
    clock: Clock
    view: View
    prompt: Prompt
    """The text for a task's live attempt."""
    attempts: Path
    """One folder below it an attempt."""
    observe: Observer
    """Called after each turn with what happened."""
    person: Person | None = None
    """Asked when nothing can move without a person; None stands for nobody there."""
    inbox_every: float = 0.025
    """Seconds between two looks at the inbox."""
    require_room: Callable[[], None] = lambda: None
    """Raises DiskUnusable where there is too little room for work to start, or for blaming what failed."""
