"""What agents say while they work."""

from teamlead.core.events.base import Event
from teamlead.core.facts import WorkStatus
from teamlead.core.reports import Feedback, Result


class ProgressReported(Event, frozen=True):
    task: str
    attempt: int
    text: str


class FeedbackReported(Event, frozen=True):
    task: str
    attempt: int
    feedback: Feedback


class ResultReported(Event, frozen=True):
    task: str
    attempt: int
    result: Result


class TaskNoted(Event, frozen=True):
    """An agent's own word about its task."""

    task: str
    attempt: int
    status: WorkStatus
    note: str = ""


class MessageSent(Event, frozen=True):
    id: str
    sender: str
    """A task, "user" or "lead"."""
    recipient: str
    """A task, a role, "all" or "lead"."""
    text: str


class MessagesRead(Event, frozen=True):
    task: str
    attempt: int
    messages: tuple[str, ...]


TalkEvent = ProgressReported | FeedbackReported | ResultReported | TaskNoted | MessageSent | MessagesRead
