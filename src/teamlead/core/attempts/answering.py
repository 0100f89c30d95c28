"""What becomes of what a consulted model answers.

It is asked again, with what was wrong, if it gave no answer or none that can be read; a few times, and then
it counts as one that has nothing to say. That an account has to wait, or a leader died, is nobody's failure.
"""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.advisers import advice, completion, drafts, failing_plan, replanning
from teamlead.core.answers import Analysis, Answer, Completion, Examples, Judgement, Proposal, Quality
from teamlead.core.asking import holds
from teamlead.core.attempts import examples, independent_tests, judging
from teamlead.core.forms import FORM_OF_PURPOSE, READINGS
from teamlead.core.runs import NOT_SERVED, Purpose, Run, run_id
from teamlead.core.state import budget
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState

Events = list[e.AnyEvent]

CUT_OFF = frozenset({"interrupted", "lost"})
MOST_CUT_OFF = 20
"""Of one name. A program that always ends so would be asked for ever."""


def answered(state: TeamState, found: Run, fact: f.RunOver, now: float) -> Events:
    ended = e.RunEnded(found.id, found.task, fact.end, fact.answer, fact.problem)
    if state.final or found.id not in state.advising:
        # Nobody wants to know it any more; what it has cost counts.
        return [ended]
    status = fact.end.status
    if status in NOT_SERVED:
        held = holds.hold(state, kind_of(found.agent), found.began, fact.end, now)
        return [ended, *held, _again(state, found, found.problem, counts=False)]
    cut_off = status in CUT_OFF and found.number < MOST_CUT_OFF
    if cut_off or _spent(state, found, fact, now):
        return [ended, _again(state, found, found.problem, counts=False)]
    problem = _wrong(state, found, fact)
    if not problem:
        return [ended, *_ANSWERED[found.purpose](state, found, fact.answer, now)]
    if found.tries + 1 < READINGS[FORM_OF_PURPOSE[found.purpose]]:
        return [ended, _again(state, found, problem, counts=True)]
    return [ended, *_FAILED[found.purpose](state, found, problem, now)]


def _spent(state: TeamState, found: Run, fact: f.RunOver, now: float) -> bool:
    """Its budget is used up. One that no run brings nearer to its limit would be used up so for ever."""
    used = budget.amount(fact.end.usage, now - (found.started_at or now), fact.end.turns)
    return fact.end.status == "budget" and budget.limits_any(state.funds_of(found.role), used)


def _wrong(state: TeamState, found: Run, fact: f.RunOver) -> str:
    """Why its answer cannot be used, for it to know; empty if it can."""
    if fact.answer is None:
        return fact.problem or fact.end.detail or "it gave no answer"
    if not isinstance(fact.answer, _SHAPES[found.purpose]):
        return "it answered another question"
    check = _CHECKS.get(found.purpose)
    return check(state, found, fact.answer) if check else ""


def _again(state: TeamState, before: Run, problem: str, *, counts: bool) -> e.AnyEvent:
    return e.RunWanted(
        run_id(before.name, state.asked_of[before.name] + 1),
        before.purpose,
        task=before.task,
        attempt=before.attempt,
        escalation=before.escalation,
        about=before.about,
        problem=problem,
        tries=before.tries + counts,
    )


_SHAPES: dict[Purpose, type[Answer]] = {
    "tests": Examples,
    "examples": Examples,
    "judge": Judgement,
    "quality": Quality,
    "replan": Proposal,
    "review": Proposal,
    "complete": Completion,
    "validate": Analysis,
    "advise": Analysis,
}

_CHECKS: dict[Purpose, Callable[[TeamState, Run, Any], str]] = {
    "replan": replanning.wrong,
    "review": failing_plan.wrong,
    "complete": completion.wrong,
}

_ANSWERED: dict[Purpose, Callable[[TeamState, Run, Any, float], Events]] = {
    "tests": independent_tests.over,
    "examples": examples.given,
    "judge": judging.judged,
    "quality": drafts.reviewed,
    "replan": replanning.replanned,
    "review": failing_plan.reviewed,
    "complete": completion.looked_at,
    "validate": advice.analysed,
    "advise": advice.analysed,
}

_FAILED: dict[Purpose, Callable[[TeamState, Run, str, float], Events]] = {
    "tests": independent_tests.over,
    "examples": examples.not_given,
    "judge": judging.unjudged,
    "quality": drafts.unreviewed,
    "replan": replanning.not_replanned,
    "review": failing_plan.unreviewed,
    "complete": completion.unsure,
    "validate": advice.not_analysed,
    "advise": advice.not_analysed,
}
