"""Of the checks, tried on the base before agents work."""

from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.facts.base import Fact


class CheckTried(Fact, frozen=True):
    """What a check came to on a clean copy of the base."""

    command: str
    turn: int = 0
    exit_code: int | None = None
    seconds: float = 0.0
    obstacle: Obstacle | None = None
    untried: str = ""


PreflightFact = CheckTried
