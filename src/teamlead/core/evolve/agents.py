"""What kinds of agents may do: whether they work at all, and what may be spent on them."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.state.budget import grant_again
from teamlead.core.state.records import Hold
from teamlead.core.state.team_state import TeamState


def _agent_held(state: TeamState, event: e.AgentHeld, at: float) -> None:
    state.holds[event.kind] = Hold(
        until=event.until,
        reason=event.reason,
        strikes=event.strikes,
        since=at,
        raised=state.seq,
        cause=event.cause,
    )


def _agent_released(state: TeamState, event: e.AgentReleased, at: float) -> None:
    state.holds.pop(event.kind, None)


def _budget_raised(state: TeamState, event: e.BudgetRaised, at: float) -> None:
    purse = state.purses[event.scope]
    grant_again(purse, event.of or purse.limits)


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.AgentHeld: _agent_held,
    e.AgentReleased: _agent_released,
    e.BudgetRaised: _budget_raised,
}
