"""How a leader ends: let go, told to stop, paused, or stopped by what the machine cannot do.

Told once, it starts nothing more and gives agents their grace; told again, or when the grace is over, it ends
them. What the machine cannot do ends them at once.
"""

import asyncio
from collections.abc import Callable
from typing import Literal

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import PAUSED
from teamlead.engine.under_way import UnderWay
from teamlead.errors import Failed, MachineUnable

End = Literal["finished", "waiting", "paused", "interrupted"]

WHY: dict[End, str] = {
    "finished": "the session has ended",
    "waiting": "nothing can move without a person",
    "paused": PAUSED,
    "interrupted": "it was interrupted",
}
VANISHED = "its leader ended without a word"
"""What the next one says of a leader that was killed."""

UNATTENDED = (do.ApplyWork, do.RollBack, do.Release, do.StopAgent, do.Notify)
"""What a command may carry out when no leader runs: it starts no work."""
NOT_WHEN_HURRIED = (
    do.PrepareCopy,
    do.RunAgent,
    do.Check,
    do.Prove,
    do.CheckWhole,
    do.Preflight,
    do.Notify,
    do.AwaitAnswer,
)
NOT_WHEN_DRAINING = (do.PrepareCopy, do.RunAgent, do.CheckWhole, do.Preflight)


class Stopping:
    def __init__(
        self,
        state: TeamState,
        under_way: UnderWay,
        offer: Callable[[f.AnyFact], None],
        *,
        staffed: bool,
    ) -> None:
        self._state = state
        self._under_way = under_way
        self._offer = offer
        self._staffed = staffed
        self._last_call: asyncio.TimerHandle | None = None
        self._paused = False
        self._hurried = False
        self.unable: Failed | None = None
        """Why the machine lets this leader do nothing more."""

    def stop(self, reason: str) -> None:
        if self._last_call is None and self._staffed:
            self._offer(f.LeaderDraining(reason))
        self._call_last()

    def pause(self) -> None:
        self._paused = True
        self._call_last()

    def give_way(self, error: MachineUnable) -> None:
        """Ends what runs, and starts nothing more, not even what would only tidy up."""
        if self.unable is None:
            self.unable = error
            if self._staffed:
                self._offer(f.LeaderDraining(error.message))
            self._hurry()

    def _call_last(self) -> None:
        if self._last_call is not None or not self._staffed:
            self._hurry()
            return
        grace = self._state.session.limits.grace
        self._last_call = asyncio.get_running_loop().call_later(grace, self._hurry)

    def _hurry(self) -> None:
        if not self._hurried:
            self._hurried = True
            self._under_way.hurry()

    @property
    def begun(self) -> bool:
        return self._hurried or self._state.draining

    @property
    def how(self) -> End:
        return "paused" if self._paused else "interrupted"

    def may(self, effect: do.AnyEffect) -> bool:
        """Whether it may be begun yet."""
        if self.unable is not None:
            return isinstance(effect, do.StopAgent)
        if not self._staffed:
            # A session that ends lets through what was being merged: there will be no other leader.
            return isinstance(effect, UNATTENDED) or (self._state.final and isinstance(effect, do.Integrate))
        if self._hurried:
            return not isinstance(effect, NOT_WHEN_HURRIED)
        # At once: the state says so only after the turn in which it was asked to stop.
        draining = self._state.draining or self._last_call is not None
        return not (draining and isinstance(effect, NOT_WHEN_DRAINING))

    def close(self) -> None:
        if self._last_call is not None:
            self._last_call.cancel()
