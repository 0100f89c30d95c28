"""The only code that changes a TeamState.

Laws:
- It never fails half-way: an illegal move is refused before anything is touched.
- It asks nothing but the state and the event, so a replay gives the same state as the live run.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from teamlead.core import events as e
from teamlead.core.effects import ApplyWork, StopAgent
from teamlead.core.indexes import (
    add_task,
    advance,
    clear_due,
    decided,
    hand_on_waits,
    link,
    make_due,
    phase_effect,
    queue,
    release,
    set_attempt,
    set_task,
)
from teamlead.core.state import Approval, Attempt, CheckRecord, Escalation, PhaseEntry, Task, TeamState
from teamlead.core.transitions import SATISFYING, SETTLED, check_move


def evolve(state: TeamState, event: e.AnyEvent, at: float) -> None:
    _HANDLERS[type(event)](state, event, at)
    state.seq += 1
    state.updated_at = at


def _session_opened(state: TeamState, event: e.SessionOpened, at: float) -> None:
    spec = event.spec
    state.spec = spec
    state.questions_allowed = spec.limits.questions
    state.free_slots = list(range(spec.limits.jobs))
    state.phases.append(PhaseEntry("IDLE", at, "session opened"))
    for task in spec.plan.tasks:
        add_task(state, task, at)
    for task in spec.plan.tasks:
        link(state, state.tasks[task.id], [state.tasks[d] for d in task.depends_on])


def _phase_changed(state: TeamState, event: e.PhaseChanged, at: float) -> None:
    check_move("session phase", state.phase, event.phase)
    state.phase = event.phase
    state.phases.append(PhaseEntry(event.phase, at, event.reason))
    if event.phase == "CANCELLED":
        for task in state.tasks.values():
            if task.live is None and task.state not in SETTLED:
                set_task(state, task, "CANCELLED", at)
                task.blocked = None
                queue(state, task)
    if state.final:
        for name in state.copies:
            release(state, state.tasks[name])


def _leader_started(state: TeamState, event: e.LeaderStarted, at: float) -> None:
    state.leader = event.holder
    state.draining = False
    state.stopped_because = ""


def _leader_stopping(state: TeamState, event: e.LeaderStopping, at: float) -> None:
    state.draining = True


def _leader_stopped(state: TeamState, event: e.LeaderStopped, at: float) -> None:
    state.leader = ""
    state.draining = False
    state.stopped_because = event.reason


def _task_added(state: TeamState, event: e.TaskAdded, at: float) -> None:
    task = add_task(state, event.spec, at)
    link(state, task, [state.tasks[d] for d in event.spec.depends_on])


def _task_replaced(state: TeamState, event: e.TaskReplaced, at: float) -> None:
    task = state.tasks[event.task]
    heirs = [state.tasks[name] for name in event.by_tasks]
    set_task(state, task, "REPLACED_BY_REPLAN", at)
    decided(task, "replan")
    task.blocked = None
    task.detail = event.reason
    for dependent in task.dependents:
        place = dependent.depends_on.index(task)
        known = {d.spec.id for d in dependent.depends_on}
        new = [heir for heir in heirs if heir.spec.id not in known]
        dependent.depends_on[place : place + 1] = new
        dependent.unmet += sum(heir.state not in SATISFYING for heir in new) - 1
        for heir in new:
            heir.dependents.append(dependent)
        queue(state, dependent)
        state.touched[dependent.spec.id] = None
    task.dependents = []
    queue(state, task)
    release(state, task)


def _task_skipped(state: TeamState, event: e.TaskSkipped, at: float) -> None:
    task = state.tasks[event.task]
    check_move("task", task.state, "SKIPPED")
    hand_on_waits(state, task)
    set_task(state, task, "SKIPPED", at)
    decided(task, "skip")
    task.blocked = None
    task.detail = event.reason
    queue(state, task)
    release(state, task)


def _task_blocked(state: TeamState, event: e.TaskBlocked, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "BLOCKED", at)
    decided(task, "escalate")
    task.blocked = event.reason
    task.detail = event.detail
    queue(state, task)


def _task_unblocked(state: TeamState, event: e.TaskUnblocked, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "READY", at)
    task.guidance.append((task.detail, event.guidance))
    task.fresh = task.blocked == "CONFLICT" or any(last.owes_fresh_copy for last in task.attempts[-1:])
    task.blocked = None
    task.detail = ""
    task.failures = task.conflicts = 0
    task.not_before = 0.0
    queue(state, task)


def _task_retried(state: TeamState, event: e.TaskRetried, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "NEEDS_CONTINUATION", at)
    decided(task, "continue")
    task.not_before = event.not_before if event.not_before > at else 0.0
    task.fresh = event.fresh
    queue(state, task)


def _task_done(state: TeamState, event: e.TaskDone, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "DONE", at)
    decided(task, "accept")
    task.made = (event.commit,) if event.commit else task.attempts[-1].bases
    release(state, task)


def _task_reopened(state: TeamState, event: e.TaskReopened, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "READY", at)
    task.made = ()
    task.guidance.append(("it was reopened", event.reason))
    task.fresh = True
    task.failures = task.conflicts = 0
    task.not_before = 0.0
    queue(state, task)


def _attempt_started(state: TeamState, event: e.AttemptStarted, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "RUNNING", at)
    attempt = Attempt(
        number=event.attempt,
        slot=heappop(state.free_slots),
        agent=event.agent,
        bases=event.bases,
        fallback=event.fallback,
        fresh=event.fresh,
        started_at=at,
        phase_since=at,
    )
    task.live = attempt
    task.attempts.append(attempt)
    task.fresh = False
    task.not_before = 0.0
    state.active[event.task] = attempt
    queue(state, task)
    state.copies[event.task] = None
    state.due.pop(f"Release:{event.task}", None)
    effect = phase_effect(state, task, attempt)
    assert effect is not None
    make_due(state, effect)


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
    attempt.agent_seconds += at - attempt.phase_since
    state.usage = state.usage.plus(event.usage)
    if attempt.phase == "working":
        advance(state, task, "collecting", at)


def _work_collected(state: TeamState, event: e.WorkCollected, at: float) -> None:
    task = state.tasks[event.task]
    attempt = task.live
    assert attempt is not None
    # Before the commit is set: the key of what was due for collecting does not depend on it.
    set_attempt(state, task, "checking", at)
    attempt.commit = event.commit
    attempt.files, attempt.added, attempt.deleted = event.files, event.added, event.deleted
    attempt.paths = event.paths
    effect = phase_effect(state, task, attempt)
    if effect is not None:
        make_due(state, effect)


def _check_finished(state: TeamState, event: e.CheckFinished, at: float) -> None:
    task = state.tasks[event.task]
    attempt = task.live
    assert attempt is not None
    clear_due(state, task, attempt)
    attempt.checks.append(CheckRecord(event.command, event.exit_code, event.seconds, event.output, event.log))
    attempt.phase_since = at
    effect = phase_effect(state, task, attempt)
    if effect is not None:
        make_due(state, effect)
    state.touched[event.task] = None


def _work_accepted(state: TeamState, event: e.WorkAccepted, at: float) -> None:
    task = state.tasks[event.task]
    assert task.live is not None
    if task.live.commit and task.spec.merges:
        advance(state, task, "integrating", at)


def _work_integrated(state: TeamState, event: e.WorkIntegrated, at: float) -> None:
    state.integration_tip = event.tip
    state.tasks[event.task].attempts[-1].commit = event.commit


def _attempt_stopping(state: TeamState, event: e.AttemptStopping, at: float) -> None:
    task = state.tasks[event.task]
    worked = at - task.live.phase_since if task.live and task.live.phase == "working" else 0.0
    set_attempt(state, task, "stopping", at).agent_seconds = worked
    make_due(state, StopAgent(event.task, event.attempt, event.reason))


def _attempt_ended(state: TeamState, event: e.AttemptEnded, at: float) -> None:
    task = state.tasks[event.task]
    attempt = set_attempt(state, task, "ended", at)
    attempt.outcome = event.outcome
    attempt.reasons = event.reasons
    attempt.ended_at = at
    heappush(state.free_slots, attempt.slot)
    task.live = None
    del state.active[event.task]
    if event.outcome in {"refused", "failed"}:
        task.failures += 1
    if event.outcome == "conflict":
        task.conflicts += 1
    if state.final and task.state not in SETTLED and event.outcome != "accepted":
        set_task(state, task, "CANCELLED", at)
    queue(state, task)
    if task.state in SETTLED:
        release(state, task)


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


def _escalation_raised(state: TeamState, event: e.EscalationRaised, at: float) -> None:
    record = Escalation(
        id=event.id,
        target=event.target,
        kind=event.kind,
        reason=event.reason,
        task=event.task,
        question=event.question,
        state="held" if event.held else "open",
        raised_at=at,
    )
    state.escalations[event.id] = record
    if event.held:
        state.held[event.id] = record
    else:
        _open(state, record)


def _open(state: TeamState, record: Escalation) -> None:
    state.open[record.id] = record
    state.counted_questions += counts_towards_limit(record.kind)


def counts_towards_limit(kind: e.EscalationKind) -> bool:
    """What an agent asks of its own accord does not use up the user's patience with the lead."""
    return kind in {"failed", "conflict"}


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
    del state.open[event.id]


def _escalation_withdrawn(state: TeamState, event: e.EscalationWithdrawn, at: float) -> None:
    record = state.escalations[event.id]
    check_move("escalation", record.state, "withdrawn")
    record.state = "withdrawn"
    record.resolved_at = at
    record.resolution = event.reason
    state.open.pop(event.id, None)
    state.held.pop(event.id, None)


def _questions_allowed(state: TeamState, event: e.QuestionsAllowed, at: float) -> None:
    state.questions_allowed += event.more


def _approval_requested(state: TeamState, event: e.ApprovalRequested, at: float) -> None:
    state.approval = Approval(event.by, event.squash, event.sign)
    state.approval_refused = ""
    target = state.session.target_branch
    make_due(state, ApplyWork(state.integration_tip, target, event.squash, event.sign))


def _approval_applied(state: TeamState, event: e.ApprovalApplied, at: float) -> None:
    state.due.pop(f"ApplyWork:{state.integration_tip}", None)
    assert state.approval is not None
    state.approval.commit = event.commit
    state.approval.branch = event.branch
    state.approval.before = event.before
    state.approval.undo = event.undo


def _approval_refused(state: TeamState, event: e.ApprovalRefused, at: float) -> None:
    state.due.pop(f"ApplyWork:{state.integration_tip}", None)
    state.approval = None
    state.approval_refused = event.reason


_HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.SessionOpened: _session_opened,
    e.PhaseChanged: _phase_changed,
    e.LeaderStarted: _leader_started,
    e.LeaderStopping: _leader_stopping,
    e.LeaderStopped: _leader_stopped,
    e.TaskAdded: _task_added,
    e.TaskReplaced: _task_replaced,
    e.TaskSkipped: _task_skipped,
    e.TaskBlocked: _task_blocked,
    e.TaskUnblocked: _task_unblocked,
    e.TaskRetried: _task_retried,
    e.TaskDone: _task_done,
    e.TaskReopened: _task_reopened,
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
    e.EscalationRaised: _escalation_raised,
    e.EscalationReleased: _escalation_released,
    e.EscalationResolved: _escalation_resolved,
    e.EscalationWithdrawn: _escalation_withdrawn,
    e.QuestionsAllowed: _questions_allowed,
    e.ApprovalRequested: _approval_requested,
    e.ApprovalApplied: _approval_applied,
    e.ApprovalRefused: _approval_refused,
}
