"""One session's leader: takes facts, writes what they cause, starts what is due.

Laws:
- Nothing acts on a decision before the journal has it, except what looking at the world finds again.
- A commit that fails ends the leader: memory is ahead of the disk.
- What the machine cannot do is nobody's failure. A disk that takes nothing more ends the leader in order: a
  resume goes on from the journal. While processes, descriptors or memory are wanting, nothing is started, and
  what could not be done is done again afterwards.
- Effects are level-triggered: after any restart, what the folded state says is due is started again.
"""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any, Literal

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.events import AnyEvent, EscalationRaised, EscalationWithdrawn
from teamlead.core.state.records import MACHINE
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import Turn, consequence, step
from teamlead.core.transitions import PAUSED
from teamlead.engine.listening import Listening
from teamlead.engine.offers import Offer, give_up, nobody_listens, outcome, recorded, tell
from teamlead.engine.parts import Parts
from teamlead.engine.performers import Performers
from teamlead.engine.radar import Radar
from teamlead.errors import Failed, MachineBusy, MachineUnable, StorageFailed
from teamlead.ports import Commit, Outcome, Stamped

End = Literal["finished", "waiting", "paused", "interrupted"]

FLUSH_AFTER = 0.005
"""Seconds that events may ride in memory, where looking at the world would find them again."""
LONGEST_ALARM = 30.0
"""The wall clock is looked at again at least this often: it may jump, and the machine may sleep."""
HURRIED_GRACE = 1.0
PERSON = "person"
LOOK = "Look:"

UNATTENDED = (do.ApplyWork, do.Release, do.StopAgent, do.Notify)
"""What a command may carry out when no leader runs: it starts no work."""
NOT_WHEN_HURRIED = (do.PrepareCopy, do.RunAgent, do.Check, do.CheckWhole, do.Notify)
NOT_WHEN_DRAINING = (do.PrepareCopy, do.RunAgent, do.CheckWhole)
STARTING = (do.PrepareCopy, do.RunAgent, do.Check, do.CheckWhole)
"""What starts an agent or a check, soon or at once."""
CHECKING = (do.Check, do.CheckWhole)
CHECKS = ("Check:", "CheckWhole:")
GIVEN_UP = ("PrepareCopy:", "Check:", "CheckWhole:", "Notify:", LOOK)
"""What may take long and can be done again from its start: it is cancelled rather than waited for."""


class Leader:
    def __init__(self, state: TeamState, parts: Parts, *, staffed: bool = True, linger: bool = False) -> None:
        """`staffed`: it runs agents; otherwise it only applies commands. `linger`: it waits for people."""
        self.state = state
        self._parts = parts
        self._staffed = staffed
        self._linger = linger
        self._listening = Listening(state, self.put)
        self._performers = Performers(parts, self._listening)
        self._radar = Radar(state, parts.workspace, parts.radar * staffed, self._begin_look, self.offer)
        self._facts: list[Offer] = []
        self._batch: list[Offer] = []
        """What this turn is about."""
        self._gone = False
        self._taken: dict[str, None] = {}
        self._pending: list[Stamped] = []
        self._running: dict[str, asyncio.Task[f.AnyFact | None]] = {}
        self._checking = ""
        """The key of the last check of the whole plan: it ends when there is work again."""
        self._wake = asyncio.Event()
        self._flush_due = False
        self._flush_handle: asyncio.TimerHandle | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._nobody_there = parts.person is None
        self._last_call: asyncio.TimerHandle | None = None
        self._paused = False
        self._hurried = False
        self._poll: asyncio.TimerHandle | None = None
        self._crash: BaseException | None = None
        self._unable: Failed | None = None
        """Why the machine lets this leader do nothing more."""
        self._postponed: dict[str, None] = {}
        """What is done again when the machine can."""

    def offer(self, fact: f.AnyFact, command: str | None = None) -> None:
        self._facts.append(Offer(fact, command))
        self._wake.set()

    async def put(self, fact: f.AnyFact) -> None:
        """Returns once it is on disk with what it caused; raises its refusal."""
        if self._gone:
            raise nobody_listens()
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._facts.append(Offer(fact, told=told))
        self._wake.set()
        await told

    async def run(self, holder: str, epoch: int) -> End:
        if self._staffed:
            # First: what is held must not start.
            self._offer_holds()
            self.offer(f.LeaderArrived(epoch, holder))
        elif self.state.leader:
            self.offer(f.LeaderLeft("its leader ended without a word"))
        self.state.fresh_due[:] = list(self.state.due)
        # The rows of what was folded are in the journal, each in the transaction of its events.
        self.state.touched.clear()
        if self._staffed:
            await self._performers.runs.end_leftovers(self.state)
            await self._parts.workspace.tidy()
        for fact in await self._performers.done_before(self.state):
            self.offer(fact)
        self._take_commands()
        if self._staffed:
            await self._looked()
        self._poll_later()
        try:
            return await self._lead()
        except StorageFailed as error:
            # Where the machine stopped the work first, what the journal says of it comes second.
            if self._unable is None or self._unable is error:
                raise
            raise self._unable from error
        finally:
            await self._abandon()

    def _offer_holds(self) -> None:
        for kind in self.state.kinds:
            held = self._parts.held(kind)
            if held is not None:
                self.offer(f.KindHeld(kind, held.until, held.reason))

    async def _looked(self) -> bool:
        """At the user's repository. Whether there is something to decide now."""
        if (fact := await self._performers.look(self.state)) is not None:
            self.offer(fact)
        return bool(self._facts)

    async def _lead(self) -> End:
        end = await self._until_end()
        if self._staffed:
            # What has come meanwhile, such as an answer, may have given it work again.
            while self._unable is None and await self._looked():
                end = await self._until_end()
            # What a disk, or somebody else, changed is put right at the end: to look at all rows takes time.
            self.state.touched |= dict.fromkeys(self._parts.journal.doubtful(self.state.tasks))
            self.offer(f.LeaderLeft(self._unable.message if self._unable else _WHY[end]))
            await self._turn()
        await self._flush(durable=True)
        if self._unable is not None:
            raise self._unable
        return end

    async def _until_end(self) -> End:
        while (end := await self._cycle()) is None:
            pass
        return end

    def stop(self, reason: str) -> None:
        """Once: start nothing more and let agents end within the grace. Again: end them now."""
        self._leave_person_alone()
        if self._last_call is None and self._staffed:
            self.offer(f.LeaderDraining(reason))
        self._call_last()

    def _call_last(self) -> None:
        if self._last_call is not None or not self._staffed:
            self._hurry()
            return
        grace = self.state.session.limits.grace
        self._last_call = asyncio.get_running_loop().call_later(grace, self._hurry)

    def _hurry(self) -> None:
        if self._hurried:
            return
        self._hurried = True
        for key, task in self._running.items():
            if key.startswith(GIVEN_UP):
                task.cancel()
        self._spawn("end agents", self._performers.runs.end_all(HURRIED_GRACE))
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
        self._batch, self._facts = self._facts, []
        batch = self._batch
        now = self._parts.clock.now()
        turn = step(self.state, [offer.fact for offer in batch], now)
        first = self.state.seq - len(turn.events) + 1
        self._pending += [Stamped(now, event) for event in turn.events]
        outcomes = [
            outcome(offer.command, offer.fact, turn, position)
            for position, offer in enumerate(batch)
            if offer.command is not None
        ]
        if turn.durable or outcomes or any(offer.told for offer in batch):
            await self._flush(durable=True, outcomes=outcomes)
            tell(batch, turn)
            self._pause_if_wanted(batch, turn)
        elif self._flush_due:
            await self._flush(durable=False)
        elif self._pending and self._flush_handle is None:
            self._flush_handle = asyncio.get_running_loop().call_later(FLUSH_AFTER, self._flush_soon)
        if turn.events:
            self._consider_person(turn.events)
            self._listening.look()
            self._radar.notice(turn.events)
            self._parts.observe(recorded(first, now, turn.events), self.state)
        self._launch()

    def _pause_if_wanted(self, batch: list[Offer], turn: Turn) -> None:
        for position, offer in enumerate(batch):
            if isinstance(offer.fact, f.PauseSession) and position not in turn.refusals:
                self._paused = True
                self._call_last()

    def _flush_soon(self) -> None:
        self._flush_handle = None
        if self._pending:
            self._flush_due = True
            self._wake.set()

    async def _flush(self, *, durable: bool, outcomes: list[Outcome] | None = None) -> None:
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
        if self._checking in self._running and self._checking not in self.state.due:
            self._running[self._checking].cancel()
        later = []
        rests = MACHINE in self.state.holds and self.state.machine_rests(self._parts.clock.now())
        again = [] if rests else list(self._postponed)
        for key in (*again, *self.state.fresh_due):
            self._postponed.pop(key, None)
            effect = self.state.due.get(key)
            if effect is None or not self._may(effect):
                continue
            if rests and isinstance(effect, STARTING):
                self._postponed[key] = None
                continue
            if self._in_the_way(key, effect):
                later.append(key)
            else:
                self._checking = key if isinstance(effect, do.CheckWhole) else self._checking
                self._spawn(key, self._carry_out(effect))
        self.state.fresh_due[:] = later

    def _in_the_way(self, key: str, effect: do.AnyEffect) -> bool:
        """What was due before is still at it; its end wakes the loop."""
        if key in self._running:
            return True
        if isinstance(effect, CHECKING):
            at_work = sum(key.startswith(CHECKS) for key in self._running)
            return at_work >= self.state.session.limits.checks_at_once
        return isinstance(effect, do.PrepareCopy) and f"Release:{effect.task}" in self._running

    def _may(self, effect: do.AnyEffect) -> bool:
        if self._unable is not None:
            return isinstance(effect, do.StopAgent)
        if not self._staffed:
            # A session that ends lets through what was being merged: there will be no other leader.
            return isinstance(effect, UNATTENDED) or (self.state.final and isinstance(effect, do.Integrate))
        if self._hurried:
            return not isinstance(effect, NOT_WHEN_HURRIED)
        return not (self.state.draining and isinstance(effect, NOT_WHEN_DRAINING))

    def _spawn(self, key: str, work: Coroutine[Any, Any, f.AnyFact | None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._running[key] = task
        task.add_done_callback(partial(self._over, key))

    def _over(self, key: str, task: asyncio.Task[f.AnyFact | None]) -> None:
        """What came of it is told when it is over, so that one turn sees both."""
        del self._running[key]
        self._wake.set()
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, MachineBusy) and self._staffed:
            self._postponed[key] = None
            self.offer(f.MachineShort(error.message))
        elif isinstance(error, MachineUnable):
            self._give_way(error)
        elif error is not None:
            self._crash = error
        elif (fact := task.result()) is not None:
            self.offer(fact)

    def _give_way(self, error: MachineUnable) -> None:
        """Ends what runs, and starts nothing more, not even what would only tidy up."""
        if self._unable is None:
            self._unable = error
            self._leave_person_alone()
            if self._staffed:
                self.offer(f.LeaderDraining(error.message))
            self._hurry()

    def _carry_out(self, effect: do.AnyEffect) -> Coroutine[Any, Any, f.AnyFact | None]:
        return (
            self._stop(effect)
            if isinstance(effect, do.StopAgent)
            else self._performers.perform(self.state, effect)
        )

    async def _stop(self, effect: do.StopAgent) -> f.AnyFact | None:
        if self.state.runs[effect.run].purpose == "work":
            await self._end_work(effect)
        return await self._performers.perform(self.state, effect)

    async def _end_work(self, effect: do.StopAgent) -> None:
        """Until nothing but the agent itself is at work for an attempt, it holds its slot and its copy."""
        run = self.state.runs[effect.run]
        kinds = (*GIVEN_UP, "Collect:")
        attempt = tuple(f"{kind}{run.task}:{run.attempt}:" for kind in kinds)
        at_work = {key: task for key, task in self._running.items() if f"{key}:".startswith(attempt)}
        for key, task in at_work.items():
            if key.startswith(GIVEN_UP):
                task.cancel()
        if at_work:
            await asyncio.wait(at_work.values())

    def _end(self) -> End | None:
        """Whether there is nothing left to do here, and why."""
        if self._facts or self._running:
            return None
        if self._postponed and not (self._hurried or self.state.draining):
            return None
        if self.state.final:
            return "finished"
        if self._hurried or self.state.draining:
            return "paused" if self._paused else "interrupted"
        if not self._staffed:
            return "waiting"
        if self.state.next_timer() is not None or any(self._may(e) for e in self.state.due.values()):
            return None
        if self._parts.person is not None and not self._nobody_there:
            self._spawn(PERSON, self._ask_person())
            return None
        return None if self._linger else "waiting"

    def _consider_person(self, events: list[AnyEvent]) -> None:
        """An agent that waits for a word is asked about at once, not when nothing else runs any more."""
        if self._parts.person is None:
            return
        if any(isinstance(event, EscalationWithdrawn) for event in events):
            self._leave_person_alone()
        if PERSON in self._running:
            return
        raised = (event for event in events if isinstance(event, EscalationRaised))
        if any(self._works(asker.task, asker.attempt) for event in raised for asker in event.tasks):
            self._spawn(PERSON, self._ask_person())

    def _works(self, task: str, attempt: int) -> bool:
        live = self.state.active.get(task)
        return live is not None and live.number == attempt

    async def _ask_person(self) -> f.AnyFact | None:
        assert self._parts.person is not None
        command = await self._parts.person(self.state)
        self._nobody_there = command is None
        return command

    def _leave_person_alone(self) -> None:
        """Somebody else answered, or the leader ends: the prompt has no purpose any more."""
        if PERSON in self._running:
            self._running[PERSON].cancel()

    def _begin_look(self) -> None:
        self._spawn(LOOK, self._radar.look())

    def _poll_later(self) -> None:
        self._poll = asyncio.get_running_loop().call_later(self._parts.inbox_every, self._poll_inbox)

    def _poll_inbox(self) -> None:
        try:
            self._take_commands()
        except Exception as error:  # noqa: BLE001 - the loop would log it, and nobody would listen any more
            self._crash = error
            self._wake.set()
        else:
            self._poll_later()

    def _take_commands(self) -> None:
        if not self._parts.inbox.changed():
            return
        self._parts.journal.verify()
        for command, fact in self._parts.inbox.take():
            if command in self._taken:
                continue
            if self._parts.journal.has_outcome(command):
                self._parts.inbox.drop([command])
                continue
            self._taken[command] = None
            self.offer(fact, command)
            self._leave_person_alone()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        moment = self.state.next_timer()
        machine = self.state.holds.get(MACHINE) if self._postponed else None
        if machine is not None and machine.until is not None:
            moment = min(machine.until, machine.until if moment is None else moment)
        if moment is None:
            return
        now = self._parts.clock.now()
        if moment > now:
            self._watch_clock(moment)
        elif self._postponed or consequence(self.state, now):
            # It came during this turn. Where nothing follows, a free slot is missing, whose coming wakes us.
            self._wake.set()

    def _watch_clock(self, moment: float) -> None:
        left = moment - self._parts.clock.now()
        if left > 0:
            wait = min(left, LONGEST_ALARM)
            self._alarm = asyncio.get_running_loop().call_later(wait, self._watch_clock, moment)
        else:
            self._wake.set()

    async def _abandon(self) -> None:
        """Leaves nothing of this process running behind."""
        for handle in (self._poll, self._alarm, self._flush_handle, self._last_call):
            if handle is not None:
                handle.cancel()
        self._radar.close()
        self._hear_nobody()
        if self._performers.runs.running:
            # What goes wrong here must not hide why the leader ends.
            await asyncio.gather(self._performers.runs.end_all(0.0), return_exceptions=True)
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, self._performers.runs.close(), return_exceptions=True)

    def _hear_nobody(self) -> None:
        """Whoever still waits for a word of this leader would keep it from ending."""
        self._gone = True
        give_up((*self._batch, *self._facts))


_WHY: dict[End, str] = {
    "finished": "the session has ended",
    "waiting": "nothing can move without a person",
    "paused": PAUSED,
    "interrupted": "it was interrupted",
}
