"""Carries out one effect each through the ports, and reports what came of it as a fact.

What fails is a fact, too; but for what the machine cannot do, nobody's work is to blame: that is raised.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Examples
from teamlead.core.attempts.examples import WORK_GIVES_THEM
from teamlead.core.attempts.independent_tests import THEY_PASS
from teamlead.core.attempts.verdicts import taken_as_is
from teamlead.core.evidence.values import CHECKS_PROVE_IT, Evidence, Examined, Found, Proofs
from teamlead.core.people.mending import blocked
from teamlead.core.people.notices import notice
from teamlead.core.runs import ROLE_OF, Run, run_id
from teamlead.core.state.indexes import visible_checks
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.graph import all_below
from teamlead.engine.listening import Listening
from teamlead.engine.live_runs import Runs
from teamlead.engine.parts import Parts
from teamlead.engine.preflight import BaseChecks
from teamlead.engine.task_checks import Checks, CopiesOfTasks
from teamlead.engine.whole_plan_checks import WholePlan
from teamlead.errors import MachineUnable, MergeConflict, StaleLeader, TeamleadError
from teamlead.ports.checking import Case, Claim, Merged

MOST_MERGED = 100
"""Merges of other tasks that work is held against."""
Performance = Coroutine[Any, Any, f.AnyFact | None]


class Performers:
    def __init__(self, parts: Parts, listening: Listening) -> None:
        self._parts = parts
        self._put = listening.put
        self.runs = Runs(parts, listening)
        self._checks = Checks(CopiesOfTasks(parts), parts.trials, parts.control, parts.clock)
        self._table: dict[type[Any], Callable[[TeamState, Any], Performance]] = {
            do.PrepareCopy: self._prepare,
            do.RunAgent: self.runs.run,
            do.StopAgent: self.runs.stop,
            do.Deliver: self.runs.deliver,
            do.AwaitAnswer: _await_answer,
            do.Collect: self._collect,
            do.Check: self._check,
            do.Prove: self._prove,
            do.Integrate: self._integrate,
            do.Release: self._release,
            do.CheckWhole: WholePlan(parts.trials, listening.put).check,
            do.Preflight: BaseChecks(parts).run,
            do.Notify: self._notify,
            do.ApplyWork: self._apply,
            do.RollBack: self._roll_back,
        }

    def perform(self, state: TeamState, effect: do.AnyEffect) -> Performance:
        return self._table[type(effect)](state, effect)

    async def done_before(self, state: TeamState) -> list[f.AnyFact]:
        """What an earlier leader merged or applied without getting it written down: for git to say.

        That work was accepted may be lost with it: run again, a check may say otherwise of what is merged.
        And a merge or an approval that fails now would count as one that never was.
        """
        workspace = self._parts.workspace
        found: list[f.AnyFact] = []
        for task, attempt in state.active.items():
            if attempt.phase != "stopping" and (commit := await workspace.merged(task, attempt.number)):
                found.append(f.Merged(task, attempt.number, commit, await workspace.integration_tip()))
        effect = state.due.get(f"ApplyWork:{state.integration_tip}")
        if isinstance(effect, do.ApplyWork):
            applied = await workspace.applied(effect.commit, effect.branch)
            if applied:
                found.append(f.ApprovalMade(applied.commit, effect.branch, applied.before, applied.undo))
        return found

    async def look(self, state: TeamState) -> f.AnyFact | None:
        """At the user's repository; None where nothing is new."""
        try:
            return await self._look(state)
        except MachineUnable:
            raise
        except TeamleadError:
            # What git cannot tell now is looked at again, at the latest before work is approved.
            return None

    async def _look(self, state: TeamState) -> f.AnyFact | None:
        found = await self._parts.workspace.look()
        known = state.trespasses
        return None if {each.item: each for each in found} == known else f.RepositoryLooked(found)

    async def _prepare(self, _: TeamState, effect: do.PrepareCopy) -> f.AnyFact:
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

    async def _collect(self, state: TeamState, effect: do.Collect) -> f.AnyFact:
        title = state.tasks[effect.task].spec.title
        try:
            found = await self._parts.workspace.collect(
                effect.task, effect.attempt, effect.base, title, effect.summary
            )
            if (looked := await self.look(state)) is not None:
                await self._put(looked)
            examined = await self._examine(state, effect, found)
        except TeamleadError as error:
            return _failed(effect, "collecting the work", error)
        return f.WorkFound(effect.task, effect.attempt, found, examined)

    async def _examine(self, state: TeamState, effect: do.Collect, found: Found) -> Examined:
        task = state.tasks[effect.task]
        if self._parts.examiner is None or task.live is None:
            return Examined()
        claim = await self._claim(state, task, task.live, base=effect.base, commit=found.commit)
        return await self._parts.examiner.examine(
            claim._replace(changes=found.changes, findings=found.findings)
        )

    async def _claim(
        self, state: TeamState, task: Task, attempt: Attempt, *, base: str, commit: str
    ) -> Claim:
        name, taken = task.spec.id, taken_as_is(task)
        room = self._parts.workspace.room(name)
        return Claim(
            task=task.spec,
            attempt=attempt.number,
            checks=visible_checks(state, task.spec),
            text=await self.runs.last_words(state, name, attempt),
            result=attempt.result or (taken.result if taken else None),
            base=base,
            commit=commit,
            copies=self._names(name),
            folder=self._parts.attempts / run_id(name, attempt.number),
            own_git=room.git_dir if room else None,
            merged=_merged(state, task),
        )

    def _names(self, task: str) -> tuple[Path, ...]:
        """Of its copy."""
        path, room = self._parts.workspace.path(task), self._parts.workspace.room(task)
        return (path, room.seen(path)) if room else (path,)

    async def _check(self, state: TeamState, effect: do.Check) -> f.AnyFact:
        try:
            return await self._checks.run(state, effect)
        except TeamleadError as error:
            failed = _failed(effect, f"running the check `{effect.command}`", error)
            if effect.command in state.tasks[effect.task].spec.hidden_checks:
                # Its agent is told why: not even a part of an output may be in it.
                return replace(failed, what="running a hidden check", reason="its log tells why")
            return failed

    async def _prove(self, state: TeamState, effect: do.Prove) -> f.AnyFact:
        """What cannot be proven is no failure: the checks have passed."""
        task = state.tasks[effect.task]
        if self._parts.prover is None or task.live is None:
            return f.WorkProved(effect.task, effect.attempt, Proofs(), effect.examples)
        try:
            if effect.examples:
                proofs = await self._try(state, effect)
            else:
                proofs = await self._parts.prover.prove(await self._case(state, task, task.live))
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError as error:
            found = f"it could not be tried: {error}"
            unknown = Evidence("proof", "unknown", CHECKS_PROVE_IT, found)
            if effect.examples:
                unknown = Evidence("example", "unknown", _claim_of(state.runs[effect.examples]), found)
            proofs = Proofs((unknown,))
        return f.WorkProved(effect.task, effect.attempt, proofs, effect.examples)

    async def _try(self, state: TeamState, effect: do.Prove) -> Proofs:
        run = state.runs[effect.examples]
        if not isinstance(run.answer, Examples) or not run.answer.examples:
            why = run.problem or "there are none that a program could run"
            return Proofs((Evidence("example", "unknown", _claim_of(run), f"nothing was tried: {why}"),))
        assert self._parts.prover is not None
        by, limit = ROLE_OF[run.purpose], state.session.limits.check_timeout
        return await self._parts.prover.try_out(effect.commit, run.answer.examples, limit, by=by)

    async def _case(self, state: TeamState, task: Task, attempt: Attempt) -> Case:
        hidden, limits = task.spec.hidden_checks, state.session.limits
        commit = attempt.work.commit
        return Case(
            claim=await self._claim(state, task, attempt, base=attempt.base, commit=commit),
            checks=tuple(check for check in attempt.checks if check.command not in hidden),
            timeout=limits.check_timeout,
            times=limits.proof_times,
        )

    async def _integrate(self, state: TeamState, effect: do.Integrate) -> f.AnyFact:
        title = state.tasks[effect.task].spec.title
        try:
            try:
                tip = await self._parts.workspace.integrate(effect.task, effect.commit, title)
            except MergeConflict as conflict:
                tip = await self._parts.workspace.integration_tip()
                return f.MergeRefused(effect.task, effect.attempt, tip, conflict.paths, conflict.detail)
        except TeamleadError as error:
            return _failed(effect, "merging", error)
        return f.Merged(effect.task, effect.attempt, effect.commit, tip)

    async def _release(self, _: TeamState, effect: do.Release) -> f.AnyFact:
        try:
            kept = await self._parts.workspace.release(effect.task)
        except MachineUnable:
            raise
        except TeamleadError:
            # What could not be looked into stays where it is, and is reported there.
            kept = str(self._parts.workspace.path(effect.task))
        return f.CopyReleased(effect.task, kept)

    async def _notify(self, state: TeamState, effect: do.Notify) -> f.AnyFact | None:
        """Nothing waits for it, and nothing fails with it."""
        found = notice(state, effect.about)
        if found is None:
            return None
        if self._parts.notifier is None:
            return f.Notified(effect.about, "nothing here can notify anybody")
        problems = [await self._parts.notifier.notify(way, found) for way in state.session.notify]
        return f.Notified(effect.about, "; ".join(filter(None, problems)))

    async def _apply(self, state: TeamState, effect: do.ApplyWork) -> f.AnyFact:
        message = state.session.plan.title
        try:
            if (looked := await self._look(state)) is not None:
                await self._put(looked)
            if state.trespasses:
                return f.ApprovalImpossible(blocked(state))
            applied = await self._parts.workspace.apply(
                effect.commit, effect.branch, squash=effect.squash, sign=effect.sign, message=message
            )
        except TeamleadError as error:
            return f.ApprovalImpossible(str(error))
        return f.ApprovalMade(applied.commit, effect.branch, applied.before, applied.undo)

    async def _roll_back(self, state: TeamState, _: do.RollBack) -> f.AnyFact:
        try:
            for task in list(state.copies):
                await self._parts.workspace.release(task)
            return f.RolledBack(await self._parts.workspace.roll_back())
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError as error:
            return f.RolledBack(problem=str(error))


async def _await_answer(_: TeamState, effect: do.AwaitAnswer) -> f.AnyFact:
    """The time of the loop does not go on while the machine sleeps, and neither does the agent."""
    await asyncio.sleep(effect.seconds)
    return f.AnswerOverdue(effect.task, effect.attempt, effect.request)


def _merged(state: TeamState, task: Task) -> tuple[Merged, ...]:
    """The latest work of the others."""
    below = {each.spec.id for each in all_below(task)}
    latest = dict.fromkeys(merge.task for merge in reversed(state.merges[-MOST_MERGED:]))
    return tuple(
        Merged(
            task=other.spec.id,
            title=other.spec.title,
            base=other.accepted.base,
            commit=other.accepted.work.commit,
            paths=frozenset(work.paths) if (work := other.accepted.work).files == len(work.paths) else None,
            built_on=other.spec.id in below,
        )
        for other in (state.tasks[name] for name in latest)
        if other is not task and other.accepted and other.accepted.work.commit
    )


def _claim_of(run: Run) -> str:
    return THEY_PASS if run.purpose == "tests" else WORK_GIVES_THEM


def _failed(effect: do.AttemptEffect, what: str, error: TeamleadError) -> f.EffectFailed:
    if isinstance(error, MachineUnable):
        raise error
    return f.EffectFailed(effect.task, effect.attempt, what, str(error))
