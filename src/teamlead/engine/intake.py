"""What comes in to a leader: facts of its own, of agents and of timers, and commands of other processes.

Who puts a fact waits until it is on disk with what it caused. A command stays in the inbox until its outcome
is in the journal.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from teamlead.core import facts as f
from teamlead.core.step import Turn
from teamlead.engine.parts import Parts
from teamlead.errors import Failed, Refused, TeamleadError
from teamlead.ports.journal import Outcome


class Offer(NamedTuple):
    """A fact on its way, and who waits for what becomes of it."""

    fact: f.AnyFact
    command: str | None = None
    told: asyncio.Future[None] | None = None


class Intake:
    def __init__(self, parts: Parts, wake: Callable[[], None], fail: Callable[[Exception], None]) -> None:
        self._journal = parts.journal
        self._inbox = parts.inbox
        self._every = parts.inbox_every
        self._wake = wake
        self._fail = fail
        self.waiting: list[Offer] = []
        self._batch: list[Offer] = []
        """What this turn is about."""
        self._taken: dict[str, None] = {}
        """Commands that have no outcome yet."""
        self._poll: asyncio.TimerHandle | None = None
        self._closed = False

    def offer(self, fact: f.AnyFact, command: str | None = None) -> None:
        self.waiting.append(Offer(fact, command))
        self._wake()

    async def put(self, fact: f.AnyFact) -> None:
        if self._closed:
            raise nobody_listens()
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append(Offer(fact, told=told))
        self._wake()
        await told

    def next_batch(self) -> list[Offer]:
        self._batch, self.waiting = self.waiting, []
        return self._batch

    def poll_later(self) -> None:
        self._poll = asyncio.get_running_loop().call_later(self._every, self._poll_inbox)

    def _poll_inbox(self) -> None:
        try:
            self.take_commands()
        except Exception as error:  # noqa: BLE001 - the loop would log it, and nobody would listen any more
            self._fail(error)
        else:
            self.poll_later()

    def take_commands(self) -> None:
        if not self._inbox.changed():
            return
        self._journal.verify()
        for command, fact in self._inbox.take():
            if command in self._taken:
                continue
            if self._journal.has_outcome(command):
                self._inbox.drop([command])
                continue
            self._taken[command] = None
            self.offer(fact, command)

    def answered(self, outcomes: Sequence[Outcome]) -> None:
        """They are in the journal."""
        if not outcomes:
            return
        self._inbox.drop([outcome.command for outcome in outcomes])
        for outcome in outcomes:
            self._taken.pop(outcome.command, None)

    def close(self) -> None:
        """Whoever still waits for a word of this leader would keep it from ending."""
        self._closed = True
        if self._poll is not None:
            self._poll.cancel()
        for offer in (*self._batch, *self.waiting):
            if offer.told is not None and not offer.told.done():
                offer.told.set_exception(nobody_listens())


def outcomes_of(batch: Sequence[Offer], turn: Turn) -> list[Outcome]:
    """What the journal says to those commands of the batch."""
    return [
        _outcome(offer.command, offer.fact, turn.refusals.get(position))
        for position, offer in enumerate(batch)
        if offer.command is not None
    ]


def _outcome(command: str, fact: f.AnyFact, refusal: TeamleadError | None) -> Outcome:
    if refusal is None and isinstance(fact, f.CommandUnreadable):
        refusal = Failed(fact.problem)
    if refusal is None:
        return Outcome(command, accepted=True, message="")
    return Outcome(command, accepted=False, message=str(refusal), exit_code=refusal.exit_code)


def tell(batch: Sequence[Offer], turn: Turn) -> None:
    """Whoever waited may have given up meanwhile."""
    for position, offer in enumerate(batch):
        if offer.told is None or offer.told.done():
            continue
        refusal = turn.refusals.get(position)
        if refusal is None:
            offer.told.set_result(None)
        else:
            offer.told.set_exception(refusal)


def nobody_listens() -> Refused:
    return Refused("the lead ends: this was not recorded", remedy="end your turn; your work is kept")
