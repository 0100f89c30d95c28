"""Who leads a session: one process at a time. Whatever changes a session goes through it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from teamlead.core.facts import AnyFact, Command
from teamlead.core.state.team_state import TeamState

APPLYING = "teamlead, applying a command"
"""As which one leads for a moment: a leader with agents waits for its end."""


class Epoch(NamedTuple):
    """Which leader of a session it is. The journal decides that: without one, nobody else can come."""

    number: int = 1
    verify: Callable[[], None] = lambda: None
    """Raises StaleLeader once another leader has taken over. Called from any thread."""
    rise: Callable[[int], int] = lambda epoch: epoch + 1
    """Takes an epoch above this one, and returns it; raises StaleLeader likewise."""


class LedJournal(Protocol):
    """The journal in the hands of who leads: earlier leaders change nothing any more."""

    @property
    def epoch(self) -> Epoch: ...

    def replay(self) -> TeamState:
        """What it says, once and for all. Raises StorageFailed where it cannot be replayed."""
        ...

    def record(self, fact: AnyFact) -> None:
        """Puts down what was done without a leader's loop, with what it causes; raises its refusal."""
        ...


class Term(Protocol):
    """The time in which this process leads the session."""

    def journal(self) -> AbstractContextManager[LedJournal]:
        """Opens it for a `with` block."""
        ...


class Leadership(Protocol):
    """Of one session."""

    def lead(self, command: str = APPLYING) -> AbstractContextManager[Term]:
        """Takes the leadership for a `with` block. Raises LeaseHeld, which says who has it."""
        ...

    def submit(self, command: Command) -> None:
        """Hands a command to whoever leads, and returns once it is on disk with what it caused.

        Raises its refusal. If nobody leads, this process does for a moment: it applies the command
        and its git effects, and starts no agent.
        """
        ...
