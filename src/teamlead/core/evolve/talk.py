"""What agents say while they work, and what is said to them."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.evolve import leaving
from teamlead.core.state.indexes import deliver, take_feedback, take_result
from teamlead.core.state.records import Attempt, Message
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import from_person


def _speaker(state: TeamState, task: str) -> Attempt:
    state.touched[task] = None
    attempt = state.tasks[task].attempts[-1]
    attempt.said += 1
    return attempt


def _progress_reported(state: TeamState, event: e.ProgressReported, at: float) -> None:
    _speaker(state, event.task).progress = event.text


def _feedback_reported(state: TeamState, event: e.FeedbackReported, at: float) -> None:
    take_feedback(_speaker(state, event.task), event.feedback)


def _result_reported(state: TeamState, event: e.ResultReported, at: float) -> None:
    take_result(_speaker(state, event.task), event.result)


def _task_noted(state: TeamState, event: e.TaskNoted, at: float) -> None:
    attempt = _speaker(state, event.task)
    attempt.word = event.status
    attempt.note = event.note


def _message_sent(state: TeamState, event: e.MessageSent, at: float) -> None:
    message = Message(
        id=event.id,
        sender=event.sender,
        recipient=event.recipient,
        text=event.text,
        sent_at=at,
        type=event.type,
        summary=event.summary,
        attempt=event.attempt,
        request=event.request,
        approve=event.approve,
    )
    if event.type == "shutdown_request":
        leaving.asked(state, state.members[event.recipient], message)
    state.messages[event.id] = message
    if event.sender in state.tasks:
        _speaker(state, event.sender)
        leaving.answered(state.members[event.sender], message)
    recipient = state.tasks.get(event.recipient)
    # An answer that is sent on to the agent at work is guidance already.
    known = (answer for _, answer in recipient.guidance) if recipient else ()
    if recipient and from_person(state, message) and event.text not in known:
        recipient.told.append(message)
    # Whoever has not begun sees the work itself; a message to all would only repeat it.
    names = [event.recipient] if event.recipient in state.members else list(state.begun)
    for name in names:
        member = state.members[name]
        if event.recipient in {name, member.task.spec.role, "all"} and name != event.sender:
            member.unread = (*member.unread, event.id)
            deliver(state, member.task, message)
            state.touched[name] = None


def _messages_read(state: TeamState, event: e.MessagesRead, at: float) -> None:
    member = state.members[event.task]
    member.unread = tuple(message for message in member.unread if message not in event.messages)
    for message in event.messages:
        state.due.pop(f"Deliver:{event.task}:{event.attempt}:{message}", None)
    state.touched[event.task] = None


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.ProgressReported: _progress_reported,
    e.FeedbackReported: _feedback_reported,
    e.ResultReported: _result_reported,
    e.TaskNoted: _task_noted,
    e.MessageSent: _message_sent,
    e.MessagesRead: _messages_read,
}
