"""The core alone: facts are told to it directly, in any order, twice, too late, and across crashes."""

from random import Random

from tests.core.oracle import LawBroken, check_indexes, check_waits
from tests.core.support import World, describe, play, settle
from tests.simulation.plans import session_of

from teamlead.core import facts as f
from teamlead.core.evolve import evolve
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import Turn, step

TURNS = 40
THOROUGH = 64
"""One run in so many is checked after every turn, the others by following the events, and at their ends."""


class QuickWorld(World):
    """Follows every event, and looks at the whole state now and then."""

    synced = 0

    def tell(self, *facts: f.AnyFact) -> Turn:
        turn = step(self.state, facts, self.now)
        self.delivered += facts
        for event in turn.events:
            self.log.append((self.now, event))
            self.ledger.observe(event, self.now)
        if turn.durable:
            self.synced = len(self.log)
        self.state.touched.clear()
        self.state.fresh_due.clear()
        return turn

    def check_replay(self) -> None:
        """A crash does it."""

    def crash(self, *, power_cut: bool) -> None:
        """The next leader knows what the journal says; a power cut takes its unsynced end."""
        if power_cut:
            del self.log[self.synced :]
        before = self.state
        self.state = TeamState()
        self.ledger = type(self.ledger)()
        for at, event in self.log:
            evolve(self.state, event, at)
            self.ledger.observe(event, at)
        self.state.touched.clear()
        self.state.fresh_due.clear()
        if self.state.seq == before.seq and describe(self.state) != describe(before):
            raise LawBroken("a replay gives another state")
        self.tell(f.LeaderArrived(2, "another"))

    def look(self) -> None:
        check_indexes(self.state)
        self.ledger.compare(self.state)
        check_waits(self.state, self.now)


def simulate_core(seed: int) -> World:
    """Raises LawBroken, with the seed, if a law does not hold."""
    random = Random(seed)
    try:
        if seed % THOROUGH == 0:
            world = World(session_of(seed, random))
            play(world, random, TURNS)
            settle(world)
            return world
        return _quick(seed, random)
    except Exception as error:
        raise LawBroken(
            f"{error!r}\nseed {seed}; play it again with: python -m tests.simulation {seed} --core"
        ) from error


def _quick(seed: int, random: Random) -> QuickWorld:
    world = QuickWorld(session_of(seed, random))
    for _ in range(random.choice((1, 2, 3))):
        play(world, random, TURNS // 2)
        world.look()
        world.crash(power_cut=random.random() < 0.5)
    settle(world)
    world.look()
    return world
