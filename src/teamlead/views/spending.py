"""What was spent, and of what limit. What nobody told is unknown, and never shown as nothing."""

from collections.abc import Iterable
from functools import reduce
from typing import Final

from teamlead.core.model import Budget, Usage
from teamlead.core.runs import Run
from teamlead.core.state.budget import SESSION, Purse, scope_of_role
from teamlead.core.state.team_state import TeamState
from teamlead.views.documents.sessions import (
    AmountPart,
    BudgetPart,
    LimitPart,
    RunsSpentPart,
    SpentPart,
    UsagePart,
)


def usage_view(usage: Usage) -> UsagePart:
    return UsagePart(
        input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, cost_usd=usage.cost_usd
    )


def limit_view(budget: Budget) -> LimitPart:
    return LimitPart(
        cost_usd=budget.cost_usd, tokens=budget.tokens, seconds=budget.seconds, turns=budget.turns
    )


def spent_view(ran: Iterable[Run]) -> RunsSpentPart:
    """Of runs that have ended."""
    ended = [run for run in ran if run.status is not None]
    if not ended:
        return _NOTHING
    usage = reduce(Usage.beside, (run.usage for run in ended))
    return RunsSpentPart(
        **usage_view(usage),
        unpriced=sum([run.unpriced for run in ended]),
        turns=sum([run.turns for run in ended]),
        runs=len(ended),
        agent_seconds=round(sum([run.seconds for run in ended]), 3),
    )


_NOTHING: Final = RunsSpentPart(**usage_view(Usage()), unpriced=0, turns=0, runs=0, agent_seconds=0)


def session_spent(state: TeamState) -> SpentPart:
    """As `spent_view`, without looking at every attempt."""
    purse = state.purses[SESSION]
    return SpentPart(
        **usage_view(state.usage or Usage()),
        unpriced=purse.unpriced,
        turns=purse.spent.turns,
        agent_seconds=round(purse.spent.seconds, 3),
    )


def budget_view(purse: Purse | None) -> BudgetPart | None:
    """None where there is no limit."""
    if purse is None or not purse.limited:
        return None
    return BudgetPart(
        scope=purse.scope,
        limit=limit_view(purse.limit),
        spent=AmountPart(
            cost_usd=purse.spent.cost_usd,
            tokens=purse.spent.tokens,
            seconds=purse.spent.seconds,
            turns=purse.spent.turns,
        ),
        unpriced=purse.unpriced,
    )


def budgets_view(state: TeamState) -> tuple[BudgetPart, ...]:
    """Of the session and its roles; those of tasks are in their own rows."""
    scopes = (SESSION, *map(scope_of_role, (role.name for role in state.session.roles)))
    views = (budget_view(state.purses.get(scope)) for scope in scopes)
    return tuple(view for view in views if view is not None)
