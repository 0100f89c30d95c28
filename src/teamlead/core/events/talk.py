"""What agents say while they work."""

from typing import Literal

from teamlead.core.events.base import Event
from teamlead.core.facts import WorkStatus
from teamlead.core.reports import Feedback, Result

MessageType = Literal["message", "shutdown_request", "shutdown_response", "idle_notification"]
"""Only a shutdown_request asks a member to leave: a message that says so is a message. Its answer is a
shutdown_response, or the idle_notification that its turn has ended."""


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
    type: MessageType = "message"
    summary: str = ""
    """In the sender's words; empty: the text begins with one."""
    attempt: int = 0
    """Of its recipient, which alone may get it; 0: the next one may, too."""
    request: str = ""
    """The shutdown_request that it answers."""
    approve: bool | None = None
    """Of a shutdown_response: whether its sender leaves."""


class MessagesRead(Event, frozen=True):
    task: str
    attempt: int
    messages: tuple[str, ...]


TalkEvent = ProgressReported | FeedbackReported | ResultReported | TaskNoted | MessageSent | MessagesRead
