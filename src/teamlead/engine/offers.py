"""Facts on their way to the leader, and what those who wait for them are told."""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from teamlead.core import facts as f
from teamlead.core.events import AnyEvent, Recorded
from teamlead.core.step import Turn
from teamlead.errors import Failed, Refused, TeamleadError
from teamlead.ports import Outcome


class Offer(NamedTuple):
    """A fact on its way, and who waits for what becomes of it."""

    fact: f.AnyFact
    command: str | None = None
    told: asyncio.Future[None] | None = None


def nobody_listens() -> Refused:
    return Refused("the lead ends: this was not recorded", remedy="end your turn; your work is kept")


def give_up(offers: Iterable[Offer]) -> None:
    for offer in offers:
        if offer.told is not None and not offer.told.done():
            offer.told.set_exception(nobody_listens())


def tell(batch: list[Offer], turn: Turn) -> None:
    """Whoever waited may have given up meanwhile."""
    for position, offer in enumerate(batch):
        if offer.told is None or offer.told.done():
            continue
        refusal = turn.refusals.get(position)
        if refusal is None:
            offer.told.set_result(None)
        else:
            offer.told.set_exception(refusal)


def outcome(command: str, fact: f.AnyFact, turn: Turn, position: int) -> Outcome:
    unread = Failed(fact.problem) if isinstance(fact, f.CommandUnreadable) else None
    refusal: TeamleadError | None = turn.refusals.get(position) or unread
    if refusal is None:
        return Outcome(command, accepted=True, message="")
    return Outcome(command, accepted=False, message=str(refusal), exit_code=refusal.exit_code)


def recorded(first: int, at: float, events: list[AnyEvent]) -> list[Recorded]:
    return [Recorded(first + offset, at, event) for offset, event in enumerate(events)]
