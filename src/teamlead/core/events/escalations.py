"""What somebody is asked, and what they answer."""

from typing import Literal

from teamlead.core.events.base import Event
from teamlead.core.model import Concern, Question

EscalationTarget = Literal["user", "planner", "logicValidator", "externalAdvisor"]

EscalationKind = Literal[
    "question",
    "failed",
    "conflict",
    "limit",
    "agent",
    "budget",
    "permission",
    "whole",
    "scope",
    "technical",
    "dependency",
    "contradiction",
    "impossible",
    "already-done",
    "plan",
    "completion",
    "rounds",
    "preflight",
    "proposal",
    "judge",
    "stage",
    "decision",
]
"""impossible: an agent says that a task cannot be done honestly. already-done: one says that a task was done
before, and code cannot tell. judge: one that gives nothing usable. proposal: a plan that the planner made, or
that it could not make. stage: one cannot close, for what is missing in it or what it found. decision: work
that a person accepts, as its task says."""


class EscalationRaised(Event, frozen=True):
    id: str
    target: EscalationTarget
    kind: EscalationKind
    reason: str
    tasks: tuple[Concern, ...] = ()
    """None: it is about the session as a whole."""
    question: Question | None = None
    cause: str = ""
    """The same for the same: an equal question of its kind is this one. Empty: it is equal to no other."""
    held: bool = False
    """Beyond the number of questions the user agreed to: shown, but not asked yet."""
    call: str = ""
    """The agent's own id for the question."""


class EscalationJoined(Event, frozen=True):
    """The same is to be decided for another task."""

    id: str
    task: Concern


class EscalationLeft(Event, frozen=True):
    """It is not about this task any more. With the last of its tasks it is withdrawn."""

    id: str
    task: str
    reason: str


class EscalationAnswered(Event, frozen=True):
    """For these of its tasks: it stays open for the others."""

    id: str
    tasks: tuple[str, ...]
    resolution: str
    by: str


class EscalationReleased(Event, frozen=True):
    """A held question is asked after all."""

    id: str


class EscalationResolved(Event, frozen=True):
    id: str
    resolution: str
    by: str


class EscalationWithdrawn(Event, frozen=True):
    id: str
    reason: str


class QuestionsAllowed(Event, frozen=True):
    more: int


class QuestionParked(Event, frozen=True):
    """The agent that asked was told to end its turn: it is resumed with the answer."""

    task: str
    attempt: int
    escalation: str


EscalationEvent = (
    EscalationRaised
    | EscalationJoined
    | EscalationLeft
    | EscalationAnswered
    | EscalationReleased
    | EscalationResolved
    | EscalationWithdrawn
    | QuestionsAllowed
    | QuestionParked
)
