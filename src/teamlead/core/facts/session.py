"""Of the session, of who leads it, and of the repository."""

from teamlead.core.facts.base import Fact, Wish
from teamlead.core.model import SessionSpec, TeamSpec, Trespass


class Open(Wish, frozen=True):
    """The user started a session."""

    spec: SessionSpec
    team: TeamSpec | None = None
    """None: whoever its plan names, or the settings."""


class LeaderArrived(Fact, frozen=True):
    epoch: int
    holder: str


class LeaderDraining(Fact, frozen=True):
    """Stop starting work; what runs may end."""

    reason: str


class LeaderLeft(Fact, frozen=True):
    reason: str


class Notified(Fact, frozen=True):
    """The user was told that a person is needed, or could not be."""

    about: str
    problem: str = ""


class RepositoryLooked(Fact, frozen=True):
    """All that was changed in the user's repository and is not put right."""

    trespasses: tuple[Trespass, ...] = ()


class ApprovalMade(Fact, frozen=True):
    commit: str
    branch: str
    before: str
    undo: str


class ApprovalImpossible(Fact, frozen=True):
    reason: str


class RolledBack(Fact, frozen=True):
    """The session's branches are gone, and these refs hold what they held."""

    kept: tuple[str, ...] = ()
    problem: str = ""
    """Why they are not."""


class PlanWritten(Fact, frozen=True):
    """The plan that was made here stands in a file now."""

    path: str
    digest: str


class KindHeld(Fact, frozen=True):
    """Another session of this user met a limit of this kind of agent."""

    kind: str
    until: float
    reason: str


class MachineShort(Fact, frozen=True):
    """Something could not be started for want of processes, descriptors or memory."""

    reason: str


class CommandUnreadable(Fact, frozen=True):
    """Stands in the place of a command that nobody can read: it is kept, and nothing is done."""

    problem: str


SessionFact = (
    Open
    | LeaderArrived
    | LeaderDraining
    | LeaderLeft
    | Notified
    | RepositoryLooked
    | ApprovalMade
    | ApprovalImpossible
    | RolledBack
    | PlanWritten
    | KindHeld
    | MachineShort
    | CommandUnreadable
)
