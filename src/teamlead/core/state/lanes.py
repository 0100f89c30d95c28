"""Where tasks wait to start: one lane for each stage, kind of agent and role, since each may have to wait.

So a stage that is not open, a hold or an empty budget closes lanes, and nothing looks at the tasks in them.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from teamlead.core.state.budget import Purse


class Head(NamedTuple):
    """The first of a lane. In this order: those whose moment has come, then those that may start at once."""

    untimed: bool
    moment: float
    order: int
    task: str


@dataclass(slots=True, eq=False)
class Lane:
    kind: str
    role: str
    funds: tuple[Purse, ...] = ()
    """What the runs of its tasks are paid from, besides their own."""
    ready: list[tuple[int, int, str]] = field(default_factory=list)
    """Heap of (order, ticket, task) that may start at once. Entries may be stale, the head never is."""
    timers: list[tuple[float, int, int, str]] = field(default_factory=list)
    """Heap of (moment, order, ticket, task) that may start at that moment; same law."""

    @property
    def empty(self) -> bool:
        return not self.ready and not self.timers

    @property
    def first(self) -> str:
        """The task that comes next in a lane that is not empty."""
        return self.ready[0][2] if self.ready else self.timers[0][3]

    def head(self, now: float) -> Head | None:
        if self.timers and self.timers[0][0] <= now:
            moment, order, _, name = self.timers[0]
            return Head(untimed=False, moment=moment, order=order, task=name)
        if self.ready:
            order, _, name = self.ready[0]
            return Head(untimed=True, moment=0.0, order=order, task=name)
        return None

    def opens(self, until: float | None) -> float | None:
        """When time alone makes something startable, if the lane is closed `until` then."""
        if self.ready and until is not None:
            return until
        return max(self.timers[0][0], until or 0.0) if self.timers else None
