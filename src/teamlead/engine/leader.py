"""One session's leader: takes facts, writes what they cause, starts what is due.

Laws:
- Nothing acts on a decision before the journal has it, except what looking at the world finds again.
- A commit that fails ends the leader: memory is ahead of the disk.
- Effects are level-triggered: after any restart, what the folded state says is due is started again.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Literal

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.events import AnyEvent, Recorded
from teamlead.core.state import TeamState
from teamlead.core.step import Turn, step
from teamlead.engine.parts import Parts
from teamlead.engine.performers import Performers
from teamlead.errors import TeamleadError
from teamlead.ports import Commit, Outcome, Stamped

End = Literal["finished", "waiting", "interrupted"]

FLUSH_AFTER = 0.005
"""Seconds that events may ride in memory, where looking at the world would find them again."""
INBOX_EVERY = 0.025
LONGEST_ALARM = 30.0
"""The wall clock is looked at again at least this often: it may jump, and the machine may sleep."""
HURRIED_GRACE = 1.0
PERSON = "person"

UNATTENDED = (do.ApplyWork, do.Release, do.StopAgent)
"""What a command may carry out when no leader runs: it starts no work."""
NOT_WHEN_HURRIED = (do.PrepareCopy, do.RunAgent, do.Check)
NOT_WHEN_DRAINING = (do.PrepareCopy, do.RunAgent)


class Leader:
    def __init__(self, state: TeamState, parts: Parts, *, staffed: bool = True, linger: bool = False) -> None:
        """`staffed`: it runs agents; otherwise it only applies commands. `linger`: it waits for people."""
        self.state = state
        self._parts = parts
        self._staffed = staffed
        self._linger = linger
        self._performers = Performers(state, parts)
        self._facts: list[tuple[str | None, f.AnyFact]] = []
        self._taken: dict[str, None] = {}
        self._pending: list[Stamped] = []
        self._running: dict[str, asyncio.Task[None]] = {}
        self._wake = asyncio.Event()
        self._flush_due = False
        self._flush_handle: asyncio.TimerHandle | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._nobody_there = parts.person is None
        self._hurried = False
        self._poll: asyncio.TimerHandle | None = None
        self._crash: BaseException | None = None

    def offer(self, fact: f.AnyFact, command: str | None = None) -> None:
        self._facts.append((command, fact))
        self._wake.set()

    async def run(self, holder: str, epoch: int) -> End:
        if self._staffed:
            self.offer(f.LeaderArrived(epoch, holder))
        elif self.state.leader:
            self.offer(f.LeaderLeft("its leader ended without a word"))
        self.state.fresh_due[:] = list(self.state.due)
        # The rows of what was folded are in the journal, each in the transaction of its events.
        self.state.touched.clear()
        self._poll_inbox()
        try:
            while (end := await self._cycle()) is None:
                pass
            if self._staffed:
                self.offer(f.LeaderLeft(_WHY[end]))
                await self._turn()
            await self._flush(durable=True)
            return end
        finally:
            await self._abandon()

    def stop(self, reason: str) -> None:
        """Once: start nothing more and let agents end within the grace. Again: end them now."""
        self._leave_person_alone()
        if not self.state.draining:
            self.offer(f.LeaderDraining(reason))
            asyncio.get_running_loop().call_later(self.state.session.limits.grace, self._hurry)
        else:
            self._hurry()

    def _hurry(self) -> None:
        if self._hurried:
            return
        self._hurried = True
        for key, task in self._running.items():
            if key.startswith("Check:"):
                task.cancel()
        self._spawn("end agents", self._performers.end_agents(HURRIED_GRACE))
        self._wake.set()

    async def _cycle(self) -> End | None:
        self._wake.clear()
        await self._turn()
        if self._crash is not None:
            raise self._crash
        end = self._end()
        if end is None and not self._facts:
            self._set_alarm()
            await self._wake.wait()
        return end

    async def _turn(self) -> None:
        batch, self._facts = self._facts, []
        now = self._parts.clock.now()
        turn = step(self.state, [fact for _, fact in batch], now)
        first = self.state.seq - len(turn.events) + 1
        self._pending += [Stamped(now, event) for event in turn.events]
        outcomes = [
            _outcome(command, turn, position)
            for position, (command, _) in enumerate(batch)
            if command is not None
        ]
        if turn.durable or outcomes:
            await self._flush(durable=True, outcomes=outcomes)
        elif self._flush_due:
            await self._flush(durable=False)
        elif self._pending and self._flush_handle is None:
            self._flush_handle = asyncio.get_running_loop().call_later(FLUSH_AFTER, self._flush_soon)
        if turn.events:
            self._parts.observe(_recorded(first, now, turn.events), self.state)
        self._launch()

    def _flush_soon(self) -> None:
        self._flush_due = True
        self._wake.set()

    async def _flush(self, *, durable: bool, outcomes: list[Outcome] | None = None) -> None:
        if self._flush_handle is not None:
            self._flush_handle.cancel()
            self._flush_handle = None
        self._flush_due = False
        if not self._pending and not outcomes:
            return
        rows = self._parts.view(self.state, list(self.state.touched))
        self.state.touched.clear()
        events, self._pending = self._pending, []
        await self._parts.journal.commit(Commit(events, rows, outcomes or (), durable))
        if outcomes:
            self._parts.inbox.drop([outcome.command for outcome in outcomes])
            for outcome in outcomes:
                self._taken.pop(outcome.command, None)

    def _launch(self) -> None:
        for key in self.state.fresh_due:
            effect = self.state.due.get(key)
            if effect is not None and key not in self._running and self._may(effect):
                self._spawn(key, self._carry_out(effect))
        self.state.fresh_due.clear()

    def _may(self, effect: do.AnyEffect) -> bool:
        if not self._staffed:
            return isinstance(effect, UNATTENDED)
        if self._hurried:
            return not isinstance(effect, NOT_WHEN_HURRIED)
        return not (self.state.draining and isinstance(effect, NOT_WHEN_DRAINING))

    def _spawn(self, key: str, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._running[key] = task
        task.add_done_callback(self._done(key))

    def _done(self, key: str) -> Callable[[asyncio.Task[None]], None]:
        def done(task: asyncio.Task[None]) -> None:
            del self._running[key]
            if not task.cancelled() and (error := task.exception()) is not None:
                self._crash = error
            self._wake.set()

        return done

    async def _carry_out(self, effect: do.AnyEffect) -> None:
        fact = await self._performers.perform(effect)
        if fact is not None:
            self.offer(fact)

    def _end(self) -> End | None:
        """Whether there is nothing left to do here, and why."""
        if self._facts or self._running:
            return None
        if self.state.final:
            return "finished"
        if self._hurried or self.state.draining:
            return "interrupted"
        if not self._staffed:
            return "waiting"
        if self.state.next_timer() is not None or any(self._may(e) for e in self.state.due.values()):
            return None
        if self._parts.person is not None and not self._nobody_there:
            self._spawn(PERSON, self._ask_person())
            return None
        return None if self._linger else "waiting"

    async def _ask_person(self) -> None:
        assert self._parts.person is not None
        command = await self._parts.person(self.state)
        if command is None:
            self._nobody_there = True
        else:
            self.offer(command)

    def _leave_person_alone(self) -> None:
        """Somebody else answered, or the leader ends: the prompt has no purpose any more."""
        if PERSON in self._running:
            self._running[PERSON].cancel()

    def _poll_inbox(self) -> None:
        if self._parts.inbox.changed():
            for command, fact in self._parts.inbox.take():
                if command in self._taken:
                    continue
                if self._parts.journal.has_outcome(command):
                    self._parts.inbox.drop([command])
                    continue
                self._taken[command] = None
                self.offer(fact, command)
                self._leave_person_alone()
        self._poll = asyncio.get_running_loop().call_later(INBOX_EVERY, self._poll_inbox)

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        moment = self.state.next_timer()
        if moment is None:
            return
        wait = moment - self._parts.clock.now()
        # A moment that has passed waits for a free slot, which wakes the loop by itself.
        if wait > 0:
            self._alarm = asyncio.get_running_loop().call_later(min(wait, LONGEST_ALARM), self._wake.set)

    async def _abandon(self) -> None:
        """Leaves nothing of this process running behind."""
        for handle in (self._poll, self._alarm, self._flush_handle):
            if handle is not None:
                handle.cancel()
        if self._performers.agents_running:
            await self._performers.end_agents(0.0)
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


_WHY: dict[End, str] = {
    "finished": "the session has ended",
    "waiting": "nothing can move without a person",
    "interrupted": "it was interrupted",
}


def _outcome(command: str, turn: Turn, position: int) -> Outcome:
    refusal: TeamleadError | None = turn.refusals.get(position)
    if refusal is None:
        return Outcome(command, accepted=True, message="")
    return Outcome(command, accepted=False, message=str(refusal), exit_code=refusal.exit_code)


def _recorded(first: int, at: float, events: list[AnyEvent]) -> list[Recorded]:
    return [Recorded(first + offset, at, event) for offset, event in enumerate(events)]
