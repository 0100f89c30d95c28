"""What the end of a run means: of an agent for its attempt, of a model for whoever asked it."""

from collections.abc import Callable

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.advisers import drafts
from teamlead.core.asking import holds
from teamlead.core.attempts.answering import answered
from teamlead.core.attempts.going_without import ends_well
from teamlead.core.attempts.lifecycle import TOLD_MEANWHILE, delayed, fail
from teamlead.core.attempts.verdicts import own_verdict
from teamlead.core.causes import cause_of
from teamlead.core.people import questions
from teamlead.core.runs import AgentStatus, RunEnd
from teamlead.core.state import budget
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState
from teamlead.core.team import leaving
from teamlead.core.team.messages import unheard

Events = list[e.AnyEvent]


def run_over(state: TeamState, fact: f.RunOver, now: float) -> Events:
    run = state.runs.get(fact.run)
    if run is None or run.started_at is None or run.ended_at is not None:
        return []
    if run.purpose != "work":
        return answered(state, run, fact, now)
    task = state.tasks[run.task]
    attempt = task.live
    assert attempt is not None, "a run does not outlive its attempt"
    finished = e.RunEnded(run.id, run.task, fact.end, fact.answer, fact.problem)
    if attempt.phase == "stopping":
        stopped = e.AttemptEnded(run.task, attempt.number, "stopped", (fact.end.detail or "stopped",))
        return [finished, stopped]
    if state.final:
        return [finished, *leaving.turn_ended(state, task, attempt, fact.end)]
    if task.spec.plans and fact.end.status == "ok":
        waits = _waits(state, task, attempt, fact.end, now)
        return [finished, *(waits or drafts.proposed(state, task, attempt, fact, now))]
    return [finished, *_MEANINGS[fact.end.status](state, task, attempt, fact.end, now)]


def run_quiet(state: TeamState, fact: f.RunQuiet, now: float) -> Events:
    run = state.runs.get(fact.run)
    if run is None or f"StopAgent:{run.id}" not in state.due:
        return []
    if run.purpose != "work":
        return [e.RunEnded(run.id, run.task, RunEnd("interrupted", detail="stopped"))]
    return [e.AttemptEnded(run.task, run.attempt, "stopped", ("stopped",))]


def _went_well(state: TeamState, task: Task, attempt: Attempt, end: RunEnd, now: float) -> Events:
    if waits := _waits(state, task, attempt, end, now):
        return waits
    if attempt.result is not None and not ends_well(task.spec, attempt.result):
        return fail(state, task, "refused", [own_verdict(attempt.result)], after=now)
    return []


def _waits(state: TeamState, task: Task, attempt: Attempt, end: RunEnd, now: float) -> Events:
    """For an answer, or for another run that knows what was said meanwhile."""
    if waits := questions.wait(state, task, attempt, last=end.question):
        return [e.AttemptEnded(task.spec.id, attempt.number, "asked", ("it waits for an answer",)), *waits]
    if attempt.questions and questions.answered_too_late(state, attempt):
        ended = e.AttemptEnded(
            task.spec.id, attempt.number, "asked", ("its question was answered meanwhile",)
        )
        return [ended, e.TaskRetried(task.spec.id, now, fresh=False)]
    if unheard(state, task, attempt.phase_since):
        ended = e.AttemptEnded(task.spec.id, attempt.number, "asked", (TOLD_MEANWHILE,))
        return [ended, e.TaskRetried(task.spec.id, now, fresh=False)]
    return []


def _cut_off(state: TeamState, task: Task, attempt: Attempt, end: RunEnd, now: float) -> Events:
    outcome: e.AttemptOutcome = "lost" if end.status == "lost" else "interrupted"
    ended = e.AttemptEnded(task.spec.id, attempt.number, outcome, (end.detail or end.status,))
    return [ended, *_go_on(state, task, attempt, now)]


def _not_served(state: TeamState, task: Task, attempt: Attempt, end: RunEnd, now: float) -> Events:
    ended = e.AttemptEnded(task.spec.id, attempt.number, "held", (end.detail or end.status,))
    held = holds.hold(state, task.lane.kind, attempt.run.began, end, now)
    return [ended, *held, *_go_on(state, task, attempt, now)]


def _spent(state: TeamState, task: Task, attempt: Attempt, end: RunEnd, now: float) -> Events:
    used = budget.amount(end.usage, now - attempt.phase_since, end.turns)
    if not budget.limits_any(task.funds, used):
        # It would run and be ended so for ever: nothing brings its budget nearer to its limit.
        return _failed(state, task, attempt, end, now)
    ended = e.AttemptEnded(task.spec.id, attempt.number, "held", (end.detail or "its budget is used up",))
    return [ended, *_go_on(state, task, attempt, now)]


def _failed(state: TeamState, task: Task, attempt: Attempt, end: RunEnd, now: float) -> Events:
    if task.spec.plans:
        return drafts.unanswered(state, task, attempt, end, now)
    word = "ran out of time" if end.status == "timeout" else "failed"
    reasons = [f"the agent {word}: {end.detail}" if end.detail else f"the agent {word}"]
    # That it takes too long, or spends too much, is the task's own matter.
    told = end.status == "error" and bool(end.detail)
    cause = cause_of(end.detail, kind_of(attempt.run.agent)) if told else None
    return fail(state, task, "failed", reasons, after=delayed(state, task, now), cause=cause)


def _go_on(state: TeamState, task: Task, attempt: Attempt, now: float) -> Events:
    """Nobody failed: it runs again as soon as it may."""
    waits = questions.wait(state, task, attempt)
    return waits or [e.TaskRetried(task.spec.id, now, fresh=False)]


_MEANINGS: dict[AgentStatus, Callable[[TeamState, Task, Attempt, RunEnd, float], Events]] = {
    "ok": _went_well,
    "error": _failed,
    "timeout": _failed,
    "interrupted": _cut_off,
    "lost": _cut_off,
    "limit": _not_served,
    "unavailable": _not_served,
    "denied": _not_served,
    "budget": _spent,
}
