"""What an agent asks while it works.

It goes on meanwhile. If it ends before the answer is there, its task waits for it. If it was told to end its
turn (the question is parked), it is resumed with the answer: once, whichever of the two comes first.
"""

from teamlead.core import escalation
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Question
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.state import Attempt, Escalation, Task, TeamState
from teamlead.core.talk import heard, speaker
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]

FOR_A_PERSON = frozenset({"clarification", "escalate"})


def asked(state: TeamState, fact: f.Asked, now: float) -> Events:
    if fact.id in state.calls:
        return []
    task, attempt = heard(state, fact)
    if not fact.question.text.strip():
        raise Refused("an empty question cannot be answered")
    return raise_question(state, task, attempt, fact.question, call=fact.id)


def raise_question(
    state: TeamState, task: Task, attempt: Attempt, question: Question, *, call: str = "", before: int = 0
) -> Events:
    """`before`: how many others are raised with it, before it."""
    name = task.spec.id
    number = attempt.number
    return escalation.ask(
        state, "question", f"{name} asks", name, question, attempt=number, call=call, before=before
    )


def parked(state: TeamState, fact: f.QuestionParked, now: float) -> Events:
    _, attempt = speaker(state, fact)
    if fact.escalation not in attempt.questions:
        raise NotFound(f"attempt {fact.attempt} of {fact.task} did not ask {fact.escalation!r}")
    record = state.escalations[fact.escalation]
    if record.state != "open" or record.parked:
        return []
    return [e.QuestionParked(fact.task, fact.attempt, fact.escalation)]


def feedback_given(state: TeamState, fact: f.FeedbackGiven, now: float) -> Events:
    task, attempt = heard(state, fact)
    if attempt.feedback == fact.feedback:
        return []
    reported = e.FeedbackReported(fact.task, fact.attempt, fact.feedback)
    question = difficulty(fact.feedback)
    if question is None or not state.reacts:
        return [reported]
    return [reported, *raise_question(state, task, attempt, question)]


def difficulty(feedback: object) -> Question | None:
    """What a reported difficulty asks of a person."""
    if not isinstance(feedback, DifficultyFeedback) or feedback.requested_action not in FOR_A_PERSON:
        return None
    lines = [feedback.issue, *(f"Tried: {attempt}" for attempt in feedback.attempts)]
    if feedback.suggestion:
        lines.append(f"Suggested: {feedback.suggestion}")
    return Question("\n".join(lines))


def wait(state: TeamState, task: Task, attempt: Attempt, last: Question | None = None) -> Events:
    """What makes the task of an attempt that has ended wait for its answers; nothing if none is to come.

    `last` is what it asked with its end.
    """
    if not attempt.questions and attempt.feedback is None and last is None:
        return []
    unanswered = [record.question for record in _open(state, attempt) if record.question]
    # At the higher level of autonomy, a difficulty was asked about when it was reported.
    late = None if state.reacts else difficulty(attempt.feedback)
    new = [question for question in (late, last) if question is not None]
    if not unanswered and not new:
        return []
    first = [*unanswered, *new][0]
    raised = [
        event
        for before, question in enumerate(new)
        for event in raise_question(state, task, attempt, question, before=before)
    ]
    return [e.TaskBlocked(task.spec.id, "QUESTION", first.text), *raised]


def _open(state: TeamState, attempt: Attempt) -> list[Escalation]:
    return [r for r in (state.escalations[name] for name in attempt.questions) if r.state == "open"]


def answered_too_late(state: TeamState, attempt: Attempt) -> bool:
    """The answer came after the agent was told to end its turn: it does not know it."""
    return any(state.escalations[name].parked for name in attempt.questions)
