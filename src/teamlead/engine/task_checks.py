"""A check of an attempt's work, held against the same command on what the work started from."""

import asyncio
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.evidence.steering_files import changed_machinery
from teamlead.core.evidence.suites import compare, repeated
from teamlead.core.evidence.values import BaseRun, CheckResult, SuiteDelta
from teamlead.core.runs import run_id
from teamlead.core.state.records import Attempt
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Parts
from teamlead.engine.tests_by_name import Side, compare_by_name
from teamlead.errors import Failed, MachineUnable, StaleLeader, TeamleadError
from teamlead.ports.checking import CheckEnd, NegativeControl, Trials
from teamlead.ports.clock import Clock

MANY_TESTS = 10_000
"""So many take long enough to compare that others would wait for it."""


class _OnBase(NamedTuple):
    end: CheckEnd | None
    untried: str = ""
    """Why nobody can tell."""


class Places(Protocol):
    """Where checks run on the work itself."""

    async def check(self, state: TeamState, effect: do.Check, attempt: Attempt, suffix: str, /) -> CheckEnd:
        """`suffix`: of the log's name, where it is not the first run."""
        ...


class CopiesOfTasks:
    """Implements `Places`: in the copy that the agent worked in, as it left it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def check(self, state: TeamState, effect: do.Check, attempt: Attempt, suffix: str) -> CheckEnd:
        folder = self._parts.attempts / run_id(effect.task, effect.attempt)
        end = await self._parts.checker.check(
            effect.command,
            self._parts.workspace.path(effect.task),
            folder / f"check-{len(attempt.checks) + 1}{suffix}.txt",
            state.session.limits.check_timeout,
            attempt.slot,
            room=self._parts.workspace.room(effect.task),
        )
        if end.exit_code != 0:
            self._parts.require_disk_space()
        await self._parts.workspace.disregard(effect.task)
        return end


class Checks:
    def __init__(self, places: Places, trials: Trials, control: NegativeControl | None, clock: Clock) -> None:
        """`control`: None where nobody looks whether checks see what was changed."""
        self._places = places
        self._trials = trials
        self._control = control
        self._clock = clock

    async def run(self, state: TeamState, effect: do.Check) -> f.CheckEnded:
        task = state.tasks[effect.task]
        attempt = task.live
        assert attempt is not None, "what is due has an attempt"
        end = await self._places.check(state, effect, attempt, "")
        unseen = await self._unseen(state, effect, attempt) if end.exit_code == 0 else ()
        own = effect.command in task.spec.own_checks
        if not await self._is_worth_comparing(state, effect, attempt, end):
            return _ended(effect, end, unseen=unseen)
        base, untried = await self._on_base(state, effect, _base_of(state, effect, attempt))
        if base is not None and base.earlier and end.exit_code != 0:
            base, untried = await self._on_base(state, effect, _base_of(state, effect, attempt), afresh=True)
        delta = await _compared(base, end)
        if delta is not None and _may_be_chance(end, base, delta):
            again = await self._places.check(state, effect, attempt, "-again")
            if again.suite is not None:
                flaky = repeated(delta, again.suite).flaky or _by_its_end(again)
                end, delta = again, replace(await _compared(base, again) or delta, flaky=flaky)
        by_number = ""
        if delta is not None and base is not None and attempt.work.commit and not delta.new_failures:
            delta, by_number = await compare_by_name(
                self._trials,
                self._clock,
                effect.command,
                Side(_base_of(state, effect, attempt), base),
                Side(attempt.work.commit, end),
                delta=delta,
                limit=state.session.limits.check_timeout,
            )
        if untried and end.exit_code != 0 and not own:
            # Perhaps it failed before, too: that is no verdict on the work.
            told = f"it fails, and what the work started from could not be tried: {untried}"
            raise Failed(f"{told}\n{end.output}".rstrip())
        return _ended(effect, end, base, delta, unseen=unseen, by_number=by_number)

    async def _is_worth_comparing(
        self, state: TeamState, effect: do.Check, attempt: Attempt, end: CheckEnd
    ) -> bool:
        if end.suite is not None:
            return True
        if end.exit_code != 0:
            # Its own check has to pass, whatever the base says.
            return effect.command not in state.tasks[effect.task].spec.own_checks
        if not attempt.work.commit and state.tasks[effect.task].must_change:
            # Where nothing had to be changed, it passed before, too, and not only in this copy.
            return True
        # It passed and said nothing of tests: perhaps because it does not run them any more.
        if attempt.work.files > len(attempt.work.paths):
            return True
        if changed_machinery([effect.command], attempt.work.paths):
            return True
        before, _ = await self._on_base(state, effect, state.session.base_commit)
        return before is not None and before.suite is not None

    async def _on_base(
        self, state: TeamState, effect: do.Check, base: str, *, afresh: bool = False
    ) -> _OnBase:
        try:
            limit = state.session.limits.check_timeout
            return _OnBase(await self._trials.run(base, effect.command, limit, afresh=afresh))
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError as error:
            return _OnBase(None, str(error))

    async def _unseen(self, state: TeamState, effect: do.Check, attempt: Attempt) -> tuple[str, ...]:
        """What cannot be tried says nothing against the check."""
        control, limit = self._control, state.session.limits.check_timeout
        if control is None or not attempt.work.commit:
            return ()
        try:
            return await control.unseen(effect.command, attempt.base, attempt.work.commit, limit)
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError:
            return ()


def _base_of(state: TeamState, effect: do.Check, attempt: Attempt) -> str:
    """One that broke the merged work starts from it: what fails there is no excuse."""
    return state.session.base_commit if state.tasks[effect.task].blamed else attempt.base


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
    *,
    unseen: tuple[str, ...] = (),
    by_number: str = "",
) -> f.CheckEnded:
    result = CheckResult(
        command=effect.command,
        exit_code=end.exit_code,
        seconds=end.seconds,
        output=end.output,
        log=end.log,
        suite=end.suite and end.suite.numbers,
        base=base and BaseRun(base.exit_code, base.suite and base.suite.numbers),
        delta=delta,
        by_number=by_number,
        unseen=unseen,
        room=end.room,
    )
    return f.CheckEnded(effect.task, effect.attempt, result)
