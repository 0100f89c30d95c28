"""What a fact means: the events it causes, or a refusal.

Laws:
- It only reads the state.
- A refusal is raised before any event exists.
- A fact about an attempt that is not live, or not in the phase it speaks of, is stale and causes nothing.
"""

from collections.abc import Callable
from typing import Any

from teamlead.core import escalation, graph, reshape
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.acceptance import check_failure, listed, refusals
from teamlead.core.indexes import checks_of
from teamlead.core.model import Question
from teamlead.core.state import Attempt, Task, TeamState
from teamlead.core.transitions import AttemptPhase
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]

SHOWN_PATHS = 50


def decide(state: TeamState, fact: f.AnyFact, now: float) -> Events:
    return _RULES[type(fact)](state, fact, now)


def _open(state: TeamState, fact: f.Open, now: float) -> Events:
    if state.spec is not None:
        raise Refused(f"session {state.spec.id!r} is open already")
    if fact.spec.limits.jobs < 1:
        raise Refused(f"{fact.spec.limits.jobs} agents at a time can do no work")
    if not fact.spec.plan.tasks:
        raise Refused("the plan has no tasks")
    problems = graph.problems(fact.spec.plan.tasks, {})
    if problems:
        raise Refused("the plan cannot be carried out: " + "; ".join(problems))
    return [e.SessionOpened(fact.spec)]


def _leader_arrived(state: TeamState, fact: f.LeaderArrived, now: float) -> Events:
    return [e.LeaderStarted(fact.epoch, fact.holder)]


def _leader_draining(state: TeamState, fact: f.LeaderDraining, now: float) -> Events:
    return [] if state.draining else [e.LeaderStopping(fact.reason)]


def _leader_left(state: TeamState, fact: f.LeaderLeft, now: float) -> Events:
    return [e.LeaderStopped(fact.reason)] if state.leader else []


# What happens to an attempt


def _live(state: TeamState, fact: Any, *phases: AttemptPhase) -> tuple[Task, Attempt] | None:
    task = state.tasks.get(fact.task)
    attempt = task.live if task else None
    if task is None or attempt is None or attempt.number != fact.attempt or attempt.phase not in phases:
        return None
    return task, attempt


def _fail(
    state: TeamState, task: Task, outcome: e.AttemptOutcome, reasons: list[str], *, after: float
) -> Events:
    assert task.live is not None
    ended = e.AttemptEnded(task.spec.id, task.live.number, outcome, tuple(reasons))
    if state.final:
        return [ended]
    failures = task.failures + 1
    if failures < state.session.limits.attempts:
        return [ended, e.TaskRetried(task.spec.id, after, fresh=task.live.owes_fresh_copy)]
    detail = f"failed {_times(failures)}; last: {reasons[0]}"
    about = f"{task.spec.id} ({task.spec.title}) {detail}"
    question = Question(
        f"{about}\nTry again with your advice, skip it, or stop the session?",
        escalation.OPTIONS["failed"],
    )
    return [
        ended,
        e.TaskBlocked(task.spec.id, "FAILED", detail),
        *escalation.ask(state, "failed", about, task.spec.id, question),
    ]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _delayed(state: TeamState, task: Task, now: float) -> float:
    delay: float = state.session.limits.retry_delay * 2**task.failures
    return now + delay


def _copy_ready(state: TeamState, fact: f.CopyReady, now: float) -> Events:
    if _live(state, fact, "preparing") is None:
        return []
    return [e.CopyPrepared(fact.task, fact.attempt, fact.base, fact.kept)]


def _block_on_conflict(state: TeamState, task: Task, reason: str, ended: e.AnyEvent) -> Events:
    if state.final:
        return [ended]
    question = Question(
        f"{reason}\nTry again on the merged work with your advice, skip it, or stop the session?",
        escalation.OPTIONS["conflict"],
    )
    return [
        ended,
        e.TaskBlocked(task.spec.id, "CONFLICT", reason),
        *escalation.ask(state, "conflict", reason, task.spec.id, question),
    ]


def _copy_conflict(state: TeamState, fact: f.CopyConflict, now: float) -> Events:
    live = _live(state, fact, "preparing")
    if live is None:
        return []
    reason = f"the dependencies of {fact.task} conflict with each other in {listed(fact.paths)}"
    ended = e.AttemptEnded(fact.task, fact.attempt, "conflict", (reason,))
    return _block_on_conflict(state, live[0], reason, ended)


def _agent_ended(state: TeamState, fact: f.AgentEnded, now: float) -> Events:
    live = _live(state, fact, "working", "stopping")
    if live is None or live[1].status is not None:
        # The second is told again: the agent had finished before the attempt was stopped.
        return []
    task, attempt = live
    finished = e.AgentFinished(
        fact.task, fact.attempt, fact.status, fact.summary, fact.detail, fact.usage, fact.tool_calls
    )
    if attempt.phase == "stopping":
        return [finished, e.AttemptEnded(fact.task, fact.attempt, "stopped", (fact.detail or "stopped",))]
    if fact.status in {"interrupted", "lost"}:
        outcome: e.AttemptOutcome = "lost" if fact.status == "lost" else "interrupted"
        ended = e.AttemptEnded(fact.task, fact.attempt, outcome, (fact.detail or fact.status,))
        return [finished, ended, e.TaskRetried(fact.task, now, fresh=False)]
    if fact.status != "ok":
        word = "ran out of time" if fact.status == "timeout" else "failed"
        reasons = [f"the agent {word}: {fact.detail}" if fact.detail else f"the agent {word}"]
        return [finished, *_fail(state, task, "failed", reasons, after=_delayed(state, task, now))]
    if fact.question is not None:
        text = fact.question.text
        return [
            finished,
            e.AttemptEnded(fact.task, fact.attempt, "asked", (text,)),
            e.TaskBlocked(fact.task, "QUESTION", text),
            *escalation.ask(state, "question", f"{fact.task} asks", fact.task, fact.question),
        ]
    return [finished]


def _work_found(state: TeamState, fact: f.WorkFound, now: float) -> Events:
    live = _live(state, fact, "collecting")
    if live is None:
        return []
    task, attempt = live
    collected = e.WorkCollected(
        fact.task,
        fact.attempt,
        fact.commit,
        len(fact.changes),
        sum(change.added for change in fact.changes),
        sum(change.deleted for change in fact.changes),
        tuple(change.path for change in fact.changes[:SHOWN_PATHS]),
    )
    reasons = refusals(task.spec, fact)
    if reasons:
        return [collected, *_fail(state, task, "refused", list(reasons), after=now)]
    if checks_of(state, task.spec):
        return [collected]
    return [collected, *_accept(task, attempt, fact.commit)]


def _accept(task: Task, attempt: Attempt, commit: str) -> Events:
    name, number = task.spec.id, attempt.number
    accepted = e.WorkAccepted(name, number)
    if commit and task.spec.merges:
        return [accepted]
    return [accepted, e.AttemptEnded(name, number, "accepted"), e.TaskDone(name, "")]


def _check_ended(state: TeamState, fact: f.CheckEnded, now: float) -> Events:
    live = _live(state, fact, "checking")
    if live is None:
        return []
    task, attempt = live
    commands = checks_of(state, task.spec)
    position = len(attempt.checks)
    if position >= len(commands) or commands[position] != fact.command:
        return []
    finished = e.CheckFinished(
        fact.task, fact.attempt, fact.command, fact.exit_code, fact.seconds, fact.output, fact.log
    )
    if position + 1 < len(commands):
        return [finished]
    earlier = [
        check_failure(f.CheckEnded(fact.task, fact.attempt, c.command, c.exit_code, output=c.output))
        for c in attempt.checks
        if not c.passed
    ]
    failures = earlier if fact.exit_code == 0 else [*earlier, check_failure(fact)]
    if failures:
        return [finished, *_fail(state, task, "refused", failures, after=now)]
    return [finished, *_accept(task, attempt, attempt.commit)]


def _merged(state: TeamState, fact: f.Merged, now: float) -> Events:
    # Also where the journal is behind: what led to the merge may have gone with the leader that made it.
    if _live(state, fact, "preparing", "working", "collecting", "checking", "integrating") is None:
        return []
    return [
        e.WorkIntegrated(fact.task, fact.attempt, fact.commit, fact.tip),
        e.AttemptEnded(fact.task, fact.attempt, "accepted"),
        e.TaskDone(fact.task, fact.commit),
    ]


def _merge_refused(state: TeamState, fact: f.MergeRefused, now: float) -> Events:
    live = _live(state, fact, "integrating")
    if live is None:
        return []
    task = live[0]
    reason = f"its work conflicts with what was merged before it in {listed(fact.paths)}"
    reasons = (reason, fact.detail) if fact.detail else (reason,)
    ended = e.AttemptEnded(fact.task, fact.attempt, "conflict", reasons)
    if state.final or task.conflicts < state.session.limits.conflict_reruns:
        return [ended] if state.final else [ended, e.TaskRetried(fact.task, now, fresh=True)]
    return _block_on_conflict(state, task, f"{fact.task} ({task.spec.title}): {reason}", ended)


def _effect_failed(state: TeamState, fact: f.EffectFailed, now: float) -> Events:
    live = _live(state, fact, "preparing", "working", "collecting", "checking", "integrating")
    if live is None:
        return []
    task = live[0]
    reason = f"{fact.what} failed: {fact.reason}"
    return _fail(state, task, "failed", [reason], after=_delayed(state, task, now))


def _attempt_quiet(state: TeamState, fact: f.AttemptQuiet, now: float) -> Events:
    if _live(state, fact, "stopping") is None:
        return []
    return [e.AttemptEnded(fact.task, fact.attempt, "stopped", ("stopped",))]


def _copy_released(state: TeamState, fact: f.CopyReleased, now: float) -> Events:
    known = fact.task in state.copies or fact.stayed in state.kept
    return [e.CopyRemoved(fact.task, fact.kept, fact.stayed)] if known else []


# What the user asks


def _resolve(state: TeamState, fact: f.Resolve, now: float) -> Events:
    record = state.escalations.get(fact.escalation)
    if record is None:
        raise NotFound(f"there is no escalation {fact.escalation!r} in session {state.session.id}")
    if record.state in {"resolved", "withdrawn"}:
        raise Refused(f"{record.id} is {record.state} already: {record.resolution}")
    if record.state == "held":
        raise Refused(f"{record.id} is held until the question about the limit is answered")
    if not fact.text.strip():
        raise Refused(f"an empty answer does not resolve {record.id}")
    return escalation.answer(state, record, fact.text, fact.by)


def _approve(state: TeamState, fact: f.Approve, now: float) -> Events:
    reshape.not_over(state, "approval")
    if state.phase != "AWAITING_APPROVAL":
        raise Refused(
            f"session {state.session.id} does not wait for approval: it is {state.phase}",
            remedy=f"not settled yet: {state.unsettled} of {len(state.tasks)}" if state.unsettled else "",
        )
    if state.approval is not None:
        raise Refused(f"session {state.session.id} is being approved already")
    return [e.ApprovalRequested(fact.by, fact.squash, fact.sign)]


def _reject(state: TeamState, fact: f.Reject, now: float) -> Events:
    reshape.not_over(state, "rejection")
    if state.phase != "AWAITING_APPROVAL" or state.approval is not None:
        raise Refused(f"session {state.session.id} does not wait for approval: it is {state.phase}")
    return [e.PhaseChanged("REJECTED", fact.reason or f"rejected by {fact.by}")]


def _approval_made(state: TeamState, fact: f.ApprovalMade, now: float) -> Events:
    if state.approval is None or state.phase != "AWAITING_APPROVAL":
        return []
    return [
        e.ApprovalApplied(fact.commit, fact.branch, fact.before, fact.undo),
        e.PhaseChanged("APPROVED", f"approved by {state.approval.by}"),
    ]


def _approval_impossible(state: TeamState, fact: f.ApprovalImpossible, now: float) -> Events:
    if state.approval is None or state.phase != "AWAITING_APPROVAL":
        return []
    return [e.ApprovalRefused(fact.reason)]


def _cancel(state: TeamState, fact: f.Cancel, now: float) -> Events:
    reshape.not_over(state, "cancelling")
    if state.approval is not None:
        raise Refused(f"session {state.session.id} is being approved: wait for the outcome")
    reason = fact.reason or f"cancelled by {fact.by}"
    return [
        *escalation.withdraw(state, reason),
        *escalation.stop_attempts(state, reason),
        e.PhaseChanged("CANCELLED", reason),
    ]


_RULES: dict[type[Any], Callable[[TeamState, Any, float], Events]] = {
    f.Open: _open,
    f.LeaderArrived: _leader_arrived,
    f.LeaderDraining: _leader_draining,
    f.LeaderLeft: _leader_left,
    f.CopyReady: _copy_ready,
    f.CopyConflict: _copy_conflict,
    f.AgentEnded: _agent_ended,
    f.WorkFound: _work_found,
    f.CheckEnded: _check_ended,
    f.Merged: _merged,
    f.MergeRefused: _merge_refused,
    f.EffectFailed: _effect_failed,
    f.AttemptQuiet: _attempt_quiet,
    f.CopyReleased: _copy_released,
    f.ApprovalMade: _approval_made,
    f.ApprovalImpossible: _approval_impossible,
    f.Resolve: _resolve,
    f.Approve: _approve,
    f.Reject: _reject,
    f.Cancel: _cancel,
    f.AddTask: reshape.add_task,
    f.ReplaceTask: reshape.replace_task,
    f.SkipTask: reshape.skip_task,
    f.ReopenTask: reshape.reopen_task,
}
