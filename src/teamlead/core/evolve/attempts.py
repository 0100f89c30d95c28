"""What becomes of attempts, and of the copies they work in."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core.answers import Judgement
from teamlead.core.causes import ENVIRONMENT, check_on_hold
from teamlead.core.effects import StopAgent
from teamlead.core.evidence.bisection import Merge
from teamlead.core.evolve import leaving
from teamlead.core.evolve.radar import forget
from teamlead.core.evolve.runs import drop_judge, over
from teamlead.core.model import Usage
from teamlead.core.runs import Run, run_id
from teamlead.core.state import budget
from teamlead.core.state.indexes import (
    advance,
    clear_due,
    make_due,
    pursue,
    queue,
    release,
    set_attempt,
    set_task,
    take_feedback,
    take_result,
)
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED
from teamlead.core.work.checking import cannot_run


def _attempt_started(state: TeamState, event: e.AttemptStarted, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "RUNNING", at)
    budget.reserve(task.funds, task.spec.id, task.lane.kind, state.seats)
    run = Run(
        id=run_id(event.task, event.attempt),
        number=event.attempt,
        purpose="work",
        role=task.spec.role,
        task=event.task,
        attempt=event.attempt,
        agent=event.agent,
        model=event.model,
        effort=event.effort,
        wanted_at=at,
        began=state.seq,
    )
    state.runs[run.id] = state.seated[run.id] = run
    attempt = Attempt(
        number=event.attempt,
        # All numbers below that of copies in use are taken, or free again.
        slot=heappop(state.free_slots) if state.free_slots else len(state.active),
        run=run,
        bases=event.bases,
        fallback=event.fallback,
        fresh=event.fresh,
        started_at=at,
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
    if task.spec.plans:
        _borrow(state, task, attempt, at)
        return
    state.copies[event.task] = None
    state.due.pop(f"Release:{event.task}", None)
    pursue(state, task, attempt)


def _borrow(state: TeamState, task: Task, attempt: Attempt, at: float) -> None:
    """It has no copy of its own to wait for: whoever runs it lends it one."""
    attempt.base = attempt.run.commit = attempt.bases[0]
    attempt.run.started_at = at
    advance(state, task, "working", at)


def _copy_prepared(state: TeamState, event: e.CopyPrepared, at: float) -> None:
    task = state.tasks[event.task]
    attempt = advance(state, task, "working", at)
    attempt.base = event.base
    attempt.run.started_at = at
    state.troubles.pop(ENVIRONMENT, None)
    _keep(state, task, event.kept)


def _work_collected(state: TeamState, event: e.WorkCollected, at: float) -> None:
    task = state.tasks[event.task]
    attempt = set_attempt(state, task, "checking", at)
    attempt.work = event.work
    if event.result is not None:
        take_result(attempt, event.result)
    if event.feedback is not None:
        take_feedback(attempt, event.feedback)
    pursue(state, task, attempt)


def _check_finished(state: TeamState, event: e.CheckFinished, at: float) -> None:
    task = state.tasks[event.task]
    attempt = task.live
    assert attempt is not None
    clear_due(state, attempt)
    attempt.checks.append(event.result)
    if not cannot_run(event.result):
        state.troubles.pop(check_on_hold(event.result.command), None)
    if event.result.unseen:
        state.blind_checks[event.result.command] = event.result.unseen
    attempt.phase_since = at
    pursue(state, task, attempt)
    state.touched[event.task] = None


def _proving_began(state: TeamState, event: e.ProvingBegan, at: float) -> None:
    task = state.tasks[event.task]
    attempt = task.live
    assert attempt is not None
    attempt.trying = event.examples
    if event.examples and state.runs[event.examples].purpose == "tests":
        attempt.tests = event.examples
    elif event.examples:
        attempt.examples = event.examples
    if event.examples and attempt.phase == "trying":
        # Tests of somebody else were run, and inputs that its judge gave before come next.
        pursue(state, task, attempt)
    else:
        advance(state, task, "trying" if event.examples else "proving", at)


def _proving_ended(state: TeamState, event: e.ProvingEnded, at: float) -> None:
    attempt = state.tasks[event.task].live
    assert attempt is not None
    clear_due(state, attempt)
    attempt.proofs = attempt.proofs.beside(event.proofs) if attempt.proofs else event.proofs
    state.touched[event.task] = None


def _work_accepted(state: TeamState, event: e.WorkAccepted, at: float) -> None:
    task = state.tasks[event.task]
    assert task.live is not None
    drop_judge(state, task)
    _judged(state, task.live, event.judged)
    if task.live.work.commit and task.spec.merges:
        advance(state, task, "integrating", at)


def _work_integrated(state: TeamState, event: e.WorkIntegrated, at: float) -> None:
    if event.tip != state.integration_tip:
        state.merges.append(Merge(event.task, event.tip))
    state.integration_tip = event.tip
    attempt = state.tasks[event.task].attempts[-1]
    attempt.work = replace(attempt.work, commit=event.commit)


def _attempt_stopping(state: TeamState, event: e.AttemptStopping, at: float) -> None:
    task = state.tasks[event.task]
    at_work = task.live is not None and task.live.phase == "working"
    worked = at - task.live.phase_since if task.live and at_work else 0.0
    attempt = set_attempt(state, task, "stopping", at)
    attempt.run.seconds += worked
    if at_work:
        leaving.stopped(state, task.member, attempt)
    drop_judge(state, task)
    attempt.due = make_due(state, StopAgent(attempt.run.id, event.reason))


def _attempt_ended(state: TeamState, event: e.AttemptEnded, at: float) -> None:
    task = state.tasks[event.task]
    attempt = set_attempt(state, task, "ended", at)
    drop_judge(state, task)
    _judged(state, attempt, event.judged)
    attempt.outcome = event.outcome
    attempt.reasons = event.reasons
    attempt.unjudged = event.unjudged
    attempt.ended_at = at
    heappush(state.free_slots, attempt.slot)
    task.live = None
    forget(state, event.task)
    leaving.attempt_over(state, task.member, attempt)
    state.rounds += 1
    run = attempt.run
    if run.ended_at is None:
        over(state, run, at)
        budget.release(task.funds, task.spec.id)
        if run.seconds:
            seconds = budget.amount(Usage(), run.seconds, 0)
            budget.pay(task.funds, kind_of(run.agent), seconds, priced=False)
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


def _judged(state: TeamState, attempt: Attempt, by: str) -> None:
    """By a verdict on the same work, given earlier."""
    run = state.runs.get(by)
    if run is not None and isinstance(run.answer, Judgement):
        attempt.judgement = run.answer
        attempt.judged_by = by


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
    e.WorkCollected: _work_collected,
    e.CheckFinished: _check_finished,
    e.ProvingBegan: _proving_began,
    e.ProvingEnded: _proving_ended,
    e.WorkAccepted: _work_accepted,
    e.WorkIntegrated: _work_integrated,
    e.AttemptStopping: _attempt_stopping,
    e.AttemptEnded: _attempt_ended,
    e.CopyRemoved: _copy_removed,
}
