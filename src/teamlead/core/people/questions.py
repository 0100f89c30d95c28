"""What an agent asks while it works.

It goes on meanwhile. If it ends before the answer is there, its task waits for it. If it was told to end its
turn (the question is parked), it is resumed with the answer: once, whichever of the two comes first.
"""

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking import escalation, routing
from teamlead.core.asking.difficulties import Difficulty, difficulty
from teamlead.core.model import Concern, Question
from teamlead.core.reports import DifficultyFeedback, Result
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.talk import heard, speaker
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]


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
    asker = Concern(task.spec.id, attempt.number)
    return escalation.ask(state, "question", f"{asker.task} asks", question, asker, call=call, before=before)


def parked(state: TeamState, fact: f.QuestionParked, now: float) -> Events:
    _, attempt = speaker(state, fact)
    if fact.escalation not in attempt.questions:
        raise NotFound(f"attempt {fact.attempt} of {fact.task} did not ask {fact.escalation!r}")
    record = state.escalations[fact.escalation]
    if record.state != "open" or record.parked or not record.call:
        # Only who asks with a call waits for the answer.
        return []
    return [e.QuestionParked(fact.task, fact.attempt, fact.escalation)]


def feedback_given(state: TeamState, fact: f.FeedbackGiven, now: float) -> Events:
    task, attempt = heard(state, fact)
    if attempt.feedback == fact.feedback:
        return []
    reported = e.FeedbackReported(fact.task, fact.attempt, fact.feedback)
    found = difficulty(task, attempt, fact.feedback)
    if found is None or not state.reacts or _being_asked(state, task, found):
        return [reported]
    return [reported, *routing.refer(state, found.matter, found.targets)]


def _being_asked(state: TeamState, task: Task, found: Difficulty) -> bool:
    """The very same was reported before, and somebody is at it."""
    name = task.spec.id
    unsettled = routing.unsettled(state, task)
    return any(record.question_of(name) == found.matter.question for record in unsettled)


def wait(
    state: TeamState,
    task: Task,
    attempt: Attempt,
    *,
    last: Question | None = None,
    feedback: object = None,
    result: Result | None = None,
) -> Events:
    """What makes the task of an attempt that has ended wait for its answers; nothing if none is to come.

    `last` is what it asked with its end, `feedback` what its last words report, `result` what they hand in.
    """
    result = result or attempt.result
    impossible = result.impossible if result else None
    if not attempt.questions and not any((attempt.feedback, last, feedback, impossible)):
        return []
    # At the higher level of autonomy, a difficulty was acted on when it was reported.
    late = None if state.reacts else attempt.feedback
    new = [found for given in (late, feedback) if (found := difficulty(task, attempt, given)) is not None]
    if not any(found.matter.kind == "impossible" for found in new):
        new += _given_up(state, task, attempt, impossible)
    if last is not None:
        asker = Concern(task.spec.id, attempt.number)
        asks = routing.Matter("question", f"{asker.task} asks", last.text, last, asker)
        new.append(Difficulty(asks, ("user",)))
    unanswered = routing.unsettled(state, task)
    raised: Events = []
    for matter, targets in _unequal(new):
        before = sum(isinstance(event, e.EscalationRaised) for event in raised)
        raised += routing.refer(state, matter, targets, before=before)
    waits = [routing.waits_for(record.kind, record.target) for record in unanswered]
    waits += [routing.waits_for(matter.kind, routing.choose(state, targets)) for matter, targets in new]
    if not waits:
        return []
    texts = [
        *(record.question.text for record in unanswered if record.question),
        *(m.question.text for m, _ in new),
    ]
    return [e.TaskBlocked(task.spec.id, routing.first_of(waits), texts[0]), *raised]


def _given_up(
    state: TeamState, task: Task, attempt: Attempt, impossible: DifficultyFeedback | None
) -> list[Difficulty]:
    """Unless somebody is at it already, since it was reported before."""
    asked = any(record.kind == "impossible" for record in routing.unsettled(state, task))
    found = None if asked else difficulty(task, attempt, impossible)
    return [found] if found else []


def _unequal(found: list[Difficulty]) -> list[Difficulty]:
    """Without what says again what another of them says."""
    keys = [(matter.kind, matter.cause or number) for number, (matter, _) in enumerate(found)]
    return list(dict(zip(reversed(keys), reversed(found), strict=True)).values())[::-1]


def answered_too_late(state: TeamState, attempt: Attempt) -> bool:
    """The answer came after the agent was told to end its turn: it does not know it."""
    return any(state.escalations[name].parked for name in attempt.questions)
