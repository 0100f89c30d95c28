"""What becomes of tasks."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core.causes import Cause
from teamlead.core.state.indexes import (
    add_task,
    decided,
    hand_on_waits,
    link,
    queue,
    queue_anew,
    release,
    set_task,
)
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SATISFYING, SETTLED, check_move
from teamlead.core.work.second_look import SPECIALIST, wanted

FAILURES = frozenset({"refused", "failed"})
"""How attempts end that count against their task."""
FOLLOWS = "{tasks}, on which this task was built, is done again"
CONFIRM = (
    "Your copy holds what it is now, and your own earlier work. Look whether your work still holds: change "
    "what does not, and if all of it holds, change nothing and say so."
)
OF_THE_LEAD = frozenset({"lead", "judge"})
"""Who leaves tasks out, and is no person."""
ANEW = frozenset({"FAILED", "DECISION"})
"""What is answered there is about other work than what was accepted before."""
GIVEN_UP = frozenset({"FAILED", "PLANNER"})


def _task_added(state: TeamState, event: e.TaskAdded, at: float) -> None:
    task = add_task(state, event.spec, at)
    task.planned = event.planned
    if event.spec.role == SPECIALIST:
        for name in event.spec.depends_on:
            state.second_looks.pop(name, None)
    link(state, task, [state.tasks[d] for d in event.spec.depends_on])
    for name in event.before:
        link(state, state.tasks[name], [task])
        state.touched[name] = None


def _task_replaced(state: TeamState, event: e.TaskReplaced, at: float) -> None:
    task = state.tasks[event.task]
    heirs = [state.tasks[name] for name in event.by_tasks]
    set_task(state, task, "REPLACED_BY_REPLAN", at)
    decided(task, "replan", event.reason)
    task.blocked = None
    task.detail = event.reason
    task.replaced_by = event.by_tasks
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
    for heir in heirs:
        heir.guidance += task.advice
        heir.advice += task.advice
        heir.told += task.told
    queue(state, task)
    release(state, task)


def _task_skipped(state: TeamState, event: e.TaskSkipped, at: float) -> None:
    task = state.tasks[event.task]
    check_move("task", task.state, "SKIPPED")
    hand_on_waits(state, task)
    set_task(state, task, "SKIPPED", at)
    _forget_trouble(state, task)
    decided(task, "skip", event.reason)
    task.made = (task.commit,) if task.commit else ()
    task.blocked = None
    task.detail = event.reason
    task.skipped_by_person = event.by not in OF_THE_LEAD
    queue(state, task)
    release(state, task)


def _failed_for_good(state: TeamState, task: Task) -> None:
    if task.spec.id not in state.failing and not task.attempts[-1].unjudged:
        state.failing.append(task.spec.id)


def _why_again(task: Task) -> str:
    return next((reason for last in task.attempts[-1:] for reason in last.reasons), "")


def _accepted_because(task: Task) -> str:
    last = task.attempts[-1]
    if last.waived:
        return "a person accepts it"
    return last.judgement.reason if last.judgement else "all that was checked holds"


def _scope_enlarged(state: TeamState, event: e.ScopeEnlarged, at: float) -> None:
    task = state.tasks[event.task]
    scope = tuple(dict.fromkeys((*task.spec.scope, *event.paths)))
    task.spec = replace(task.spec, scope=scope)
    state.touched[event.task] = None


def _meet(state: TeamState, task: Task, cause: Cause) -> bool:
    """Whether it is the only one: what several tasks meet says nothing about the plan."""
    if not cause.thing:
        return True
    _forget_trouble(state, task)
    task.cause = cause
    met = state.troubles.setdefault(cause.thing, {}).setdefault(cause.name, {})
    met[task.spec.id] = None
    return len(met) == 1


def _forget_trouble(state: TeamState, task: Task) -> None:
    """Somebody has decided how it goes on: what it met is not held against anything any more."""
    if task.cause is not None:
        state.troubles.get(task.cause.thing, {}).get(task.cause.name, {}).pop(task.spec.id, None)
        task.cause = None


def _task_blocked(state: TeamState, event: e.TaskBlocked, at: float) -> None:
    task = state.tasks[event.task]
    began = task.state != "BLOCKED"
    if began:
        set_task(state, task, "BLOCKED", at)
    alone = event.cause is None or _meet(state, task, event.cause)
    failed = bool(task.attempts) and task.attempts[-1].outcome in FAILURES
    if began and alone and failed and event.reason in GIVEN_UP:
        _failed_for_good(state, task)
    # One that is blocked already waits for somebody else from now on.
    state.touched[event.task] = None
    decided(task, "replan" if event.reason == "PLANNER" else "escalate", event.detail)
    task.blocked = event.reason
    task.detail = event.detail
    if event.reason == "DECISION":
        state.undecided[event.task] = None
    queue(state, task)


def _task_unblocked(state: TeamState, event: e.TaskUnblocked, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "READY", at)
    _forget_trouble(state, task)
    if task.blocked in {"FAILED", "CONFLICT", "PLANNER"} or event.guidance:
        task.guidance.append((task.detail, event.guidance))
    if event.guidance and not event.waived:
        task.advice.append(task.guidance[-1])
    if event.waived and task.attempts:
        work = task.attempts[-1].work
        task.approved = work.tree if work.commit else ""
    task.waived = event.waived or (task.waived and task.blocked not in ANEW)
    if task.blocked not in {"BUDGET", "CHECK"}:
        task.failures = task.conflicts = 0
        task.fresh = task.blocked == "CONFLICT" or any(last.owes_fresh_copy for last in task.attempts[-1:])
    task.blocked = None
    task.detail = ""
    task.not_before = 0.0
    queue(state, task)


def _guide(task: Task, question: str, answer: str, *, own: bool) -> None:
    task.guidance.append((question, answer))
    if own:
        task.advice.append((question, answer))


def _task_paused(state: TeamState, event: e.TaskPaused, at: float) -> None:
    task = state.tasks[event.task]
    task.paused = event.by
    task.since = at
    state.paused[event.task] = None
    queue(state, task)
    state.touched[event.task] = None


def _task_resumed(state: TeamState, event: e.TaskResumed, at: float) -> None:
    task = state.tasks[event.task]
    task.paused = ""
    state.paused.pop(event.task, None)
    task.failures = task.conflicts = 0
    task.not_before = 0.0
    if event.advice:
        _guide(task, "It is to be tried again.", event.advice, own=True)
    queue_anew(state, task, task.spec)


def _task_reassigned(state: TeamState, event: e.TaskReassigned, at: float) -> None:
    task = state.tasks[event.task]
    # Its arguments were meant for the program of the other agent.
    queue_anew(state, task, replace(task.spec, agent=event.agent, model=event.model, arguments=()))


def _task_advised(state: TeamState, event: e.TaskAdvised, at: float) -> None:
    _guide(state.tasks[event.task], event.question, event.answer, own=event.own)
    state.touched[event.task] = None


def _task_retried(state: TeamState, event: e.TaskRetried, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "NEEDS_CONTINUATION", at)
    decided(task, "continue", _why_again(task))
    task.not_before = event.not_before if event.not_before > at else 0.0
    task.fresh = event.fresh
    if event.fresh and task.spec.approved_by_user:
        task.waived = False
    queue(state, task)


def _gap_noted(state: TeamState, event: e.GapNoted, at: float) -> None:
    task = state.tasks[event.task]
    task.gap = event.step
    state.warnings.append(event.warning)
    if event.step != "use-partial":
        _failed_for_good(state, task)
    state.touched[event.task] = None


def _warning_noted(state: TeamState, event: e.WarningNoted, at: float) -> None:
    state.warnings.append(event.warning)


def _exemption_used(state: TeamState, event: e.ExemptionUsed, at: float) -> None:
    attempt = state.tasks[event.task].live
    if attempt is not None and attempt.number == event.attempt:
        attempt.lent = event.excerpts
    state.touched[event.task] = None


def _task_done(state: TeamState, event: e.TaskDone, at: float) -> None:
    task = state.tasks[event.task]
    set_task(state, task, "DONE", at)
    decided(task, "accept", _accepted_because(task))
    if not state.halts:
        state.failing.clear()
    last = task.attempts[event.attempt - 1]
    if task.accepted is None or last.work.commit or not (task.confirms and task.spec.merges):
        task.accepted = last
    task.confirms = False
    task.blocked = None
    task.detail = f"was done before: {event.before}" if event.before else ""
    task.made = (event.commit,) if event.commit else last.bases
    if wanted(task):
        state.second_looks[event.task] = None
    release(state, task)


def _hold_back(state: TeamState, task: Task) -> None:
    """What follows tasks that were skipped builds on what is below them, and waits for that again."""
    for dependent in task.dependents:
        if dependent.state == "SKIPPED":
            hand_on_waits(state, dependent)
            _hold_back(state, dependent)


def _task_reopened(state: TeamState, event: e.TaskReopened, at: float) -> None:
    task = state.tasks[event.task]
    # What was merged of it counts until something else is. One that was to change something still has to.
    was_done = task.state in SETTLED and task.accepted is not None
    task.confirms = bool(event.follows) and (task.confirms or was_done)
    # What follows may not be settled yet: one that is at work is stopped, and goes on after that.
    if event.follows and task.state == "RUNNING":
        set_task(state, task, "NEEDS_CONTINUATION", at)
    elif not event.follows or task.state not in {"READY", "NEEDS_CONTINUATION"}:
        set_task(state, task, "READY", at)
    _hold_back(state, task)
    task.stage.reopenings += event.bounded
    task.made = ()
    task.gap = task.blocked = None
    task.detail = ""
    told = FOLLOWS.format(tasks=event.follows) if event.follows else "it was reopened"
    _guide(task, told, event.reason if not event.follows else CONFIRM, own=event.own)
    task.fresh = True
    task.failures = task.conflicts = 0
    task.returned = task.waived = task.skipped_by_person = False
    task.approved = None
    task.not_before = 0.0
    queue_anew(state, task, task.spec)


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.TaskAdded: _task_added,
    e.TaskReplaced: _task_replaced,
    e.TaskSkipped: _task_skipped,
    e.TaskBlocked: _task_blocked,
    e.TaskUnblocked: _task_unblocked,
    e.TaskPaused: _task_paused,
    e.TaskResumed: _task_resumed,
    e.TaskReassigned: _task_reassigned,
    e.TaskAdvised: _task_advised,
    e.ScopeEnlarged: _scope_enlarged,
    e.WarningNoted: _warning_noted,
    e.TaskRetried: _task_retried,
    e.GapNoted: _gap_noted,
    e.ExemptionUsed: _exemption_used,
    e.TaskDone: _task_done,
    e.TaskReopened: _task_reopened,
}
