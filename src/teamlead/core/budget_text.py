"""Budgets as people write them: "5 usd, 200k tokens, 2h, 30 turns"."""

import re
from typing import Any

from teamlead.core.amounts import show_cost, show_duration, show_tokens
from teamlead.core.model import Budget

_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}
_NUMBER = r"([0-9]{1,12}(?:\.[0-9]{1,6})?)"
_COST = re.compile(rf"\$\s*{_NUMBER}|{_NUMBER}\s*(?:\$|usd|dollars?|ドル|달러)", re.IGNORECASE)
_TOKENS = re.compile(rf"{_NUMBER}\s*([km]?)\s*(?:tokens?|トークン|토큰)", re.IGNORECASE)
_TURNS = re.compile(rf"{_NUMBER}\s*(?:turns?|ターン|턴)", re.IGNORECASE)
_TIME = re.compile(
    rf"{_NUMBER}\s*(?:(d|days?|日|일)|(h|hours?|時間|시간)|(m|min|minutes?|分|분)|(s|seconds?|秒|초))",
    re.IGNORECASE,
)
_SECONDS = (86400.0, 3600.0, 60.0, 1.0)
_BETWEEN = re.compile(r"\s*[,，、;]\s*")  # noqa: RUF001


class BadAmount(ValueError):
    """Why a text is no budget, in one sentence."""


def parse_budget(text: str) -> Budget:
    """Amounts separated by commas, each of another kind. Raises BadAmount."""
    found: dict[str, Any] = {}
    for part in _BETWEEN.split(text.strip().strip("`")):
        name, amount = _amount(part)
        if name in found:
            raise BadAmount(f"there are two amounts of one kind in {text[:80]!r}")
        if not amount:
            raise BadAmount(f"{part[:40]!r} is nothing at all: leave it out for no limit")
        found[name] = amount
    return Budget(**found)


def show_budget(budget: Budget) -> str:
    """As `parse_budget` reads it; empty: no limit."""
    parts = []
    if budget.cost_usd is not None:
        parts.append(show_cost(budget.cost_usd))
    if budget.tokens is not None:
        parts.append(f"{show_tokens(budget.tokens)} tokens")
    if budget.seconds is not None:
        parts.append(show_duration(budget.seconds))
    if budget.turns is not None:
        parts.append(f"{budget.turns} turn{'s' * (budget.turns != 1)}")
    return ", ".join(parts)


def _amount(part: str) -> tuple[str, float | int]:
    """The field of a Budget, and how much of it."""
    if cost := _COST.fullmatch(part):
        return "cost_usd", float(cost[1] or cost[2])
    if tokens := _TOKENS.fullmatch(part):
        return "tokens", round(float(tokens[1]) * _FACTORS[tokens[2].casefold()])
    if turns := _TURNS.fullmatch(part):
        return "turns", round(float(turns[1]))
    if time := _TIME.fullmatch(part):
        unit = next(unit for unit, spelled in zip(_SECONDS, time.groups()[1:], strict=True) if spelled)
        return "seconds", float(time[1]) * unit
    kinds = "money (5 usd), tokens (200k tokens), time (2h) or turns (30 turns)"
    raise BadAmount(f"{part[:40]!r} is no amount: write {kinds}")
