"""How the team of a session that has ended leaves, and what is made sure of before it is deleted."""

from typing import Literal

from teamlead.core.events.base import Event
from teamlead.core.model import Value

Departure = Literal["idle", "approved", "ended", "stopped"]
"""idle: its turn had ended. approved: it agreed to leave. ended: it was asked twice and did not leave, so its
warden ended it. stopped: its warden ended it, and nobody waited for its answer."""


class RuleChecked(Value, frozen=True):
    """What a rule of leaving came to."""

    rule: str
    held: bool
    found: str


class TeamLeaving(Event, frozen=True):
    """The session has ended: whoever is at work is asked to leave."""

    at_once: bool = False
    """Nobody is asked: they are ended."""


class MemberLeft(Event, frozen=True):
    """Nothing of this member is alive any more."""

    member: str
    attempt: int
    how: Departure


class TeamDeleted(Event, frozen=True):
    """Nobody of it is left, and here is what was made sure of."""

    rules: tuple[RuleChecked, ...]


LeavingEvent = TeamLeaving | MemberLeft | TeamDeleted
