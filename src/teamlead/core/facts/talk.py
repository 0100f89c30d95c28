"""What an agent says while it works. It waits for the answer."""

from typing import Literal

from teamlead.core.facts.base import Fact
from teamlead.core.model import Question
from teamlead.core.reports import Feedback, Result

WorkStatus = Literal["working", "blocked", "done"]
"""An agent's own word about its task. It moves nothing."""


class AttemptTalk(Fact, frozen=True):
    """What an agent says while it works."""

    task: str
    attempt: int


class Reported(AttemptTalk, frozen=True):
    """How far it is."""

    text: str


class FeedbackGiven(AttemptTalk, frozen=True):
    feedback: Feedback


class ResultSubmitted(AttemptTalk, frozen=True):
    result: Result


class Asked(AttemptTalk, frozen=True):
    question: Question
    id: str
    """The caller's own for this question: asked again with it, nothing new is raised."""


class QuestionParked(AttemptTalk, frozen=True):
    """The answer takes long: the agent was told to end its turn."""

    escalation: str


class PermissionAsked(AttemptTalk, frozen=True):
    """It waits for a person to allow one call of a tool."""

    question: Question
    id: str
    """The caller's own for this request."""


class PermissionLapsed(AttemptTalk, frozen=True):
    """Nobody has answered in time: the call was refused."""

    escalation: str


class MessagePosted(AttemptTalk, frozen=True):
    recipient: str
    """A task, a role, "all" or "lead"."""
    text: str
    summary: str = ""


class MessagesTaken(AttemptTalk, frozen=True):
    """The agent has them now."""

    messages: tuple[str, ...]


class ShutdownAnswered(AttemptTalk, frozen=True):
    """It was asked to leave, and says whether it does."""

    request: str
    approve: bool
    reason: str = ""


class TaskUpdated(AttemptTalk, frozen=True):
    target: str
    """The task it speaks of: its own."""
    status: WorkStatus
    note: str = ""


Talk = (
    Reported
    | FeedbackGiven
    | ResultSubmitted
    | Asked
    | QuestionParked
    | PermissionAsked
    | PermissionLapsed
    | MessagePosted
    | MessagesTaken
    | ShutdownAnswered
    | TaskUpdated
)
"""All that an agent can say to its team: none of it decides anything."""
