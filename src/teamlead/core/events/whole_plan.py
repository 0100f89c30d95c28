"""The checks of the whole plan."""

from teamlead.core.events.base import Event
from teamlead.core.evidence.bisection import WholeCheck


class TrialStarted(Event, frozen=True):
    """A check of the whole plan runs, on the merged work or on a part of it."""

    tip: str
    command: str
    where: str


class WholeChecked(Event, frozen=True):
    tip: str
    checks: tuple[WholeCheck, ...]


class WholeAccepted(Event, frozen=True):
    """A person wants the merged work as it is, although a check fails."""

    tip: str
    by: str


class WholeRepeated(Event, frozen=True):
    """A person wants it to be checked once more."""

    tip: str


WholePlanEvent = TrialStarted | WholeChecked | WholeAccepted | WholeRepeated
