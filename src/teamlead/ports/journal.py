"""A session's journal and its inbox, as its leader sees them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from teamlead.core.events import AnyEvent, Recorded
from teamlead.core.facts import Command, CommandUnreadable


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
