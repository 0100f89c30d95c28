"""What becomes of what a consulted model answers.

It is asked again, with what was wrong, if it gave no answer or none that can be read; a few times, and then
it counts as one that has nothing to say. That an account has to wait, or a leader died, is nobody's failure.
"""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core import holds, judging
from teamlead.core.consultation import Consultation, Purpose
from teamlead.core.staffing import kind_of
from teamlead.core.state import NOT_SERVED, TeamState

Events = list[e.AnyEvent]

CUT_OFF = frozenset({"interrupted", "lost", "budget"})


def answered(state: TeamState, fact: f.Answered, now: float) -> Events:
    found = state.consulting.get(fact.consultation)
    if found is None:
        return []
    ended = e.ConsultationEnded(
        found.id, fact.status, fact.answer, fact.problem, fact.usage, fact.turns, fact.tree
    )
    if state.final:
        return [ended]
    if fact.status in NOT_SERVED:
        held = holds.hold(state, kind_of(found.agent), found.began, fact, now)
        return [ended, *held, _again(state, found, found.problem, counts=False)]
    if fact.status in CUT_OFF:
        return [ended, _again(state, found, found.problem, counts=False)]
    if fact.answer is not None:
        return [ended, *_ANSWERED[found.purpose](state, found, fact.answer, now)]
    problem = fact.problem or "it gave no answer"
    if found.tries + 1 < state.session.limits.readings:
        return [ended, _again(state, found, problem, counts=True)]
    return [ended, *_FAILED[found.purpose](state, found, problem, now)]


def _again(state: TeamState, before: Consultation, problem: str, *, counts: bool) -> e.AnyEvent:
    number = state.consulted[before.name] + 1
    return e.ConsultationWanted(
        f"{before.name}-{number}",
        before.purpose,
        before.task,
        before.attempt,
        before.escalation,
        before.about,
        problem,
        before.tries + counts,
    )


_ANSWERED: dict[Purpose, Callable[[TeamState, Consultation, Any, float], Events]] = {
    "judge": judging.judged,
}

_FAILED: dict[Purpose, Callable[[TeamState, Consultation, str, float], Events]] = {
    "judge": judging.unjudged,
}
