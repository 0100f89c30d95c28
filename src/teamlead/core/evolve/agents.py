"""What kinds of agents may do: whether they work at all, and what may be spent on them."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core.roles import role_named
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


def _judge_replaced(state: TeamState, event: e.JudgeReplaced, at: float) -> None:
    spec = state.session
    if not event.agent:
        state.spec = replace(spec, consultants=tuple(role for role in spec.consultants if role != "judge"))
        return
    known = role_named("judge", spec.roles).settings
    judge = replace(known, name="judge", agent=event.agent, model="", arguments=())
    others = tuple(role for role in spec.roles if role.name != "judge")
    state.spec = replace(spec, roles=(*others, judge))
    for run in state.wanted.values():
        if run.role == "judge":
            run.agent, run.model = event.agent, ""


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.AgentHeld: _agent_held,
    e.AgentReleased: _agent_released,
    e.BudgetRaised: _budget_raised,
    e.JudgeReplaced: _judge_replaced,
}
