"""The agents and models that this process runs: started, reached, stopped, and found again after a leader.

Who works on an attempt has the attempt's own copy and, where its program can, the team's tools. Who is asked
something, or makes a plan, borrows a clean copy of the commit in question, and what it says is read as an
answer.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

from msgspec.structs import replace

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.attempts.going_without import unread_gaps
from teamlead.core.attempts.verdicts import taken_as_is
from teamlead.core.model import Usage
from teamlead.core.runs import BLIND, Run, RunEnd, run_id
from teamlead.core.state.budget import grants_nothing
from teamlead.core.state.records import Attempt, Message, Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import letter
from teamlead.engine.functions import perform
from teamlead.engine.listening import Listening
from teamlead.engine.parts import Briefing, Lent, Parts, Shown
from teamlead.engine.run_specs import room_of_agent, spec_of
from teamlead.errors import DiskUnusable, MachineUnable, StaleLeader, TeamleadError
from teamlead.ports.runner import RunHandle, Runner, RunSpec
from teamlead.ports.team import Team, TeamServerPort


@dataclass(slots=True)
class _Live:
    """A run in this process, as whoever wants it to end sees it."""

    handle: RunHandle | None = None
    stop_after: float | None = None
    """Seconds of grace, once somebody wants it to end."""
    reachable: asyncio.Event = field(default_factory=asyncio.Event)
    """It runs, or it never will."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    sending: asyncio.Lock = field(default_factory=asyncio.Lock)
    sent: set[str] = field(default_factory=set)
    """Messages that went into it."""

    async def start(self, runner: Runner, spec: RunSpec) -> None:
        self.handle = await runner.start(spec)
        if self.stop_after is not None:
            await self.handle.cancel(self.stop_after)

    async def end(self, grace: float) -> None:
        self.stop_after = grace
        if self.handle is not None:
            await self.handle.cancel(grace)
        await self.over.wait()


def _overtakes(state: TeamState, message: Message, unread: Sequence[str], sent: set[str]) -> bool:
    """An earlier one of its sender has not gone in: it comes with that, at the next tool call or prompt."""
    earlier = takewhile(message.id.__ne__, unread)
    return any(state.messages[each].sender == message.sender and each not in sent for each in earlier)


def _owns_copy(run: Run) -> bool:
    return run.purpose == "work" and not run.commit


class Runs:
    def __init__(self, parts: Parts, listening: Listening) -> None:
        self._parts = parts
        self._listening = listening
        self._live: dict[str, _Live] = {}
        self._server: TeamServerPort | None = None
        self._serving = asyncio.Lock()

    @property
    def running(self) -> bool:
        return bool(self._live)

    async def run(self, state: TeamState, effect: do.RunAgent) -> f.AnyFact:
        run = state.runs[effect.run]
        live = self._live[run.id] = _Live()
        try:
            end = await self._end_of(state, run, live)
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError as error:
            if run.purpose == "work":
                return f.EffectFailed(run.task, run.attempt, "starting the agent", str(error))
            end = RunEnd("error", detail=str(error))
        finally:
            del self._live[run.id]
            live.reachable.set()
            live.over.set()
        return await self._told(state, run, end)

    async def _told(self, state: TeamState, run: Run, end: RunEnd) -> f.RunOver:
        kept = replace(end, report="")
        if _owns_copy(run) or end.status != "ok":
            return f.RunOver(run.id, kept)
        assert self._parts.consulting is not None
        try:
            answer = await self._parts.consulting.read(state, run, end.report or end.summary)
        except MachineUnable:
            raise
        except TeamleadError as error:
            # The form that it gets again says what to do.
            return f.RunOver(run.id, kept, problem=error.message)
        return f.RunOver(run.id, kept, answer)

    async def _end_of(self, state: TeamState, run: Run, live: _Live) -> RunEnd:
        performed = perform(state, run)
        if performed is not None:
            return performed
        runner = self._parts.runner_for(run.agent)
        spec = self._spec(state, run)
        known = await runner.recall(spec)
        if known is not None:
            return known
        taken = taken_as_is(state.tasks[run.task]) if run.purpose == "work" else None
        if taken is not None:
            nothing = Usage(0, 0, 0.0)
            return RunEnd("ok", taken.run.summary, usage=nothing, conversation=taken.run.conversation)
        if live.stop_after is not None:
            return RunEnd("interrupted", detail="stopped before it started")
        held = self._parts.held(kind_of(run.agent))
        if held is not None:
            return RunEnd("limit", detail=f"another session has met it: {held.reason}", reset_at=held.until)
        if state.final:
            return RunEnd("interrupted", detail="its session ended before it began")
        if grants_nothing(spec.budget):
            # Its next start waits, or asks. A limit of nothing would be none at all to its program.
            return RunEnd("interrupted", detail="others have used up its budget before it began")
        self._parts.require_disk_space()
        if _owns_copy(run):
            return await self._work(state, run, live, spec)
        return await self._ask(state, run, live, spec)

    def _spec(self, state: TeamState, run: Run) -> RunSpec:
        return spec_of(state, self._parts, run, partial(self._permit, run.task, run.number))

    async def _permit(self, task: str, attempt: int, what: str) -> str:
        try:
            return await self._listening.permission(task, attempt, what, self._parts.permission_wait)
        except TeamleadError as error:
            return error.message

    # At work on an attempt

    async def _work(self, state: TeamState, run: Run, live: _Live, spec: RunSpec) -> RunEnd:
        runner = self._parts.runner_for(run.agent)
        team = await self._admit(runner, spec)
        try:
            await self._brief(state, live, runner, spec._replace(team=team))
            assert live.handle is not None
            return self._unless_disk_full(await live.handle.result())
        finally:
            if team is not None and self._server is not None:
                self._server.dismiss(team)

    async def _brief(self, state: TeamState, live: _Live, runner: Runner, spec: RunSpec) -> None:
        task = state.tasks[spec.task]
        if files := self._parts.long_texts(state, task):
            await self._parts.workspace.hand_over(spec.task, files)
        lent = await self._lend(task, spec)
        briefing = Briefing(spec.team is not None, bool(spec.conversation), spec.cwd, lent)
        told = tuple(task.member.unread)
        await live.start(runner, spec._replace(prompt=self._parts.prompt(state, task, briefing)))
        if told:
            # Whoever has ended by now is told again, at worst.
            with suppress(TeamleadError):
                await self._listening.put(f.MessagesTaken(spec.task, spec.attempt, told))
        # Not before: what it has been told would be sent to it again.
        live.reachable.set()

    async def _lend(self, task: Task, spec: RunSpec) -> tuple[Lent, ...]:
        """What the lead reads itself is logged before anybody sees it."""
        if next(unread_gaps(task), None) is None:
            return ()
        lent = await asyncio.to_thread(self._parts.excerpts, task, spec.cwd)
        if lent:
            excerpts = tuple(each.excerpt for each in lent)
            await self._listening.put(f.LeadRead(spec.task, spec.attempt, excerpts))
        return lent

    async def _admit(self, runner: Runner, spec: RunSpec) -> Team | None:
        if not runner.capabilities.team or self._parts.team is None:
            return None
        async with self._serving:
            if self._server is None:
                server = self._parts.team(self._listening)
                await server.start()
                self._server = server
        return self._server.admit(spec.task, spec.attempt, spec.role, spec.form)

    def _unless_disk_full(self, end: RunEnd) -> RunEnd:
        """An agent that failed on a full disk is not to blame; its next attempt will meet the disk first."""
        if end.status in {"error", "timeout"}:
            try:
                self._parts.require_disk_space()
            except DiskUnusable as full:
                return replace(end, status="interrupted", detail=f"{end.detail} ({full.message})")
        return end

    # Asked something

    async def _ask(self, state: TeamState, run: Run, live: _Live, spec: RunSpec) -> RunEnd:
        task = state.tasks.get(run.task)
        files = self._parts.long_texts(state, task) if task and run.role == "judge" else {}
        async with self._parts.workspace.borrow(run.commit, provided=False, files=files) as loan:
            if live.stop_after is not None:
                return RunEnd("interrupted", detail="stopped before it started")
            prompt = await self._question(state, run)
            slot = state.session.limits.live_attempts + loan.number
            room = room_of_agent(state, self._parts, loan.room)
            borrowed = spec._replace(prompt=prompt, cwd=loan.path, slot=slot, room=room)
            await live.start(self._parts.runner_for(run.agent), borrowed)
            assert live.handle is not None
            end = await live.handle.result()
            return self._unless_disk_full(end) if run.purpose == "work" else end

    async def _question(self, state: TeamState, run: Run) -> str:
        assert self._parts.consulting is not None
        if run.purpose in {"work", *BLIND}:
            return self._parts.consulting.prompt(state, run, Shown())
        task = state.tasks.get(run.task)
        last = task.attempts[-1] if task and task.attempts else None
        before = (last.base if last else "") or state.session.base_commit
        change = "" if before == run.commit else await self._parts.workspace.difference(before, run.commit)
        log = ""
        if last is not None:
            folder = self._parts.attempts / run_id(run.task, last.number)
            log = await self._parts.consulting.transcript(folder)
        since = await self._since(task, run) if task and run.purpose == "judge" else ""
        return self._parts.consulting.prompt(state, run, Shown(log, change, since))

    async def _since(self, task: Task, run: Run) -> str:
        """What is different from the last attempt that left other work, where git still has that."""
        earlier = (attempt.work.commit for attempt in reversed(task.attempts[: run.attempt - 1]))
        before = next((commit for commit in earlier if commit not in {"", run.commit}), "")
        try:
            return await self._parts.workspace.difference(before, run.commit) if before else ""
        except MachineUnable:
            raise
        except TeamleadError:
            return ""

    # Reached, stopped, found again

    async def deliver(self, state: TeamState, effect: do.Deliver) -> f.AnyFact | None:
        """Where the program has no way in mid-turn, the next tool call or prompt takes it along."""
        live = self._live.get(run_id(effect.task, effect.attempt))
        if live is None:
            return None
        await live.reachable.wait()
        message = state.messages[effect.message]
        # One after the other, as they were sent.
        async with live.sending:
            unread = state.tasks[effect.task].member.unread
            if effect.message not in unread or _overtakes(state, message, unread, live.sent):
                return None
            if live.handle is None or not await live.handle.send(letter(message)):
                return None
            live.sent.add(effect.message)
        return f.MessagesTaken(effect.task, effect.attempt, (effect.message,))

    async def stop(self, state: TeamState, effect: do.StopAgent) -> f.AnyFact:
        live = self._live.get(effect.run)
        if live is not None:
            await live.end(state.session.limits.grace)
        else:
            await self._recall(state, state.runs[effect.run])
        return f.RunQuiet(effect.run)

    async def end_all(self, grace: float) -> None:
        """Ends every run of this process; each reports as interrupted. All are tried."""
        ends = (live.end(grace) for live in list(self._live.values()))
        for problem in await asyncio.gather(*ends, return_exceptions=True):
            if problem is not None:
                raise problem

    async def end_leftovers(self, state: TeamState) -> None:
        """Nothing of an earlier leader's runs on, whatever becomes of its attempts here.

        That a copy was ready may not have reached the journal, so every attempt may have had its agent.
        """
        for run in {**state.seated, **state.advising}.values():
            await self._recall(state, run)

    async def _recall(self, state: TeamState, run: Run) -> RunEnd | None:
        """Makes sure that nothing of it is alive, also another process's, left behind."""
        with suppress(TeamleadError):
            # One that cannot be found went with its leader; nobody could do more about it here.
            return await self._parts.runner_for(run.agent).recall(self._spec(state, run))
        return None

    async def last_words(self, state: TeamState, task: str, attempt: Attempt) -> str:
        """In full: the journal keeps only their beginning."""
        run = (taken_as_is(state.tasks[task]) or attempt).run
        known = await self._recall(state, run)
        return (known and (known.report or known.summary)) or attempt.run.summary

    async def close(self) -> None:
        if self._server is not None:
            await self._server.close()
