"""One run from one seed."""

from typing import NamedTuple

from tests.core.oracle import LawBroken
from tests.simulation.world import Trace, World

from teamlead.testing.clock import DAY, FakeClock, Stuck, run_virtual

LONGEST = 400 * DAY
THOROUGH = 64
"""One run in so many is checked after every turn, the others where leaders come and go."""


class Ended(NamedTuple):
    end: str
    phase: str
    steps: int
    events: int


def simulate(seed: int, *, trace: Trace | None = None, thorough: bool | None = None) -> Ended:
    """Raises LawBroken, with the seed and how to play it again, if a promise was not kept."""
    clock = FakeClock()
    often = seed % THOROUGH == 0 if thorough is None else thorough

    async def story() -> Ended:
        world = World(seed, clock, thorough=often, trace=trace)
        end = await world.run()
        return Ended(end, world.promises.ledger.phase, world.promises.steps, len(world.disk.events))

    try:
        return run_virtual(story(), clock, most=LONGEST)
    except Exception as error:
        told = str(error) if isinstance(error, LawBroken | Stuck) else repr(error)
        raise LawBroken(
            f"{told}\nseed {seed}; play it again with: python -m tests.simulation {seed} -v"
        ) from error
