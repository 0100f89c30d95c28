"""What is being done for a leader, by the key of its effect: begun when it is due, never twice at a time."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.state.records import MACHINE
from teamlead.core.state.team_state import TeamState
from teamlead.engine.performers import Performers
from teamlead.errors import MachineBusy
from teamlead.ports.clock import Clock

LOOK = "Look:"
"""The key of what only looks around."""
STARTING = (do.PrepareCopy, do.RunAgent, do.Check, do.CheckWhole)
"""What starts an agent or a check, soon or at once."""
CHECKING = (do.Check, do.CheckWhole)
CHECKS = ("Check:", "CheckWhole:")
GIVEN_UP = ("PrepareCopy:", "Check:", "CheckWhole:", "Notify:", LOOK)
"""What may take long and can be done again from its start: it is cancelled rather than waited for."""
HURRIED_GRACE = 1.0
"""Seconds that agents have then."""

Work = Coroutine[Any, Any, f.AnyFact | None]


class UnderWay:
    def __init__(
        self,
        state: TeamState,
        performers: Performers,
        clock: Clock,
        *,
        offer: Callable[[f.AnyFact], None],
        wake: Callable[[], None],
        fail: Callable[[BaseException], None],
        patient: bool,
    ) -> None:
        """`patient`: what a busy machine cannot do is done again later. `fail` gets what went wrong."""
        self._state = state
        self._performers = performers
        self._clock = clock
        self._offer = offer
        self._wake = wake
        self._fail = fail
        self._patient = patient
        self.running: dict[str, asyncio.Task[f.AnyFact | None]] = {}
        self.postponed: dict[str, None] = {}
        """What is done again when the machine can."""
        self._checking = ""
        """The key of the last check of the whole plan: it ends when there is work again."""

    def launch(self, may: Callable[[do.AnyEffect], bool]) -> None:
        """Begins what is due, if it may be begun and nothing is in its way."""
        state, running = self._state, self.running
        if self._checking in running and self._checking not in state.due:
            running[self._checking].cancel()
        later = []
        rests = MACHINE in state.holds and state.machine_rests(self._clock.now())
        again = [] if rests else list(self.postponed)
        for key in (*again, *state.fresh_due):
            self.postponed.pop(key, None)
            effect = state.due.get(key)
            if effect is None or not may(effect):
                continue
            if rests and isinstance(effect, STARTING):
                self.postponed[key] = None
                continue
            if self._in_the_way(key, effect):
                later.append(key)
            else:
                self._checking = key if isinstance(effect, do.CheckWhole) else self._checking
                self.begin(key, self._carry_out(effect))
        state.fresh_due[:] = later

    def _in_the_way(self, key: str, effect: do.AnyEffect) -> bool:
        """What was due before is still at it; its end wakes the loop."""
        if key in self.running:
            return True
        if isinstance(effect, CHECKING):
            at_work = sum(key.startswith(CHECKS) for key in self.running)
            return at_work >= self._state.session.limits.checks_at_once
        return isinstance(effect, do.PrepareCopy) and f"Release:{effect.task}" in self.running

    def begin(self, key: str, work: Work) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.running[key] = task
        task.add_done_callback(partial(self._over, key))

    def cancel(self, key: str) -> None:
        if key in self.running:
            self.running[key].cancel()

    def hurry(self) -> None:
        """Ends agents, and gives up what can be done again."""
        for key, task in self.running.items():
            if key.startswith(GIVEN_UP):
                task.cancel()
        self.begin("end agents", self._performers.runs.end_all(HURRIED_GRACE))
        self._wake()

    def _over(self, key: str, task: asyncio.Task[f.AnyFact | None]) -> None:
        """What came of it is told when it is over, so that one turn sees both."""
        del self.running[key]
        self._wake()
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, MachineBusy) and self._patient:
            self.postponed[key] = None
            self._offer(f.MachineShort(error.message))
        elif error is not None:
            self._fail(error)
        elif (fact := task.result()) is not None:
            self._offer(fact)

    def _carry_out(self, effect: do.AnyEffect) -> Work:
        return (
            self._stop(effect)
            if isinstance(effect, do.StopAgent)
            else self._performers.perform(self._state, effect)
        )

    async def _stop(self, effect: do.StopAgent) -> f.AnyFact | None:
        if self._state.runs[effect.run].purpose == "work":
            await self._end_work(effect)
        return await self._performers.perform(self._state, effect)

    async def _end_work(self, effect: do.StopAgent) -> None:
        """Until nothing but the agent itself is at work for an attempt, it holds its slot and its copy."""
        run = self._state.runs[effect.run]
        kinds = (*GIVEN_UP, "Collect:")
        attempt = tuple(f"{kind}{run.task}:{run.attempt}:" for kind in kinds)
        at_work = {key: task for key, task in self.running.items() if f"{key}:".startswith(attempt)}
        for key, task in at_work.items():
            if key.startswith(GIVEN_UP):
                task.cancel()
        if at_work:
            await asyncio.wait(at_work.values())

    async def abandon(self) -> None:
        """Nothing of it is left when this returns."""
        tasks = list(self.running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
