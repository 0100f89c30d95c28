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
from functools import partial

from teamlead.core import facts as f
from teamlead.core.events import AnyEvent, Recorded
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import Turn, step
from teamlead.engine.alarm import Alarm
from teamlead.engine.conflict_radar import Radar
from teamlead.engine.intake import Intake, Offer, outcomes_of, tell
from teamlead.engine.listening import Listening
from teamlead.engine.parts import Parts
from teamlead.engine.pending_events import PendingEvents
from teamlead.engine.performers import Performers
from teamlead.engine.person_at_terminal import PersonAtTerminal
from teamlead.engine.stopping import VANISHED, WHY, End, Stopping
from teamlead.engine.under_way import LOOK, UnderWay
from teamlead.errors import MachineUnable, StorageFailed


class Leader:
    def __init__(self, state: TeamState, parts: Parts, *, staffed: bool = True, linger: bool = False) -> None:
        """`staffed`: it runs agents; otherwise it only applies commands. `linger`: it waits for people."""
        self.state = state
        self._parts = parts
        self._staffed = staffed
        self._linger = linger
        self._wake = asyncio.Event()
        self._crash: BaseException | None = None
        self._intake = Intake(parts, self._wake.set, self._break)
        self._pending = PendingEvents(state, parts, self._wake.set)
        self._listening = Listening(state, self.put)
        self._performers = Performers(parts, self._listening)
        self._under_way = UnderWay(
            state,
            self._performers,
            parts.clock,
            offer=self.offer,
            wake=self._wake.set,
            fail=self._fail,
            patient=staffed,
        )
        self._stopping = Stopping(state, self._under_way, self.offer, staffed=staffed)
        self._person = PersonAtTerminal(state, parts.person, self._under_way)
        self._alarm = Alarm(state, parts.clock, self._under_way.postponed, self._wake.set)
        self._radar = Radar(parts.workspace, parts.radar * staffed, self._begin_look, self.offer)

    def offer(self, fact: f.AnyFact) -> None:
        self._intake.offer(fact)

    async def put(self, fact: f.AnyFact) -> None:
        """Returns once it is on disk with what it caused; raises its refusal."""
        await self._intake.put(fact)

    def stop(self, reason: str) -> None:
        """Once: start nothing more and let agents end within the grace. Again: end them now."""
        self._person.leave_alone()
        self._stopping.stop(reason)

    async def run(self, holder: str, epoch: int) -> End:
        await self._arrive(holder, epoch)
        try:
            return await self._lead()
        except StorageFailed as error:
            # Where the machine stopped the work first, what the journal says of it comes second.
            unable = self._stopping.unable
            if unable is None or unable is error:
                raise
            raise unable from error
        finally:
            await self._abandon()

    async def _arrive(self, holder: str, epoch: int) -> None:
        if self._staffed:
            # First: what is held must not start.
            self._offer_holds()
            self.offer(f.LeaderArrived(epoch, holder))
        elif self.state.leader:
            self.offer(f.LeaderLeft(VANISHED))
        self.state.fresh_due[:] = list(self.state.due)
        # The rows of what was folded are in the journal, each in the transaction of its events.
        self.state.touched.clear()
        if self._staffed:
            await self._performers.runs.end_leftovers(self.state)
            await self._parts.workspace.tidy()
        for fact in await self._performers.done_before(self.state):
            self.offer(fact)
        self._intake.take_commands()
        if self._staffed:
            await self._looked()
        self._intake.poll_later()

    def _offer_holds(self) -> None:
        for kind in self.state.kinds:
            held = self._parts.held(kind)
            if held is not None:
                self.offer(f.KindHeld(kind, held.until, held.reason))

    async def _looked(self) -> bool:
        """At the user's repository. Whether there is something to decide now."""
        if (fact := await self._performers.look(self.state)) is not None:
            self.offer(fact)
        return bool(self._intake.waiting)

    async def _lead(self) -> End:
        end = await self._until_end()
        if self._staffed:
            # What has come meanwhile, such as an answer, may have given it work again.
            while self._stopping.unable is None and await self._looked():
                end = await self._until_end()
            # What a disk, or somebody else, changed is put right at the end: to look at all rows takes time.
            self.state.touched |= dict.fromkeys(self._parts.journal.doubtful(self.state.tasks))
            unable = self._stopping.unable
            self.offer(f.LeaderLeft(unable.message if unable else WHY[end]))
            await self._turn()
        await self._pending.write(durable=True)
        if self._stopping.unable is not None:
            raise self._stopping.unable
        return end

    async def _until_end(self) -> End:
        while (end := await self._cycle()) is None:
            pass
        return end

    async def _cycle(self) -> End | None:
        self._wake.clear()
        await self._turn()
        if self._crash is not None:
            raise self._crash
        end = self._end()
        if end is None and not self._intake.waiting:
            self._alarm.set()
            await self._wake.wait()
        return end

    async def _turn(self) -> None:
        batch = self._intake.next_batch()
        now = self._parts.clock.now()
        turn = step(self.state, [offer.fact for offer in batch], now)
        first = self.state.seq - len(turn.events) + 1
        self._pending.add(now, turn.events)
        outcomes = outcomes_of(batch, turn)
        if outcomes:
            # Somebody may have answered elsewhere.
            self._person.leave_alone()
        if turn.durable or outcomes or any(offer.told for offer in batch):
            await self._pending.write(durable=True, outcomes=outcomes)
            self._intake.answered(outcomes)
            tell(batch, turn)
            self._pause_if_wanted(batch, turn)
        elif self._pending.overdue:
            await self._pending.write(durable=False)
        else:
            self._pending.write_soon()
        if turn.events:
            self._notice(first, now, turn.events)
        self._under_way.launch(self._stopping.may)

    def _pause_if_wanted(self, batch: list[Offer], turn: Turn) -> None:
        for position, offer in enumerate(batch):
            if isinstance(offer.fact, f.PauseSession) and position not in turn.refusals:
                self._stopping.pause()

    def _notice(self, first: int, now: float, events: list[AnyEvent]) -> None:
        self._person.notice(events)
        self._listening.look()
        self._radar.notice(self.state, events)
        recorded = [Recorded(first + offset, now, event) for offset, event in enumerate(events)]
        self._parts.observe(recorded, self.state)

    def _end(self) -> End | None:
        """Whether there is nothing left to do here, and why."""
        if self._intake.waiting or self._under_way.running:
            return None
        if self._under_way.postponed and not self._stopping.begun:
            return None
        if self.state.final:
            return "finished"
        if self._stopping.begun:
            return self._stopping.how
        if not self._staffed:
            return "waiting"
        if self.state.next_timer() is not None or any(map(self._stopping.may, self.state.due.values())):
            return None
        if self._person.there:
            self._person.ask()
            return None
        return None if self._linger else "waiting"

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, MachineUnable):
            self._person.leave_alone()
            self._stopping.give_way(error)
        else:
            self._break(error)

    def _break(self, error: BaseException) -> None:
        """With it the loop ends."""
        self._crash = error
        self._wake.set()

    def _begin_look(self) -> None:
        self._under_way.begin(LOOK, partial(self._radar.look, self.state))

    async def _abandon(self) -> None:
        """Leaves nothing of this process running behind."""
        for part in (self._alarm, self._pending, self._stopping, self._radar, self._intake):
            part.close()
        if self._performers.runs.running:
            # What goes wrong here must not hide why the leader ends.
            await asyncio.gather(self._performers.runs.end_all(0.0), return_exceptions=True)
        await asyncio.gather(self._under_way.abandon(), self._performers.runs.close(), return_exceptions=True)
