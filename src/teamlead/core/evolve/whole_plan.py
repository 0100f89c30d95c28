"""The checks of the whole plan."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.pipeline import whole_plan
from teamlead.core.state.indexes import make_due
from teamlead.core.state.records import Whole
from teamlead.core.state.team_state import TeamState


def _trial_started(state: TeamState, event: e.TrialStarted, at: float) -> None:
    state.trying = f"{whole_plan.named(state, event.command)} {event.where}"


def _whole_checked(state: TeamState, event: e.WholeChecked, at: float) -> None:
    effect = whole_plan.effect(state)
    state.due.pop(effect.key, None)
    state.trying = ""
    state.whole = Whole(event.tip, event.checks, effect.turn)
    for name in dict.fromkeys(culprit.task for check in event.checks for culprit in check.culprits):
        state.tasks[name].blamed += 1
        state.touched[name] = None
    state.touched |= state.own_checks


def _whole_accepted(state: TeamState, event: e.WholeAccepted, at: float) -> None:
    assert state.whole is not None
    state.whole.accepted = event.by
    state.touched |= state.own_checks


def _whole_repeated(state: TeamState, event: e.WholeRepeated, at: float) -> None:
    assert state.whole is not None
    state.whole.turn += 1
    # Elsewhere there is work again, and it is checked after that.
    if state.reviews:
        make_due(state, whole_plan.effect(state))


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.TrialStarted: _trial_started,
    e.WholeChecked: _whole_checked,
    e.WholeAccepted: _whole_accepted,
    e.WholeRepeated: _whole_repeated,
}
