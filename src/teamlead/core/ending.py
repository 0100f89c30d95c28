"""What the end of an agent means for its attempt."""

from collections.abc import Callable

from teamlead.core import budget, holds, questions
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.attempts import TOLD_MEANWHILE, delayed, fail, live
from teamlead.core.gaps import ends_well
from teamlead.core.messages import unheard
from teamlead.core.records import Attempt, Task
from teamlead.core.state import TeamState
from teamlead.core.verdicts import own_verdict

Events = list[e.AnyEvent]


def agent_ended(state: TeamState, fact: f.AgentEnded, now: float) -> Events:
    found = live(state, fact, "working", "stopping")
    if found is None or found[1].status is not None:
        # The second is told again: the agent had finished before the attempt was stopped.
        return []
    task, attempt = found
    finished = e.AgentFinished(
        fact.task,
        fact.attempt,
        fact.status,
        fact.summary,
        fact.detail,
        fact.usage,
        fact.tool_calls,
        fact.turns,
        fact.conversation,
        fact.denials,
        fact.reset_at,
    )
    if attempt.phase == "stopping":
        return [finished, e.AttemptEnded(fact.task, fact.attempt, "stopped", (fact.detail or "stopped",))]
    return [finished, *_MEANINGS[fact.status](state, task, attempt, fact, now)]


def _went_well(state: TeamState, task: Task, attempt: Attempt, fact: f.AgentEnded, now: float) -> Events:
    if waits := questions.wait(state, task, attempt, last=fact.question):
        return [e.AttemptEnded(fact.task, fact.attempt, "asked", ("it waits for an answer",)), *waits]
    if attempt.questions and questions.answered_too_late(state, attempt):
        ended = e.AttemptEnded(fact.task, fact.attempt, "asked", ("its question was answered meanwhile",))
        return [ended, e.TaskRetried(fact.task, now, fresh=False)]
    if unheard(state, task, attempt.phase_since):
        ended = e.AttemptEnded(fact.task, fact.attempt, "asked", (TOLD_MEANWHILE,))
        return [ended, e.TaskRetried(fact.task, now, fresh=False)]
    if attempt.result is not None and not ends_well(task.spec, attempt.result):
        return fail(state, task, "refused", [own_verdict(attempt.result)], after=now)
    return []


def _cut_off(state: TeamState, task: Task, attempt: Attempt, fact: f.AgentEnded, now: float) -> Events:
    outcome: e.AttemptOutcome = "lost" if fact.status == "lost" else "interrupted"
    ended = e.AttemptEnded(fact.task, fact.attempt, outcome, (fact.detail or fact.status,))
    return [ended, *_go_on(state, task, attempt, now)]


def _not_served(state: TeamState, task: Task, attempt: Attempt, fact: f.AgentEnded, now: float) -> Events:
    ended = e.AttemptEnded(fact.task, fact.attempt, "held", (fact.detail or fact.status,))
    held = holds.hold(state, task.lane.kind, attempt.began, fact, now)
    return [ended, *held, *_go_on(state, task, attempt, now)]


def _spent(state: TeamState, task: Task, attempt: Attempt, fact: f.AgentEnded, now: float) -> Events:
    used = budget.amount(fact.usage, now - attempt.phase_since, fact.turns)
    if not budget.limits_any(task.funds, used):
        # It would run and be ended so for ever: nothing brings its budget nearer to its limit.
        return _failed(state, task, attempt, fact, now)
    ended = e.AttemptEnded(fact.task, fact.attempt, "held", (fact.detail or "its budget is used up",))
    return [ended, *_go_on(state, task, attempt, now)]


def _failed(state: TeamState, task: Task, attempt: Attempt, fact: f.AgentEnded, now: float) -> Events:
    word = "ran out of time" if fact.status == "timeout" else "failed"
    reasons = [f"the agent {word}: {fact.detail}" if fact.detail else f"the agent {word}"]
    return fail(state, task, "failed", reasons, after=delayed(state, task, now))


def _go_on(state: TeamState, task: Task, attempt: Attempt, now: float) -> Events:
    """Nobody failed: it runs again as soon as it may."""
    waits = questions.wait(state, task, attempt)
    return waits or [e.TaskRetried(task.spec.id, now, fresh=False)]


_MEANINGS: dict[f.AgentStatus, Callable[[TeamState, Task, Attempt, f.AgentEnded, float], Events]] = {
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
