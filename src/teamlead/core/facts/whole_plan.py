"""Of the checks of the whole plan."""

from teamlead.core.evidence.bisection import WholeCheck
from teamlead.core.facts.base import Fact


class TrialBegun(Fact, frozen=True):
    """A check of the whole plan runs somewhere now."""

    tip: str
    command: str
    where: str


class WholeEnded(Fact, frozen=True):
    """What the checks of the whole plan came to on the merged work."""

    tip: str
    checks: tuple[WholeCheck, ...]


WholePlanFact = TrialBegun | WholeEnded
