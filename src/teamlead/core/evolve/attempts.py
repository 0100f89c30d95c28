"""What becomes of attempts, and of the copies they work in."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from teamlead.core import budget
from teamlead.core import events as e
from teamlead.core.answers import Judgement
from teamlead.core.effects import StopAgent
from teamlead.core.evolve.consulting import drop_judge
from teamlead.core.evolve.radar import forget
from teamlead.core.indexes import (
    advance,
    clear_due,
    make_due,
    pursue,
    queue,
    release,
    set_attempt,
    set_task,
    take_feedback,
)
from teamlead.core.inquiry import Merge
from teamlead.core.model import Usage
from teamlead.core.records import Attempt, Task, check_record
from teamlead.core.staffing import kind_of
from teamlead.core.state import TeamState
from teamlead.core.transitions import SETTLED

WORKED = frozenset({"ok", "budget"})
"""How a run ends whose agent was at its service all along."""


def _attempt_started(state: TeamState, event: e.AttemptStarted, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "RUNNING", at)
    budget.reserve(state, task)
    attempt = Attempt(
        number=event.attempt,
        slot=heappop(state.free_slots),
        agent=event.agent,
        bases=event.bases,
        fallback=event.fallback,
        fresh=event.fresh,
        started_at=at,
        began=state.seq,
        model=event.model,
        effort=event.effort,
        guided=len(task.guidance),
        told=len(task.told),
        phase_since=at,
        waived=task.waived,
    )
    task.live = attempt
    task.attempts.append(attempt)
    task.fresh = False
    task.not_before = 0.0
    state.active[event.task] = attempt
    state.begun[event.task] = None
    queue(state, task)
    state.copies[event.task] = None
    state.due.pop(f"Release:{event.task}", None)
    pursue(state, task, attempt)


def _copy_prepared(state: TeamState, event: e.CopyPrepared, at: float) -> None:
    task = state.tasks[event.task]
    advance(state, task, "working", at).base = event.base
    _keep(state, task, event.kept)


def _agent_finished(state: TeamState, event: e.AgentFinished, at: float) -> None:
    task = state.tasks[event.task]
    attempt = task.live
    assert attempt is not None
    attempt.status = event.status
    attempt.summary = event.summary
    attempt.usage = event.usage
    attempt.tool_calls = event.tool_calls
    attempt.turns = event.turns
    attempt.conversation = event.conversation
    attempt.denials = event.denials
    attempt.agent_seconds += at - attempt.phase_since
    state.usage = state.usage.plus(event.usage)
    spent = budget.amount(event.usage, attempt.agent_seconds, event.turns)
    kind = kind_of(attempt.agent)
    budget.spend(task, kind, spent, priced=not attempt.unpriced)
    hold = state.holds.get(kind)
    if hold is not None and event.status in WORKED and attempt.began > hold.raised:
        del state.holds[kind]
    if attempt.phase == "working":
        advance(state, task, "collecting", at)


def _work_collected(state: TeamState, event: e.WorkCollected, at: float) -> None:
    task = state.tasks[event.task]
    attempt = set_attempt(state, task, "checking", at)
    attempt.commit = event.commit
    attempt.files, attempt.added, attempt.deleted = event.files, event.added, event.deleted
    attempt.paths = event.paths
    attempt.trespasses = event.trespasses
    attempt.remarks = event.remarks
    attempt.result = event.result or attempt.result
    if event.feedback is not None:
        take_feedback(attempt, event.feedback)
    attempt.evidence = event.evidence
    attempt.tree = event.tree
    pursue(state, task, attempt)


def _check_finished(state: TeamState, event: e.CheckFinished, at: float) -> None:
    task = state.tasks[event.task]
    attempt = task.live
    assert attempt is not None
    clear_due(state, attempt)
    attempt.checks.append(check_record(event))
    if event.unseen:
        state.blind_checks[event.command] = event.unseen
    attempt.phase_since = at
    pursue(state, task, attempt)
    state.touched[event.task] = None


def _work_accepted(state: TeamState, event: e.WorkAccepted, at: float) -> None:
    task = state.tasks[event.task]
    assert task.live is not None
    _judged(state, task.live, event.judged)
    if task.live.commit and task.spec.merges:
        advance(state, task, "integrating", at)


def _work_integrated(state: TeamState, event: e.WorkIntegrated, at: float) -> None:
    if event.tip != state.integration_tip:
        state.merges.append(Merge(event.task, event.tip))
    state.integration_tip = event.tip
    state.tasks[event.task].attempts[-1].commit = event.commit


def _attempt_stopping(state: TeamState, event: e.AttemptStopping, at: float) -> None:
    task = state.tasks[event.task]
    worked = at - task.live.phase_since if task.live and task.live.phase == "working" else 0.0
    attempt = set_attempt(state, task, "stopping", at)
    attempt.agent_seconds += worked
    drop_judge(state, event.task)
    attempt.due = make_due(state, StopAgent(event.task, event.attempt, event.reason))


def _attempt_ended(state: TeamState, event: e.AttemptEnded, at: float) -> None:
    task = state.tasks[event.task]
    attempt = set_attempt(state, task, "ended", at)
    drop_judge(state, event.task)
    _judged(state, attempt, event.judged)
    attempt.outcome = event.outcome
    attempt.reasons = event.reasons
    attempt.unjudged = event.unjudged
    attempt.ended_at = at
    heappush(state.free_slots, attempt.slot)
    task.live = None
    forget(state, event.task)
    state.rounds += 1
    if attempt.status is None and attempt.agent_seconds:
        seconds = budget.amount(Usage(), attempt.agent_seconds, 0)
        budget.spend(task, kind_of(attempt.agent), seconds, priced=False)
    else:
        budget.release(task)
    del state.active[event.task]
    if event.outcome in {"refused", "failed"}:
        task.failures += 1
    if event.outcome == "conflict":
        task.conflicts += 1
    if event.outcome == "returned":
        task.returned = True
    if state.final and task.state not in SETTLED and event.outcome != "accepted":
        set_task(state, task, "CANCELLED", at)
        task.blocked = None
    queue(state, task)
    if task.state in SETTLED:
        release(state, task)


def _judged(state: TeamState, attempt: Attempt, consultation: str) -> None:
    """By a verdict on the same work, given earlier."""
    found = state.consultations.get(consultation)
    if found is not None and isinstance(found.answer, Judgement):
        attempt.judgement = found.answer
        attempt.judged_by = consultation


def _copy_removed(state: TeamState, event: e.CopyRemoved, at: float) -> None:
    state.due.pop(f"Release:{event.task}", None)
    task = state.tasks[event.task]
    # A task that was reopened meanwhile has started on a new copy.
    if task.live is None:
        state.copies.pop(event.task, None)
    if state.kept.pop(event.stayed, None):
        task.kept = "" if task.kept == event.stayed else task.kept
        state.touched[event.task] = None
    _keep(state, task, event.kept)


def _keep(state: TeamState, task: Task, place: str) -> None:
    """What was kept earlier stays kept, whatever becomes of a later copy."""
    if place and task.kept != place:
        task.kept = place
        state.kept[place] = task.spec.id
        state.touched[task.spec.id] = None


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.AttemptStarted: _attempt_started,
    e.CopyPrepared: _copy_prepared,
    e.AgentFinished: _agent_finished,
    e.WorkCollected: _work_collected,
    e.CheckFinished: _check_finished,
    e.WorkAccepted: _work_accepted,
    e.WorkIntegrated: _work_integrated,
    e.AttemptStopping: _attempt_stopping,
    e.AttemptEnded: _attempt_ended,
    e.CopyRemoved: _copy_removed,
}
