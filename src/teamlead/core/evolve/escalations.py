"""What is asked: of a person, or of a model."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.evolve.runs import advisers, drop
from teamlead.core.model import Concern
from teamlead.core.people import notices
from teamlead.core.state.records import Escalation, Fulfilment, counts_towards_limit
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import check_move

HALTING = frozenset({"plan", "rounds"})
"""Kinds that have to be decided before anything new starts."""


def _escalation_raised(state: TeamState, event: e.EscalationRaised, at: float) -> None:
    record = Escalation(
        id=event.id,
        target=event.target,
        kind=event.kind,
        cause=event.cause,
        reason=event.reason,
        tasks={},
        question=event.question,
        state="held" if event.held else "open",
        raised_at=at,
        call=event.call,
    )
    state.escalations[event.id] = record
    if event.call:
        state.calls[event.call] = event.id
    if event.cause and event.target == "user":
        state.asked[event.kind, event.cause] = event.id
    if event.kind == "permission":
        state.permissions[event.id] = record
    for concern in event.tasks:
        _concern(state, record, concern)
        state.undecided.pop(concern.task, None)
    if event.held:
        state.held[event.id] = record
    else:
        _open(state, record)
    if event.kind == "completion" and event.target == "user":
        _note_completion(state)


def _concern(state: TeamState, record: Escalation, concern: Concern) -> None:
    record.tasks[concern.task] = concern
    if concern.attempt and record.kind != "permission":
        asker = state.tasks[concern.task].attempts[concern.attempt - 1]
        asker.questions = (*asker.questions, record.id)
        asker.said += 1
    state.touched[concern.task] = None


def _escalation_joined(state: TeamState, event: e.EscalationJoined, at: float) -> None:
    _concern(state, state.escalations[event.id], event.task)


def _escalation_left(state: TeamState, event: e.EscalationLeft, at: float) -> None:
    record = state.escalations[event.id]
    if len(record.tasks) > 1:
        _let_go(state, record, event.task)
    else:
        _withdraw(state, record, event.reason, at)


def _escalation_answered(state: TeamState, event: e.EscalationAnswered, at: float) -> None:
    record = state.escalations[event.id]
    record.parts.append((at, event))
    for task in event.tasks:
        _let_go(state, record, task)


def _let_go(state: TeamState, record: Escalation, task: str) -> None:
    """The question is as it would have been without this task."""
    del record.tasks[task]
    record.reason = record.asker.reason or record.reason
    record.question = record.asker.question or record.question
    state.touched[task] = None


def _open(state: TeamState, record: Escalation) -> None:
    if record.target == "user":
        state.open[record.id] = record
        state.counted_questions += counts_towards_limit(record.kind)
        notices.need(state, record.id)
    else:
        state.referred[record.id] = record
        state.referrals[record.target] = state.referrals.get(record.target, 0) + 1
        if record.kind == "plan":
            state.reviewed = tuple(state.failing)
    if record.kind in HALTING:
        state.halts[record.id] = record


def _note_completion(state: TeamState) -> None:
    """A person is asked about this work: the planner could not tell, or did not like it."""
    if state.fulfilment is None or state.fulfilment.tip != state.integration_tip:
        state.fulfilment = Fulfilment(state.integration_tip, None)


def _close(state: TeamState, record: Escalation) -> None:
    state.open.pop(record.id, None)
    state.held.pop(record.id, None)
    notices.settle(state, record.id)
    state.halts.pop(record.id, None)
    if record.cause and record.target == "user":
        del state.asked[record.kind, record.cause]
    state.permissions.pop(record.id, None)
    if state.referred.pop(record.id, None) is not None:
        for run in advisers(state):
            if run.escalation == record.id:
                drop(state, run)
    if record.kind == "rounds":
        state.rounds = 0
    if record.kind == "plan" and record.target == "user":
        state.failing.clear()
        state.reviewed = ()
        state.proposed = None
    state.touched.update(dict.fromkeys(record.tasks))


def _escalation_released(state: TeamState, event: e.EscalationReleased, at: float) -> None:
    record = state.escalations[event.id]
    check_move("escalation", record.state, "open")
    del state.held[event.id]
    record.state = "open"
    _open(state, record)


def _escalation_resolved(state: TeamState, event: e.EscalationResolved, at: float) -> None:
    record = state.escalations[event.id]
    check_move("escalation", record.state, "resolved")
    record.state = "resolved"
    record.resolved_at = at
    record.resolution = event.resolution
    record.by = event.by
    record.who = event.who
    _close(state, record)


def _escalation_withdrawn(state: TeamState, event: e.EscalationWithdrawn, at: float) -> None:
    _withdraw(state, state.escalations[event.id], event.reason, at)


def _withdraw(state: TeamState, record: Escalation, reason: str, at: float) -> None:
    check_move("escalation", record.state, "withdrawn")
    record.state = "withdrawn"
    record.resolved_at = at
    record.resolution = reason
    _close(state, record)


def _question_parked(state: TeamState, event: e.QuestionParked, at: float) -> None:
    state.escalations[event.escalation].parked = True


def _questions_allowed(state: TeamState, event: e.QuestionsAllowed, at: float) -> None:
    state.questions_allowed += event.more


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.EscalationRaised: _escalation_raised,
    e.EscalationJoined: _escalation_joined,
    e.EscalationLeft: _escalation_left,
    e.EscalationAnswered: _escalation_answered,
    e.EscalationReleased: _escalation_released,
    e.EscalationResolved: _escalation_resolved,
    e.EscalationWithdrawn: _escalation_withdrawn,
    e.QuestionParked: _question_parked,
    e.QuestionsAllowed: _questions_allowed,
}
