"""Looks from time to time whether what agents at work have changed so far would merge.

It is never in the leader's way: one look at a time, each followed by a rest that is long against it. What
cannot be told just now is left for the next one.
"""

import asyncio
from collections.abc import Callable, Sequence

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.state.team_state import TeamState
from teamlead.core.team import radar
from teamlead.errors import TeamleadError
from teamlead.ports.workspace import Workspace

SOONEST = 3.0
"""Seconds between two looks, whatever happens."""
REST = 20
"""Times as long as a look took: so it costs at most a twentieth of one core."""
HURRY = (e.ProgressReported, e.TaskNoted, e.WorkIntegrated)
"""Something may be different now."""


class Radar:
    def __init__(
        self,
        workspace: Workspace,
        every: float,
        begin: Callable[[], None],
        offer: Callable[[f.AnyFact], None],
    ) -> None:
        """`every`: seconds of awake time; 0: never. `begin` has `look` carried out."""
        self._workspace = workspace
        self._every = every
        self._begin = begin
        self._offer = offer
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._looking = False
        self._hurried = False
        self._ended = self._rested = 0.0
        """When the last look ended, and until when there is none."""
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        """What came of trying two snapshots: of those of the last look."""

    def notice(self, state: TeamState, events: Sequence[e.AnyEvent] = ()) -> None:
        """Called after each turn."""
        if not self._every:
            return
        self._hurried = self._hurried or any(isinstance(event, HURRY) for event in events)
        if self._looking:
            return
        if _worthwhile(state):
            now = asyncio.get_running_loop().time()
            self._set(max(now if self._hurried else self._ended + self._every, self._rested))
        else:
            self._clear()

    def close(self) -> None:
        self._every = 0.0
        self._clear()

    async def look(self, state: TeamState) -> None:
        loop = asyncio.get_running_loop()
        self._looking, self._hurried, began = True, False, loop.time()
        try:
            await self._look(state)
        finally:
            self._looking, self._ended = False, loop.time()
            pause = max(min(SOONEST, self._every), REST * (self._ended - began))
            self._rested = self._ended + pause
            self.notice(state)

    def _set(self, moment: float) -> None:
        if self._timer is None or moment < self._due:
            self._clear()
            self._due = moment
            self._timer = asyncio.get_running_loop().call_at(moment, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._begin()

    def _clear(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _look(self, state: TeamState) -> None:
        pairs = radar.pairs(state)
        names = dict.fromkeys(name for pair in pairs for name in (pair.task, pair.other) if name)
        works = {name: await self._work_of(state, name) for name in names}
        works[""] = state.integration_tip
        found = {}
        for pair in pairs:
            both = (works[pair.task], works[pair.other])
            idle = any(_idle(state, name, works[name]) for name in (pair.task, pair.other))
            paths = () if idle else await self._try(both)
            if paths is None:
                continue
            found[both] = paths
            fact = f.ConflictSeen(*pair, paths)
            if radar.differs(state, fact):
                self._offer(fact)
        self._found = found

    async def _work_of(self, state: TeamState, name: str) -> str:
        """A commit of what the attempt has made by now; "" where that cannot be told."""
        attempt = state.active.get(name)
        if attempt is not None and attempt.work.commit:
            return attempt.work.commit
        try:
            return await self._workspace.snapshot(name)
        except TeamleadError:
            return ""

    async def _try(self, both: tuple[str, str]) -> tuple[str, ...] | None:
        """The paths in which they conflict; None where that cannot be told."""
        if not all(both) or both in self._found:
            return self._found.get(both)
        try:
            return await self._workspace.try_merge(*both)
        except TeamleadError:
            return None


def _worthwhile(state: TeamState) -> bool:
    return not state.draining and (len(state.active) > 1 or bool(state.active and state.integration_tip))


def _idle(state: TeamState, name: str, work: str) -> bool:
    """It has changed nothing yet."""
    attempt = state.active.get(name)
    return attempt is not None and work == attempt.base
