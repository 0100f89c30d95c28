"""A check of an attempt's work, held against the same command on what the work started from."""

import asyncio

from msgspec.structs import replace

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.evidence import BaseRun, SuiteDelta
from teamlead.core.machinery import changed_machinery
from teamlead.core.records import Attempt
from teamlead.core.state import TeamState
from teamlead.core.suites import compare, repeated
from teamlead.engine.parts import Parts
from teamlead.errors import MachineUnable, StaleLeader, TeamleadError
from teamlead.ports import CheckEnd

MANY_TESTS = 10_000
"""So many take long enough to compare that others would wait for it."""


class Checks:
    def __init__(self, state: TeamState, parts: Parts) -> None:
        self._state = state
        self._parts = parts

    async def run(self, effect: do.Check) -> f.CheckEnded:
        task = self._state.tasks[effect.task]
        attempt = task.live
        assert attempt is not None, "what is due has an attempt"
        end = await self._once(effect, attempt)
        unseen = await self._unseen(effect, attempt) if end.exit_code == 0 else ()
        if not _worth_comparing(effect.command, end, attempt, own=effect.command in task.spec.checks):
            return _ended(effect, end, unseen=unseen)
        base = await self._on_base(effect, attempt)
        delta = await _compared(base, end)
        if delta is not None and _may_be_chance(end, base, delta):
            again = await self._once(effect, attempt, "-again")
            if again.suite is not None:
                flaky = repeated(delta, again.suite).flaky or _by_its_end(again)
                end, delta = again, replace(await _compared(base, again) or delta, flaky=flaky)
        return _ended(effect, end, base, delta, unseen)

    async def _once(self, effect: do.Check, attempt: Attempt, suffix: str = "") -> CheckEnd:
        folder = self._parts.attempts / f"{effect.task}-{effect.attempt}"
        end = await self._parts.checker.check(
            effect.command,
            self._parts.workspace.path(effect.task),
            folder / f"check-{len(attempt.checks) + 1}{suffix}.txt",
            self._state.session.limits.check_timeout,
            attempt.slot,
            room=self._parts.workspace.room(effect.task),
        )
        if end.exit_code != 0:
            self._parts.require_disk_space()
        await self._parts.workspace.disregard(effect.task)
        return end

    async def _on_base(self, effect: do.Check, attempt: Attempt) -> CheckEnd | None:
        """None: it could not be told, so that nothing excuses a failure."""
        session = self._state.session
        # One that broke the merged work starts from it: what fails there is no excuse.
        blamed = self._state.tasks[effect.task].blamed
        base = session.base_commit if blamed else attempt.base
        try:
            return await self._parts.trials.run(base, effect.command, session.limits.check_timeout)
        except MachineUnable:
            raise
        except TeamleadError:
            return None

    async def _unseen(self, effect: do.Check, attempt: Attempt) -> tuple[str, ...]:
        """What cannot be tried says nothing against the check."""
        control, limit = self._parts.control, self._state.session.limits.check_timeout
        if control is None or not attempt.commit:
            return ()
        try:
            return await control.unseen(effect.command, attempt.base, attempt.commit, limit)
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError:
            return ()


def _worth_comparing(command: str, end: CheckEnd, attempt: Attempt, *, own: bool) -> bool:
    if end.suite is not None:
        return True
    if end.exit_code != 0:
        # Its own check has to pass, whatever the base says.
        return not own
    # It passed and said nothing of tests: perhaps because it does not run them any more.
    unseen = attempt.files > len(attempt.paths)
    return unseen or bool(changed_machinery([command], attempt.paths))


async def _compared(base: CheckEnd | None, end: CheckEnd) -> SuiteDelta | None:
    before = base.suite if base else None
    if end.suite is None and (before is None or end.exit_code != 0):
        return None
    if end.suite is None or len(end.suite.names or ()) < MANY_TESTS:
        return compare(before, end.suite)
    return await asyncio.to_thread(compare, before, end.suite)


def _may_be_chance(end: CheckEnd, base: CheckEnd | None, delta: SuiteDelta) -> bool:
    if end.suite is None:
        return False
    unexplained = end.exit_code != 0 and (base is None or base.exit_code == 0)
    return unexplained or bool(delta.new_failures)


def _by_its_end(again: CheckEnd) -> tuple[str, ...]:
    return ("it failed, and passed when repeated",) if again.exit_code == 0 else ()


def _ended(
    effect: do.Check,
    end: CheckEnd,
    base: CheckEnd | None = None,
    delta: SuiteDelta | None = None,
    unseen: tuple[str, ...] = (),
) -> f.CheckEnded:
    return f.CheckEnded(
        effect.task,
        effect.attempt,
        effect.command,
        end.exit_code,
        end.seconds,
        end.output,
        end.log,
        end.suite and end.suite.numbers,
        base and BaseRun(base.exit_code, base.suite and base.suite.numbers),
        delta,
        unseen,
        end.room,
    )
