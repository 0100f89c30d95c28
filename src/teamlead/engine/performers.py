"""Carries out one effect each through the ports, and reports what came of it as a fact.

What fails is a fact, too; but for a disk that takes nothing more, nobody's work is to blame: that is raised.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.state import Attempt, Task, TeamState
from teamlead.engine.parts import Parts
from teamlead.errors import DiskUnusable, MergeConflict, TeamleadError
from teamlead.ports import RunEnd, RunHandle, RunSpec


@dataclass(slots=True)
class Run:
    """An agent that this process runs."""

    handle: RunHandle | None = None
    stop_after: float | None = None
    """Seconds of grace, once somebody wants it to end."""
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Performers:
    def __init__(self, state: TeamState, parts: Parts) -> None:
        self._state = state
        self._parts = parts
        self._runs: dict[tuple[str, int], Run] = {}
        self._table: dict[type[Any], Callable[[Any], Awaitable[f.AnyFact | None]]] = {
            do.PrepareCopy: self._prepare,
            do.RunAgent: self._run,
            do.StopAgent: self._stop,
            do.Collect: self._collect,
            do.Check: self._check,
            do.Integrate: self._integrate,
            do.Release: self._release,
            do.ApplyWork: self._apply,
        }

    @property
    def agents_running(self) -> bool:
        return bool(self._runs)

    async def perform(self, effect: do.AnyEffect) -> f.AnyFact | None:
        return await self._table[type(effect)](effect)

    async def end_leftovers(self) -> None:
        """Nothing of an earlier leader's runs on, whatever becomes of its attempts here."""
        for task, attempt in self._state.active.items():
            if attempt.phase in {"preparing", "working", "stopping"}:
                await self._recall(task, attempt)

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

    async def end_agents(self, grace: float) -> None:
        """Ends every agent of this process; each reports as interrupted. All are tried."""
        ends = [self._end_run(run, grace) for run in self._runs.values()]
        for problem in await asyncio.gather(*ends, return_exceptions=True):
            if problem is not None:
                raise problem

    @staticmethod
    async def _end_run(run: Run, grace: float) -> None:
        run.stop_after = grace
        if run.handle is not None:
            await run.handle.cancel(grace)
        await run.over.wait()

    def _task(self, name: str) -> Task:
        return self._state.tasks[name]

    async def _prepare(self, effect: do.PrepareCopy) -> f.AnyFact:
        try:
            self._parts.require_room()
            copy = await self._parts.workspace.prepare(
                effect.task, effect.attempt, effect.bases, effect.fallback, fresh=effect.fresh
            )
        except MergeConflict as conflict:
            return f.CopyConflict(effect.task, effect.attempt, conflict.paths)
        except TeamleadError as error:
            return _failed(effect, "preparing the working copy", error)
        return f.CopyReady(effect.task, effect.attempt, copy.base, copy.kept)

    def _run_spec(self, name: str, attempt: int, prompt: str) -> RunSpec:
        task = self._task(name)
        limits = self._state.session.limits
        return RunSpec(
            session=self._state.session.id,
            task=name,
            attempt=attempt,
            role=task.spec.role,
            model=task.spec.model,
            prompt=prompt,
            cwd=self._parts.workspace.path(name),
            folder=self._parts.attempts / f"{name}-{attempt}",
            hard_timeout=limits.hard_timeout,
            idle_timeout=limits.idle_timeout,
            slot=task.live.slot if task.live else 0,
        )

    async def _run(self, effect: do.RunAgent) -> f.AnyFact:
        key = (effect.task, effect.attempt)
        run = self._runs[key] = Run()
        try:
            runner = self._parts.runner_for(effect.agent)
            spec = self._run_spec(*key, self._parts.prompt(self._state, self._task(effect.task)))
            end = await runner.recall(spec)
            if end is None and run.stop_after is not None:
                end = RunEnd("interrupted", detail="stopped before it started")
            if end is None:
                self._parts.require_room()
                run.handle = await runner.start(spec)
                if run.stop_after is not None:
                    await run.handle.cancel(run.stop_after)
                end = self._unless_disk_full(await run.handle.result())
        except TeamleadError as error:
            return _failed(effect, "starting the agent", error)
        finally:
            del self._runs[key]
            run.over.set()
        return f.AgentEnded(
            effect.task,
            effect.attempt,
            end.status,
            end.summary,
            end.detail,
            end.question,
            end.usage,
            end.tool_calls,
        )

    def _unless_disk_full(self, end: RunEnd) -> RunEnd:
        """An agent that failed on a full disk is not to blame; its next attempt will meet the disk first."""
        if end.status in {"error", "timeout"}:
            try:
                self._parts.require_room()
            except DiskUnusable as full:
                return end._replace(status="interrupted", detail=f"{end.detail} ({full.message})")
        return end

    async def _stop(self, effect: do.StopAgent) -> f.AnyFact:
        run = self._runs.get((effect.task, effect.attempt))
        if run is not None:
            await self._end_run(run, self._state.session.limits.grace)
        elif (attempt := self._state.active.get(effect.task)) is not None:
            await self._recall(effect.task, attempt)
        return f.AttemptQuiet(effect.task, effect.attempt)

    async def _recall(self, task: str, attempt: Attempt) -> None:
        """Makes sure that its agent is gone, also another process's, left behind.

        That its copy was ready may not have reached the journal, so every attempt may have had its agent.
        """
        with suppress(TeamleadError):
            # One that cannot be found went with its leader; nobody could do more about it here.
            await self._parts.runner_for(attempt.agent).recall(self._run_spec(task, attempt.number, ""))

    async def _collect(self, effect: do.Collect) -> f.AnyFact:
        title = self._task(effect.task).spec.title
        try:
            work = await self._parts.workspace.collect(
                effect.task, effect.attempt, effect.base, title, effect.summary
            )
        except TeamleadError as error:
            return _failed(effect, "collecting the work", error)
        return f.WorkFound(effect.task, effect.attempt, work.commit, work.changes, work.unmerged)

    async def _check(self, effect: do.Check) -> f.AnyFact:
        task = self._task(effect.task)
        position = len(task.live.checks) + 1 if task.live else 1
        folder = self._parts.attempts / f"{effect.task}-{effect.attempt}"
        try:
            end = await self._parts.checker.check(
                effect.command,
                self._parts.workspace.path(effect.task),
                folder / f"check-{position}.txt",
                self._state.session.limits.check_timeout,
                task.live.slot if task.live else 0,
            )
            if end.exit_code != 0:
                self._parts.require_room()
            await self._parts.workspace.disregard(effect.task)
        except TeamleadError as error:
            return _failed(effect, f"running the check `{effect.command}`", error)
        return f.CheckEnded(
            effect.task, effect.attempt, effect.command, end.exit_code, end.seconds, end.output, end.log
        )

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
        except DiskUnusable:
            raise
        except TeamleadError:
            # What could not be looked into stays where it is, and is reported there.
            kept = str(self._parts.workspace.path(effect.task))
        return f.CopyReleased(effect.task, kept)

    async def _apply(self, effect: do.ApplyWork) -> f.AnyFact:
        message = self._state.session.plan.title
        try:
            applied = await self._parts.workspace.apply(
                effect.commit, effect.branch, squash=effect.squash, sign=effect.sign, message=message
            )
        except TeamleadError as error:
            return f.ApprovalImpossible(str(error))
        return f.ApprovalMade(applied.commit, effect.branch, applied.before, applied.undo)


def _failed(effect: do.AttemptEffect, what: str, error: TeamleadError) -> f.EffectFailed:
    if isinstance(error, DiskUnusable):
        raise error
    return f.EffectFailed(effect.task, effect.attempt, what, str(error))
