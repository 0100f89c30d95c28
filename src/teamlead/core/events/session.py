"""The session as a whole, who leads it and who works in it."""

from teamlead.core.events.base import Event
from teamlead.core.model import SessionSpec, TeamSpec
from teamlead.core.transitions import Phase


class TeamFormed(Event, frozen=True):
    """Before the session is there that it works in."""

    team: TeamSpec


class SessionOpened(Event, frozen=True):
    spec: SessionSpec


class PhaseChanged(Event, frozen=True):
    phase: Phase
    reason: str


class StageOpened(Event, frozen=True):
    """Its tasks may start. If another was open, that one waits again."""

    stage: str
    commit: str
    """What its tasks without dependencies start from."""


class StageClosed(Event, frozen=True):
    stage: str
    found: tuple[str, ...] = ()
    """What its members handed in, a line each."""


class StageSentBack(Event, frozen=True):
    """What it found is to be mended in the stages before it."""

    stage: str
    findings: tuple[str, ...]


class StageTaken(Event, frozen=True):
    """A person goes on from a stage although this is missing there, or was found there."""

    stage: str
    against: tuple[str, ...]
    by: str


class LeaderStarted(Event, frozen=True):
    epoch: int
    holder: str


class LeaderStopping(Event, frozen=True):
    reason: str


class LeaderStopped(Event, frozen=True):
    reason: str


class WarningNoted(Event, frozen=True):
    """Something that the session lacks."""

    warning: str
    task: str = ""


class PlanDiscussed(Event, frozen=True):
    """Whether a person is asked to accept the plan that is made."""

    wanted: bool


class PlanFiled(Event, frozen=True):
    """The plan that was made stands in a file, which the user may edit."""

    path: str
    digest: str


class CompletionAccepted(Event, frozen=True):
    """A person takes the merged work for all that was wanted."""

    tip: str
    by: str


SessionEvent = (
    TeamFormed
    | SessionOpened
    | PhaseChanged
    | StageOpened
    | StageClosed
    | StageSentBack
    | StageTaken
    | LeaderStarted
    | LeaderStopping
    | LeaderStopped
    | WarningNoted
    | PlanDiscussed
    | PlanFiled
    | CompletionAccepted
)
