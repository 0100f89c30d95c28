"""Models that are consulted."""

from collections.abc import Callable
from typing import Any

from teamlead.core import budget
from teamlead.core import events as e
from teamlead.core.answers import Completion, Judgement, Proposal
from teamlead.core.consultation import Consultation, name_of
from teamlead.core.effects import Consult
from teamlead.core.indexes import make_due, set_attempt
from teamlead.core.model import Usage
from teamlead.core.records import NOT_SERVED, Fulfilment
from teamlead.core.staffing import kind_of
from teamlead.core.state import TeamState


def _wanted(state: TeamState, event: e.ConsultationWanted, at: float) -> None:
    name = name_of(event.purpose, event.task)
    number = state.consulted.get(name, 0) + 1
    found = Consultation(
        event.id,
        number,
        event.purpose,
        event.task,
        event.attempt,
        event.escalation,
        event.about,
        event.problem,
        event.tries,
        at,
    )
    staff = state.consultant(found.role)
    found.agent, found.model, found.effort = staff.agent, staff.model, staff.effort
    state.consulted[name] = number
    state.consultations[event.id] = state.wanted[event.id] = found
    task = state.tasks.get(event.task)
    if task is not None:
        if event.purpose == "judge" and task.live is not None and task.live.phase != "judging":
            set_attempt(state, task, "judging", at)
        state.touched[event.task] = None


def _started(state: TeamState, event: e.ConsultationStarted, at: float) -> None:
    found = state.wanted.pop(event.id)
    state.consulting[event.id] = found
    found.agent, found.model, found.effort = event.agent, event.model, event.effort
    found.commit = event.commit
    found.started_at = at
    found.began = state.seq
    make_due(state, Consult(event.id))
    task = state.tasks.get(found.task)
    if task is not None and task.live is not None and found.purpose == "judge":
        task.live.told = len(task.told)
    if found.task:
        state.touched[found.task] = None


def _ended(state: TeamState, event: e.ConsultationEnded, at: float) -> None:
    found = state.consultations[event.id]
    wanted = state.consulting.pop(event.id, None) is not None
    state.due.pop(f"Consult:{event.id}", None)
    found.ended_at = at
    found.status = event.status
    found.answer = event.answer
    found.problem = event.problem or found.problem
    found.usage = event.usage
    found.turns = event.turns
    state.usage = state.usage.plus(event.usage)
    kind = kind_of(found.agent)
    spent = budget.amount(event.usage, at - (found.started_at or at), event.turns)
    served = event.status not in NOT_SERVED or event.usage != Usage()
    found.unpriced = event.usage.cost_usd is None and served
    budget.pay(state.funds_of(found.role), kind, spent, priced=not found.unpriced)
    hold = state.holds.get(kind)
    if hold is not None and event.status == "ok" and found.began > hold.raised:
        del state.holds[kind]
    if found.task:
        state.touched[found.task] = None
    if wanted:
        _heard(state, found)


def _heard(state: TeamState, found: Consultation) -> None:
    if isinstance(found.answer, Completion) and found.purpose == "complete":
        state.fulfilment = Fulfilment(found.commit, found.answer)
    if isinstance(found.answer, Proposal) and found.purpose == "review":
        state.proposed = found.answer
    if isinstance(found.answer, Judgement) and found.purpose == "judge":
        attempt = state.tasks[found.task].live
        if attempt is not None and attempt.number == found.attempt:
            attempt.judgement = found.answer
            attempt.judged_by = found.id


def drop_judge(state: TeamState, task: str) -> None:
    """An attempt that ends is judged no more. What else is asked about its task, its record keeps."""
    for found in [*state.wanted.values(), *state.consulting.values()]:
        if found.task == task and found.purpose == "judge":
            drop(state, found)


def drop(state: TeamState, found: Consultation) -> None:
    state.wanted.pop(found.id, None)
    state.consulting.pop(found.id, None)
    state.due.pop(f"Consult:{found.id}", None)


def _completion_accepted(state: TeamState, event: e.CompletionAccepted, at: float) -> None:
    known = state.fulfilment
    answer = known.answer if known is not None and known.tip == event.tip else None
    state.fulfilment = Fulfilment(event.tip, answer, event.by)


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.ConsultationWanted: _wanted,
    e.ConsultationStarted: _started,
    e.ConsultationEnded: _ended,
    e.CompletionAccepted: _completion_accepted,
}
