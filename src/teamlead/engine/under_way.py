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
STARTING = (do.PrepareCopy, do.RunAgent, do.Check, do.Prove, do.CheckWhole, do.Preflight)
"""What starts an agent or a check, soon or at once."""
CHECKING = (do.Check, do.Prove, do.CheckWhole, do.Preflight)
CHECKS = ("Check:", "Prove:", "CheckWhole:", "Preflight:")
GIVEN_UP = ("PrepareCopy:", "Check:", "Prove:", "CheckWhole:", "Preflight:", "Notify:", "AwaitAnswer:", LOOK)
"""What may take long and can be done again from its start: it is cancelled rather than waited for."""
MOOT = ("CheckWhole:", "Preflight:", "AwaitAnswer:")
"""What is cancelled as soon as nobody wants to know it any more."""
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
        self.running: dict[str, asyncio.Task[None]] = {}
        self.postponed: dict[str, None] = {}
        """What is done again when the machine can."""

    def launch(self, may: Callable[[do.AnyEffect], bool]) -> None:
        """Begins what is due, if it may be begun and nothing is in its way."""
        state, running = self._state, self.running
        for key in [key for key in running if key.startswith(MOOT) and key not in state.due]:
            self.cancel(key)
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
                self.begin(key, partial(self._carry_out, effect))
        state.fresh_due[:] = later

    def _in_the_way(self, key: str, effect: do.AnyEffect) -> bool:
        """What was due before is still at it; its end wakes the loop."""
        if key in self.running:
            return True
        if isinstance(effect, CHECKING):
            at_work = sum(key.startswith(CHECKS) for key in self.running)
            return at_work >= self._state.session.limits.checks_at_once
        return isinstance(effect, do.PrepareCopy) and f"Release:{effect.task}" in self.running

    def begin(self, key: str, work: Callable[[], Work]) -> None:
        self.running[key] = asyncio.get_running_loop().create_task(self._until_over(key, work))

    async def _until_over(self, key: str, work: Callable[[], Work]) -> None:
        """What came of it is told when it is over, so that one turn sees both."""
        fact: f.AnyFact | None = None
        error: Exception | None = None
        try:
            fact = await work()
        except Exception as raised:  # noqa: BLE001 - whatever it is, the leader has to know
            error = raised
        finally:
            del self.running[key]
            self._wake()
        if error is not None:
            self._failed(key, error)
        elif fact is not None:
            self._offer(fact)

    def _failed(self, key: str, error: Exception) -> None:
        if isinstance(error, MachineBusy) and self._patient:
            self.postponed[key] = None
            self._offer(f.MachineShort(error.message))
        else:
            self._fail(error)

    def cancel(self, key: str) -> None:
        task = self.running.get(key)
        if task is not None:
            task.cancel()
            # One that has not begun would never say that it is over.
            task.add_done_callback(partial(self._cut_short, key))

    def _cut_short(self, key: str, task: asyncio.Task[None]) -> None:
        if self.running.get(key) is task:
            del self.running[key]
            self._wake()

    def hurry(self) -> None:
        """Ends agents, and gives up what can be done again."""
        for key in self.running:
            if key.startswith(GIVEN_UP):
                self.cancel(key)
        self.begin("end agents", partial(self._performers.runs.end_all, HURRIED_GRACE))
        self._wake()

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
        for key in at_work:
            if key.startswith(GIVEN_UP):
                self.cancel(key)
        if at_work:
            await asyncio.wait(at_work.values())

    async def abandon(self) -> None:
        """Nothing of it is left when this returns."""
        tasks = list(self.running.values())
        for key in self.running:
            self.cancel(key)
        await asyncio.gather(*tasks, return_exceptions=True)
