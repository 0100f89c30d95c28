"""Of the checks, tried on the base before agents work."""

from teamlead.core.events.base import Event
from teamlead.core.evidence.obstacles import Obstacle


class PreflightStarted(Event, frozen=True):
    """Checks are tried on a clean copy of the base. Agents wait for it a while."""

    commands: tuple[str, ...]


class PreflightEnded(Event, frozen=True):
    command: str
    exit_code: int | None = None
    seconds: float = 0.0
    obstacle: Obstacle | None = None
    """None: it can be run. That it fails is for the tasks to mend."""
    untried: str = ""
    """Why nobody can tell."""


class PreflightRepeated(Event, frozen=True):
    """A person has seen to what was in the way of these checks."""

    commands: tuple[str, ...]


class CheckCorrected(Event, frozen=True):
    """From now on another command stands in the place of a check, in every task that has it."""

    before: str
    after: str
    by: str


PreflightEvent = PreflightStarted | PreflightEnded | PreflightRepeated | CheckCorrected
