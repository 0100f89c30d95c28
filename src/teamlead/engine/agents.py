"""The agents that this process runs: started, reached, stopped, and found again after another leader."""

import asyncio
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import sha256

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.budget import budget_left, grants_nothing
from teamlead.core.gaps import unread_gaps
from teamlead.core.messages import letter
from teamlead.core.model import Usage
from teamlead.core.records import Attempt, Task
from teamlead.core.staffing import conversation_for, kind_of, staff_of
from teamlead.core.state import TeamState
from teamlead.core.verdicts import taken_as_is
from teamlead.engine.listening import Listening
from teamlead.engine.parts import Briefing, Lent, Parts
from teamlead.engine.runs import Run, end, end_all, folder_of
from teamlead.errors import DiskUnusable, TeamleadError
from teamlead.ports import RunEnd, Runner, RunSpec, Team, TeamServerPort


class Agents:
    def __init__(self, state: TeamState, parts: Parts, listening: Listening) -> None:
        self._state = state
        self._parts = parts
        self._listening = listening
        self._runs: dict[tuple[str, int], Run] = {}
        self._server: TeamServerPort | None = None
        self._serving = asyncio.Lock()

    @property
    def running(self) -> bool:
        return bool(self._runs)

    async def run(self, effect: do.RunAgent) -> f.AnyFact:
        run = self._runs[effect.task, effect.attempt] = Run()
        try:
            ended = await self._run(effect, run)
        finally:
            del self._runs[effect.task, effect.attempt]
            run.reachable.set()
            run.over.set()
        return f.AgentEnded(
            effect.task,
            effect.attempt,
            ended.status,
            ended.summary,
            ended.detail,
            ended.question,
            ended.usage,
            ended.tool_calls,
            ended.turns,
            ended.conversation,
            ended.reset_at,
            ended.denials,
        )

    async def _run(self, effect: do.RunAgent, run: Run) -> RunEnd:
        runner = self._parts.runner_for(effect.agent)
        spec = self._spec(effect.task, effect.attempt)
        known = await runner.recall(spec)
        if known is not None:
            return known
        if (taken := taken_as_is(self._task(effect.task))) is not None:
            spent = Usage(0, 0, 0.0)
            return RunEnd("ok", taken.summary, usage=spent, tool_calls=None, conversation=taken.conversation)
        if run.stop_after is not None:
            return RunEnd("interrupted", detail="stopped before it started")
        held = self._parts.held(kind_of(effect.agent))
        if held is not None:
            return RunEnd("limit", detail=f"another session has met it: {held.reason}", reset_at=held.until)
        if grants_nothing(spec.budget):
            # Its next start waits, or asks. A limit of nothing would be none at all to its program.
            return RunEnd("interrupted", detail="others have used up its budget before it began")
        self._parts.require_disk_space()
        team = await self._admit(runner, spec)
        try:
            await self._start(runner, spec._replace(team=team), run)
            assert run.handle is not None
            return self._unless_disk_full(await run.handle.result())
        finally:
            if team is not None and self._server is not None:
                self._server.dismiss(team)

    async def _start(self, runner: Runner, spec: RunSpec, run: Run) -> None:
        task = self._task(spec.task)
        if files := self._parts.long_results(self._state, task):
            await self._parts.workspace.hand_over(spec.task, files)
        lent = await self._lend(task, spec)
        briefing = Briefing(spec.team is not None, bool(spec.conversation), spec.cwd, lent)
        told = tuple(task.unread)
        run.handle = await runner.start(spec._replace(prompt=self._parts.prompt(self._state, task, briefing)))
        if run.stop_after is not None:
            await run.handle.cancel(run.stop_after)
        if told:
            # Whoever has ended by now is told again, at worst.
            with suppress(TeamleadError):
                await self._listening.put(f.MessagesTaken(spec.task, spec.attempt, told))
        # Not before: what it has been told would be sent to it again.
        run.reachable.set()

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
        return self._server.admit(spec.task, spec.attempt, spec.role)

    def _spec(self, name: str, number: int) -> RunSpec:
        state = self._state
        task = self._task(name)
        limits = state.session.limits
        staff = staff_of(state, task.spec)
        budget = budget_left(task)
        agent = task.live.agent if task.live else staff.agent
        return RunSpec(
            session=state.session.id,
            task=name,
            attempt=number,
            role=task.spec.role,
            model=staff.model,
            prompt="",
            cwd=self._parts.workspace.path(name),
            folder=self._parts.attempts / folder_of(name, number),
            hard_timeout=_sooner(limits.hard_timeout, budget.seconds),
            idle_timeout=limits.idle_timeout,
            slot=task.live.slot if task.live else 0,
            effort=staff.effort,
            arguments=staff.arguments,
            policy=staff.policy,
            scope=task.spec.scope,
            budget=budget,
            conversation=conversation_for(task, agent),
            home=self._parts.homes / f"{name}-{_slug(agent)}",
            permit=partial(self._permit, name, number) if staff.policy.asks else None,
            own_settings=state.session.agent_settings,
            room=self._parts.workspace.room(name),
            secrets=self._parts.secrets,
        )

    async def _permit(self, task: str, attempt: int, what: str) -> str:
        try:
            return await self._listening.permission(task, attempt, what, self._parts.permission_wait)
        except TeamleadError as error:
            return error.message

    def _unless_disk_full(self, ended: RunEnd) -> RunEnd:
        """An agent that failed on a full disk is not to blame; its next attempt will meet the disk first."""
        if ended.status in {"error", "timeout"}:
            try:
                self._parts.require_disk_space()
            except DiskUnusable as full:
                return ended._replace(status="interrupted", detail=f"{ended.detail} ({full.message})")
        return ended

    async def deliver(self, effect: do.Deliver) -> f.AnyFact | None:
        """Where the program has no way in mid-turn, the next tool call or prompt takes it along."""
        run = self._runs.get((effect.task, effect.attempt))
        if run is None:
            return None
        await run.reachable.wait()
        if effect.message not in self._task(effect.task).unread:
            return None
        message = self._state.messages[effect.message]
        if run.handle is None or not await run.handle.send(letter(message)):
            return None
        return f.MessagesTaken(effect.task, effect.attempt, (effect.message,))

    async def stop(self, effect: do.StopAgent) -> f.AnyFact:
        run = self._runs.get((effect.task, effect.attempt))
        if run is not None:
            await end(run, self._state.session.limits.grace)
        elif (attempt := self._state.active.get(effect.task)) is not None:
            await self.recall(effect.task, attempt)
        return f.AttemptQuiet(effect.task, effect.attempt)

    async def end_all(self, grace: float) -> None:
        """Ends every agent of this process; each reports as interrupted."""
        await end_all(list(self._runs.values()), grace)

    async def end_leftovers(self) -> None:
        """Nothing of an earlier leader's runs on, whatever becomes of its attempts here."""
        for task, attempt in self._state.active.items():
            if attempt.phase in {"preparing", "working", "stopping"}:
                await self.recall(task, attempt)

    async def recall(self, task: str, attempt: Attempt) -> None:
        """Makes sure that its agent is gone, also another process's, left behind.

        That its copy was ready may not have reached the journal, so every attempt may have had its agent.
        """
        with suppress(TeamleadError):
            # One that cannot be found went with its leader; nobody could do more about it here.
            await self._parts.runner_for(attempt.agent).recall(self._spec(task, attempt.number))

    async def last_words(self, task: str, attempt: Attempt) -> str:
        """In full: the journal keeps only their beginning."""
        known: RunEnd | None = None
        number = (taken_as_is(self._task(task)) or attempt).number
        with suppress(TeamleadError):
            known = await self._parts.runner_for(attempt.agent).recall(self._spec(task, number))
        return (known and (known.report or known.summary)) or attempt.summary

    async def close(self) -> None:
        if self._server is not None:
            await self._server.close()

    def _task(self, name: str) -> Task:
        return self._state.tasks[name]


def _sooner(limit: float, left: float | None) -> float:
    """0 is no limit."""
    return limit if left is None else min(limit or left, left)


@lru_cache
def _slug(agent: str) -> str:
    """An agent may be a whole command line, and two may begin alike."""
    name, _, rest = agent.partition(":")
    return f"{name}-{sha256(rest.encode()).hexdigest()[:8]}" if rest else name
