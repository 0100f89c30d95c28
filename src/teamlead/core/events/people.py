"""What people decide about the whole work, are told, and what stands in its way."""

from typing import Literal

from teamlead.core.events.base import Event
from teamlead.core.model import Trespass

TrespassEnd = Literal["put back", "accepted", "gone"]
"""accepted: the user takes it for their own. gone: it was as before when somebody looked."""


class PersonNotified(Event, frozen=True):
    about: str
    problem: str = ""


class TrespassFound(Event, frozen=True):
    """Something was changed in the user's repository, not by them as far as one can tell."""

    trespass: Trespass


class TrespassSettled(Event, frozen=True):
    item: str
    how: TrespassEnd
    by: str = ""
    """Empty: nobody said so."""


class ApprovalRequested(Event, frozen=True):
    commit: str
    by: str
    squash: bool = False
    sign: bool = False


class ApprovalApplied(Event, frozen=True):
    commit: str
    branch: str
    before: str
    undo: str


class ApprovalRefused(Event, frozen=True):
    reason: str


class WorkRevised(Event, frozen=True):
    """A person wants the finished work to be different, from this stage on."""

    stage: str
    text: str
    by: str


class RollbackRequested(Event, frozen=True):
    """The session's branches are to go."""

    by: str


class WorkRolledBack(Event, frozen=True):
    kept: tuple[str, ...]
    """Refs that hold what the branches held."""


PersonEvent = (
    PersonNotified
    | TrespassFound
    | TrespassSettled
    | ApprovalRequested
    | ApprovalApplied
    | ApprovalRefused
    | WorkRevised
    | RollbackRequested
    | WorkRolledBack
)
