"""Asks models that the lead consults, each in a clean copy of its own, and reads what they answer."""

from collections.abc import Set as AbstractSet
from contextlib import suppress

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.budget import grants_nothing, left_of
from teamlead.core.consultation import Consultation
from teamlead.core.staffing import kind_of
from teamlead.core.state import TeamState
from teamlead.engine.parts import Parts
from teamlead.engine.runs import Run, end, end_all, folder_of
from teamlead.errors import MachineUnable, StaleLeader, TeamleadError
from teamlead.ports import Loan, RunEnd, Runner, RunSpec


class Consultations:
    def __init__(self, state: TeamState, parts: Parts) -> None:
        self._state = state
        self._parts = parts
        self._runs: dict[str, Run] = {}

    @property
    def running(self) -> AbstractSet[str]:
        return self._runs.keys()

    async def ask(self, effect: do.Consult) -> f.AnyFact:
        found = self._state.consultations[effect.consultation]
        run = self._runs[found.id] = Run()
        try:
            ended = await self._ask(found, run)
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError as error:
            ended = RunEnd("error", detail=str(error))
        finally:
            del self._runs[found.id]
            run.over.set()
        return self._answered(found, ended)

    async def _ask(self, found: Consultation, run: Run) -> RunEnd:
        runner = self._parts.runner_for(found.agent)
        spec = self._spec(found)
        known = await runner.recall(spec)
        if known is not None:
            return known
        held = self._parts.held(kind_of(found.agent))
        if held is not None:
            return RunEnd("limit", detail=f"another session has met it: {held.reason}", reset_at=held.until)
        if grants_nothing(spec.budget):
            # It is wanted again, and waits or asks. A limit of nothing would be none at all to its program.
            return RunEnd("interrupted", detail="others have used up its budget before it began")
        self._parts.require_disk_space()
        async with self._parts.workspace.borrow(found.commit, provided=False) as loan:
            if run.stop_after is not None:
                return RunEnd("interrupted", detail="stopped before it started")
            prompt = await self._prompt(found)
            return await self._start(runner, spec, run, loan, prompt)

    async def _start(self, runner: Runner, spec: RunSpec, run: Run, loan: Loan, prompt: str) -> RunEnd:
        slot = self._state.session.limits.jobs + loan.number
        run.handle = await runner.start(
            spec._replace(prompt=prompt, cwd=loan.path, slot=slot, room=loan.room)
        )
        if run.stop_after is not None:
            await run.handle.cancel(run.stop_after)
        return await run.handle.result()

    async def _prompt(self, found: Consultation) -> str:
        assert self._parts.consulting is not None
        task = self._state.tasks.get(found.task)
        last = task.attempts[-1] if task and task.attempts else None
        before = (last.base if last else "") or self._state.session.base_commit
        change = (
            "" if before == found.commit else await self._parts.workspace.difference(before, found.commit)
        )
        log = ""
        if last is not None:
            folder = self._parts.attempts / folder_of(found.task, last.number)
            log = await self._parts.consulting.transcript(folder)
        return self._parts.consulting.prompt(self._state, found, log, change)

    def _answered(self, found: Consultation, ended: RunEnd) -> f.Answered:
        answer, problem = None, ended.detail
        if ended.status == "ok":
            assert self._parts.consulting is not None
            try:
                answer = self._parts.consulting.read(found.purpose, ended.report or ended.summary)
            except TeamleadError as error:
                problem = str(error)
        return f.Answered(found.id, ended.status, answer, problem, ended.usage, ended.turns, ended.reset_at)

    def _spec(self, found: Consultation) -> RunSpec:
        staff = self._state.consultant(found.role)
        limits = self._state.session.limits
        return RunSpec(
            session=self._state.session.id,
            task=found.name,
            attempt=found.number,
            role=found.role,
            model=found.model,
            prompt="",
            cwd=self._parts.attempts,
            folder=self._parts.attempts / found.id,
            hard_timeout=limits.hard_timeout,
            idle_timeout=limits.idle_timeout,
            slot=0,
            effort=found.effort,
            arguments=staff.arguments,
            policy=staff.policy,
            scope=(),
            budget=left_of(self._state.funds_of(found.role)),
            home=self._parts.homes / found.name,
            secrets=self._parts.secrets,
        )

    async def drop(self, name: str) -> None:
        """Nobody wants its answer any more."""
        run = self._runs.get(name)
        if run is not None:
            await end(run, self._state.session.limits.grace)

    async def end_all(self, grace: float) -> None:
        await end_all(list(self._runs.values()), grace)

    async def end_leftovers(self) -> None:
        for found in self._state.consulting.values():
            with suppress(TeamleadError):
                await self._parts.runner_for(found.agent).recall(self._spec(found))
