"""What may be spent: by the session, by a role, by a task.

Spent is what runs that ended have used. While one runs, it reserves what the largest of its kind has used in
the same scope, or an even share of what is left where none is known. So what is under way together stays
within the limit, too. An unknown cost cannot exhaust a limit of money.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import get_args

import msgspec

from teamlead.core.amounts import show_cost, show_duration
from teamlead.core.model import Budget, Dimension, Usage, Value

SESSION = "session"
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
WHOLE = frozenset({"tokens", "turns"})
"""What cannot be had in part."""
ROUNDING = 1e-9


class Amount(Value, frozen=True):
    cost_usd: float = 0.0
    tokens: int = 0
    seconds: float = 0.0
    turns: int = 0

    def plus(self, other: "Amount") -> "Amount":
        return Amount(
            self.cost_usd + other.cost_usd,
            self.tokens + other.tokens,
            self.seconds + other.seconds,
            self.turns + other.turns,
        )

    def or_more(self, other: "Amount") -> "Amount":
        return Amount(
            max(self.cost_usd, other.cost_usd),
            max(self.tokens, other.tokens),
            max(self.seconds, other.seconds),
            max(self.turns, other.turns),
        )


NOTHING = Amount()
UNLIMITED = Budget()


def amount(usage: Usage, seconds: float, turns: int) -> Amount:
    tokens = (usage.input_tokens or 0) + (usage.output_tokens or 0)
    return Amount(usage.cost_usd or 0.0, tokens, max(seconds, 0.0), turns)


@dataclass(slots=True, eq=False)
class Purse:
    """The money, tokens, time and turns of one scope."""

    scope: str
    """`session`, `role:NAME` or `task:ID`."""
    grant: Budget
    limit: Budget
    """The grant, as many times as a person allowed it."""
    spent: Amount = NOTHING
    unpriced: int = 0
    """How many runs have ended whose cost nobody knows."""
    reserved: dict[str, Amount] = field(default_factory=dict)
    """By task."""
    largest: dict[str, Amount] = field(default_factory=dict)
    """What a run used at most, by agent kind; kept where there is a limit."""
    limited: bool = field(init=False)

    def __post_init__(self) -> None:
        self.limited = self.grant != UNLIMITED

    def used(self, dimension: Dimension) -> float:
        """Spent and reserved."""
        total: float = getattr(self.spent, dimension)
        for each in self.reserved.values():
            total += getattr(each, dimension)
        return total

    def need(self, dimension: Dimension, kind: str, places: int) -> float:
        """What a run of this kind is to reserve; `places`: runs that could share what is left."""
        limit: float | None = getattr(self.limit, dimension)
        if limit is None:
            return 0
        known: float = getattr(self.largest.get(kind, NOTHING), dimension)
        if known:
            # Whoever grants so little for all has to mean that it is enough for one.
            grant: float = getattr(self.grant, dimension)
            return min(known, grant)
        share = max(limit - self.used(dimension), 0.0) / places
        return ceil(share) if dimension in WHOLE else share

    @property
    def limits(self) -> tuple[Dimension, ...]:
        return tuple(d for d in DIMENSIONS if getattr(self.limit, d) is not None)

    @property
    def used_up(self) -> bool:
        return any(self.used(dimension) >= getattr(self.limit, dimension) for dimension in self.limits)

    @property
    def scarce(self) -> tuple[Dimension, ...]:
        """What too little is left of for a run like the largest; all that has a limit, if nothing is."""
        return tuple(d for d in self.limits if self._nearly_used(d)) or self.limits

    def _nearly_used(self, dimension: Dimension) -> bool:
        known = max((getattr(each, dimension) for each in self.largest.values()), default=0)
        limit: float = getattr(self.limit, dimension)
        used = self.used(dimension)
        return used >= limit or used + known > limit * (1 + ROUNDING)

    def short_of(self, kind: str, places: int) -> Dimension | None:
        """What is missing for one more run of this kind."""
        for dimension in DIMENSIONS:
            limit: float | None = getattr(self.limit, dimension)
            if limit is None:
                continue
            used = self.used(dimension)
            if used >= limit or used + self.need(dimension, kind, places) > limit * (1 + ROUNDING):
                return dimension
        return None


def open_purse(scope: str, grant: Budget) -> Purse:
    return Purse(scope, grant, grant)


def grants_nothing(budget: Budget) -> bool:
    """No run could ever start on it."""
    return any(limit is not None and limit <= 0 for limit in msgspec.structs.astuple(budget))


def scope_of_role(role: str) -> str:
    return f"role:{role}"


def scope_of_task(task: str) -> str:
    return f"task:{task}"


def _places(purse: Purse, seats: int) -> int:
    """A task has one run at a time."""
    return 1 if purse.scope.startswith("task:") else max(seats, 1)


def shortage(funds: Iterable[Purse], kind: str, seats: int) -> Purse | None:
    """The first purse that cannot bear one more run of this kind; `seats`: how many more may start."""
    for purse in funds:
        if purse.limited and purse.short_of(kind, _places(purse, seats)):
            return purse
    return None


def missing(purse: Purse, kind: str, seats: int) -> str:
    """What is short, for people."""
    places = _places(purse, seats)
    dimension = purse.short_of(kind, places)
    assert dimension is not None
    show = _SHOWN[dimension]
    unit = {"tokens": " tokens", "turns": " turns"}.get(dimension, "")
    spent, limit = getattr(purse.spent, dimension), getattr(purse.limit, dimension)
    need = purse.need(dimension, kind, places)
    told = f"{show(spent)} of {show(limit)}{unit} spent"
    return told if spent >= limit else f"{told}, and one more run may take {show(need)}"


_SHOWN: dict[Dimension, Callable[[float], str]] = {
    "cost_usd": show_cost,
    "tokens": "{:.0f}".format,
    "seconds": lambda seconds: show_duration(round(seconds)),
    "turns": "{:.0f}".format,
}


def limits_any(funds: Iterable[Purse], used: Amount) -> bool:
    """Whether this brings one of them nearer to its limit."""
    return any(
        getattr(purse.limit, dimension) is not None and getattr(used, dimension)
        for purse in funds
        for dimension in DIMENSIONS
    )


def left_of(funds: Iterable[Purse], reserver: str = "") -> Budget:
    """What a run may use: all that is neither spent nor reserved by others."""
    left: dict[str, float] = {}
    for purse in funds:
        if not purse.limited:
            continue
        own = purse.reserved.get(reserver, NOTHING)
        for dimension in DIMENSIONS:
            limit: float | None = getattr(purse.limit, dimension)
            if limit is not None:
                rest = max(limit - purse.used(dimension) + getattr(own, dimension), 0.0)
                rest = int(rest) if dimension in WHOLE else rest
                left[dimension] = min(left.get(dimension, rest), rest)
    return msgspec.convert(left, Budget) if left else UNLIMITED


def shared(left: Sequence[Budget], among: int) -> Budget:
    """An even share of what these leave together. Where one has no limit, there is none for all."""
    shares: dict[str, float] = {}
    for dimension in DIMENSIONS:
        rests = [rest for each in left if (rest := getattr(each, dimension)) is not None]
        if rests and len(rests) == len(left):
            share = sum(rests) / among
            shares[dimension] = ceil(share) if dimension in WHOLE else share
    return msgspec.convert(shares, Budget)


# For `evolve`


def reserve(funds: Iterable[Purse], reserver: str, kind: str, seats: int) -> None:
    for purse in funds:
        if purse.limited:
            places = _places(purse, seats)
            needs = {d: purse.need(d, kind, places) for d in DIMENSIONS}
            purse.reserved[reserver] = msgspec.convert(needs, Amount)


def pay(funds: Iterable[Purse], kind: str, used: Amount, *, priced: bool) -> None:
    for purse in funds:
        purse.spent = purse.spent.plus(used)
        purse.unpriced += not priced
        if purse.limited:
            purse.largest[kind] = purse.largest.get(kind, NOTHING).or_more(used)


def release(funds: Iterable[Purse], reserver: str) -> None:
    for purse in funds:
        purse.reserved.pop(reserver, None)


def grant_again(purse: Purse, of: Iterable[Dimension]) -> None:
    """A limit that was overrun grows from there."""
    grown = {d: max(getattr(purse.limit, d), getattr(purse.spent, d)) + getattr(purse.grant, d) for d in of}
    purse.limit = msgspec.structs.replace(purse.limit, **grown)
