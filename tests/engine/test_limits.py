"""How many agents run at one time, and with which slots."""

import asyncio
from collections import Counter

import pytest
from tests.engine.support import World, task

from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec


class Crowd:
    """Agents that note who else is there."""

    def __init__(self, count: int, jobs: int) -> None:
        self.slots: Counter[int] = Counter()
        self.most = 0
        self.doubled = False
        self.world = World(*(task(n) for n in range(1, count + 1)), work=self._work, limits=Limits(jobs=jobs))

    async def _work(self, spec: RunSpec) -> RunEnd:
        self.slots[spec.slot] += 1
        self.most = max(self.most, self.slots.total())
        self.doubled = self.doubled or self.slots[spec.slot] > 1
        # Of different lengths, so that slots come free in another order than they were taken.
        await asyncio.sleep(10 + int(spec.task[5:]) * 7 % 5)
        self.slots[spec.slot] -= 1
        return RunEnd("error") if spec.attempt == 1 and spec.task == "task-3" else self.world.write(spec)


@pytest.mark.parametrize("jobs", [1, 3, 8])
def test_no_more_agents_than_allowed_run_at_one_time_each_with_a_slot_of_its_own(jobs: int) -> None:
    crowd = Crowd(20, jobs)
    assert crowd.world.lead() == "waiting"
    assert set(crowd.world.states().values()) == {"DONE"}
    assert crowd.most == jobs
    assert not crowd.doubled
    assert set(crowd.slots) <= set(range(2 * jobs)), "numbers of copies are used again"


def test_a_free_slot_is_taken_at_once() -> None:
    crowd = Crowd(12, 4)
    crowd.world.lead()
    assert crowd.world.clock.passed() < 13 * 14 / 4 + 14
