"""What was spent, and of what limit. What nobody told is unknown, and never shown as nothing."""

from collections.abc import Iterable
from typing import Any

import msgspec

from teamlead.core.budget import SESSION, Purse, scope_of_role
from teamlead.core.model import Usage
from teamlead.core.runs import Run
from teamlead.core.state import TeamState


def usage_view(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
    }


def spent_view(ran: Iterable[Run]) -> dict[str, Any]:
    """Of runs that have ended. `unpriced`: how many of them told no cost."""
    usage, runs, unpriced, turns, seconds = Usage(), 0, 0, 0, 0.0
    for run in ran:
        if run.status is not None:
            usage = usage.plus(run.usage)
            runs += 1
            unpriced += run.unpriced
            turns += run.turns
            seconds += run.seconds
    return {
        **usage_view(usage),
        "unpriced": unpriced,
        "turns": turns,
        "runs": runs,
        "agent_seconds": round(seconds, 3),
    }


def session_spent(state: TeamState) -> dict[str, Any]:
    """As `spent_view`, without looking at every attempt."""
    purse = state.purses[SESSION]
    return {
        **usage_view(state.usage),
        "unpriced": purse.unpriced,
        "turns": purse.spent.turns,
        "agent_seconds": round(purse.spent.seconds, 3),
    }


def purse_view(purse: Purse | None) -> dict[str, Any] | None:
    """None where there is no limit."""
    if purse is None or not purse.limited:
        return None
    return {
        "scope": purse.scope,
        "limit": msgspec.structs.asdict(purse.limit),
        "spent": msgspec.structs.asdict(purse.spent),
        "unpriced": purse.unpriced,
    }


def purses_view(state: TeamState) -> list[dict[str, Any]]:
    """Of the session and its roles; those of tasks are in their own rows."""
    scopes = (SESSION, *map(scope_of_role, state.roles))
    views = (purse_view(state.purses.get(scope)) for scope in scopes)
    return [view for view in views if view is not None]
