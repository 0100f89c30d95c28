"""Carries out one effect each through the ports, and reports what came of it as a fact.

What fails is a fact, too; but for what the machine cannot do, nobody's work is to blame: that is raised.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.indexes import checks_of
from teamlead.core.mending import blocked
from teamlead.core.records import Task
from teamlead.core.state import TeamState
from teamlead.core.verdicts import taken_as_is
from teamlead.engine.agents import Agents
from teamlead.engine.checks import Checks
from teamlead.engine.consulting import Consultations
from teamlead.engine.listening import Listening
from teamlead.engine.notices import Notices
from teamlead.engine.parts import Parts
from teamlead.engine.whole import WholePlan
from teamlead.errors import MachineUnable, MergeConflict, TeamleadError
from teamlead.ports import Claim, Examined, Work


class Performers:
    def __init__(self, state: TeamState, parts: Parts, listening: Listening) -> None:
        self._state = state
        self._parts = parts
        self._put = listening.put
        self.agents = Agents(state, parts, listening)
        self.consultations = Consultations(state, parts)
        self._checks = Checks(state, parts)
        self._table: dict[type[Any], Callable[[Any], Coroutine[Any, Any, f.AnyFact | None]]] = {
            do.PrepareCopy: self._prepare,
            do.RunAgent: self._run,
            do.StopAgent: self.agents.stop,
            do.Deliver: self.agents.deliver,
            do.Collect: self._collect,
            do.Check: self._check,
            do.Integrate: self._integrate,
            do.Release: self._release,
            do.Consult: self.consultations.ask,
            do.CheckWhole: WholePlan(state, parts.trials, listening.put).check,
            do.Notify: Notices(state, parts.notifier).tell,
            do.ApplyWork: self._apply,
        }

    def perform(self, effect: do.AnyEffect) -> Coroutine[Any, Any, f.AnyFact | None]:
        return self._table[type(effect)](effect)

    @property
    def running(self) -> bool:
        return self.agents.running or bool(self.consultations.running)

    async def end_agents(self, grace: float) -> None:
        """Of this process, each; what they did so far is told as interrupted. All are tried."""
        ends = (self.agents.end_all(grace), self.consultations.end_all(grace))
        for problem in await asyncio.gather(*ends, return_exceptions=True):
            if problem is not None:
                raise problem

    async def end_leftovers(self) -> None:
        """Of an earlier leader."""
        await self.agents.end_leftovers()
        await self.consultations.end_leftovers()

    async def done_before(self) -> list[f.AnyFact]:
        """What an earlier leader merged or applied without getting it written down: for git to say.

        That work was accepted may be lost with it: run again, a check may say otherwise of what is merged.
        And a merge or an approval that fails now would count as one that never was.
        """
        workspace = self._parts.workspace
        found: list[f.AnyFact] = []
        for task, attempt in self._state.active.items():
            if attempt.phase != "stopping" and (commit := await workspace.merged(task, attempt.number)):
                found.append(f.Merged(task, attempt.number, commit, await workspace.integration_tip()))
        effect = self._state.due.get(f"ApplyWork:{self._state.integration_tip}")
        if isinstance(effect, do.ApplyWork):
            applied = await workspace.applied(effect.commit, effect.branch)
            if applied:
                found.append(f.ApprovalMade(applied.commit, effect.branch, applied.before, applied.undo))
        return found

    async def look(self) -> f.AnyFact | None:
        """At the user's repository; None where nothing is new."""
        try:
            return await self._look()
        except MachineUnable:
            raise
        except TeamleadError:
            # What git cannot tell now is looked at again, at the latest before work is approved.
            return None

    async def _look(self) -> f.AnyFact | None:
        found = await self._parts.workspace.look()
        known = self._state.trespasses
        return None if {each.item: each for each in found} == known else f.RepositoryLooked(found)

    def _task(self, name: str) -> Task:
        return self._state.tasks[name]

    async def _prepare(self, effect: do.PrepareCopy) -> f.AnyFact:
        try:
            self._parts.require_disk_space()
            copy = await self._parts.workspace.prepare(
                effect.task, effect.attempt, effect.bases, effect.fallback, fresh=effect.fresh
            )
        except MergeConflict as conflict:
            return f.CopyConflict(effect.task, effect.attempt, conflict.paths)
        except TeamleadError as error:
            return _failed(effect, "preparing the working copy", error)
        return f.CopyReady(effect.task, effect.attempt, copy.base, copy.kept)

    async def _run(self, effect: do.RunAgent) -> f.AnyFact:
        try:
            return await self.agents.run(effect)
        except TeamleadError as error:
            return _failed(effect, "starting the agent", error)

    async def _collect(self, effect: do.Collect) -> f.AnyFact:
        title = self._task(effect.task).spec.title
        try:
            work = await self._parts.workspace.collect(
                effect.task, effect.attempt, effect.base, title, effect.summary
            )
            if (looked := await self.look()) is not None:
                await self._put(looked)
            examined = await self._examine(effect, work)
        except TeamleadError as error:
            return _failed(effect, "collecting the work", error)
        return f.WorkFound(
            effect.task,
            effect.attempt,
            work.commit,
            work.changes,
            work.unmerged,
            work.trespasses,
            work.remarks,
            examined.result,
            examined.feedback,
            examined.evidence,
            work.tree,
        )

    async def _examine(self, effect: do.Collect, work: Work) -> Examined:
        task = self._task(effect.task)
        if self._parts.examiner is None or task.live is None:
            return Examined(None, None, ())
        taken = taken_as_is(task)
        return await self._parts.examiner.examine(
            Claim(
                task.spec,
                effect.attempt,
                checks_of(self._state, task.spec),
                await self.agents.last_words(effect.task, task.live),
                task.live.result or (taken.result if taken else None),
                effect.base,
                work.commit,
                work.changes,
                self._names(effect.task),
                self._parts.attempts / f"{effect.task}-{effect.attempt}",
            )
        )

    def _names(self, task: str) -> tuple[Path, ...]:
        """Of its copy."""
        path, room = self._parts.workspace.path(task), self._parts.workspace.room(task)
        return (path, room.seen(path)) if room else (path,)

    async def _check(self, effect: do.Check) -> f.AnyFact:
        try:
            return await self._checks.run(effect)
        except TeamleadError as error:
            return _failed(effect, f"running the check `{effect.command}`", error)

    async def _integrate(self, effect: do.Integrate) -> f.AnyFact:
        title = self._task(effect.task).spec.title
        try:
            try:
                tip = await self._parts.workspace.integrate(effect.task, effect.commit, title)
            except MergeConflict as conflict:
                tip = await self._parts.workspace.integration_tip()
                return f.MergeRefused(effect.task, effect.attempt, tip, conflict.paths, conflict.detail)
        except TeamleadError as error:
            return _failed(effect, "merging", error)
        return f.Merged(effect.task, effect.attempt, effect.commit, tip)

    async def _release(self, effect: do.Release) -> f.AnyFact:
        try:
            kept = await self._parts.workspace.release(effect.task)
        except MachineUnable:
            raise
        except TeamleadError:
            # What could not be looked into stays where it is, and is reported there.
            kept = str(self._parts.workspace.path(effect.task))
        return f.CopyReleased(effect.task, kept)

    async def _apply(self, effect: do.ApplyWork) -> f.AnyFact:
        message = self._state.session.plan.title
        try:
            if (looked := await self._look()) is not None:
                await self._put(looked)
            if self._state.trespasses:
                return f.ApprovalImpossible(blocked(self._state))
            applied = await self._parts.workspace.apply(
                effect.commit, effect.branch, squash=effect.squash, sign=effect.sign, message=message
            )
        except TeamleadError as error:
            return f.ApprovalImpossible(str(error))
        return f.ApprovalMade(applied.commit, effect.branch, applied.before, applied.undo)


def _failed(effect: do.AttemptEffect, what: str, error: TeamleadError) -> f.EffectFailed:
    if isinstance(error, MachineUnable):
        raise error
    return f.EffectFailed(effect.task, effect.attempt, what, str(error))
