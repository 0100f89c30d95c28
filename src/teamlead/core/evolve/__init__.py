"""The only code that changes a TeamState: one file a family of events.

Laws:
- It never fails half-way: an illegal move is refused before anything is touched.
- It asks nothing but the state and the event, so a replay gives the same state as the live run.
"""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.evolve import (
    agents,
    attempts,
    escalations,
    leaving,
    people,
    preflight,
    radar,
    runs,
    session,
    talk,
    tasks,
    whole_plan,
)
from teamlead.core.state.team_state import TeamState


def evolve(state: TeamState, event: e.AnyEvent, at: float) -> None:
    _HANDLERS[type(event)](state, event, at)
    state.seq += 1
    state.updated_at = at


_HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    **session.HANDLERS,
    **tasks.HANDLERS,
    **attempts.HANDLERS,
    **agents.HANDLERS,
    **talk.HANDLERS,
    **leaving.HANDLERS,
    **radar.HANDLERS,
    **runs.HANDLERS,
    **escalations.HANDLERS,
    **whole_plan.HANDLERS,
    **preflight.HANDLERS,
    **people.HANDLERS,
}
