"""The journal folded beside the leader, event by event as they reach the disk."""

from collections.abc import Iterable

from tests.core.oracle import law as promise
from tests.core.support import describe

from teamlead.core.events import Recorded
from teamlead.core.evolve import evolve
from teamlead.core.state.team_state import TeamState


def fold(recorded: Iterable[Recorded]) -> TeamState:
    state = TeamState()
    for event in recorded:
        evolve(state, event.event, event.at)
    return state


class Replay:
    def __init__(self) -> None:
        self.state = TeamState()
        """What the journal says, and nobody but this has touched."""
        self._spare: TeamState | None = None

    def written(self, recorded: Iterable[Recorded]) -> None:
        for event in recorded:
            evolve(self.state, event.event, event.at)

    def rewind(self, recorded: Iterable[Recorded]) -> None:
        """The power was cut."""
        self.state = fold(recorded)
        self._spare = None

    def same_as(self, state: TeamState) -> None:
        """A leader left in order: all that it knew is what the journal says."""
        for each in (state, self.state):
            each.touched.clear()
            each.fresh_due.clear()
        promise(state.seq == self.state.seq, "events are missing on disk")
        promise(describe(state) == describe(self.state), "the state is not the fold of the journal")
        self._spare = state

    def hand_over(self, recorded: Iterable[Recorded]) -> TeamState:
        """For the next leader. What goes on beside it was compared with it, or is folded anew."""
        handed, self.state = self.state, self._spare or fold(recorded)
        self._spare = None
        return handed
