"""Tries the checks of the whole plan on the merged work, and looks for the merge that broke one."""

from collections.abc import Awaitable, Callable, Sequence

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.evidence.bisection import Command, Merge, Trial, WholeCheck, inquire
from teamlead.core.pipeline import whole_plan
from teamlead.core.state.team_state import TeamState
from teamlead.errors import MachineUnable, StaleLeader, TeamleadError
from teamlead.ports.checking import Trials

REPETITIONS = 2
"""Of one inquiry: when a person wants another, its trials are runs of their own."""

Put = Callable[[f.AnyFact], Awaitable[None]]


class WholePlan:
    def __init__(self, trials: Trials, put: Put) -> None:
        self._trials = trials
        self._put = put

    async def check(self, state: TeamState, effect: do.CheckWhole) -> f.AnyFact:
        merges = tuple(state.merges)
        checks = [
            await self._inquire(state, effect, command, merges) for command in whole_plan.commands(state)
        ]
        return f.WholeEnded(effect.tip, tuple(checks))

    async def _inquire(
        self, state: TeamState, effect: do.CheckWhole, command: Command, merges: Sequence[Merge]
    ) -> WholeCheck:
        inquiry = inquire(command, merges)
        trial = next(inquiry)
        limit = state.session.limits.check_timeout
        while True:
            await self._put(f.TrialBegun(effect.tip, command.text, _where(trial, merges)))
            commit = merges[trial.merges - 1].tip if trial.merges else state.session.base_commit
            repetition = trial.repetition + REPETITIONS * effect.turn
            try:
                end = await self._trials.run(commit, command.text, limit, repetition=repetition)
                if end.earlier:
                    end = await self._trials.run(commit, command.text, limit, afresh=True)
            except (MachineUnable, StaleLeader):
                raise
            except TeamleadError as error:
                return WholeCheck(command.text, "unknown", f"it could not be tried: {error}")
            try:
                trial = inquiry.send(end)
            except StopIteration as stop:
                found: WholeCheck = stop.value
                return found


def _where(trial: Trial, merges: Sequence[Merge]) -> str:
    again = ", once more" if trial.repetition else ""
    if trial.merges == len(merges):
        return f"on the merged work{again}"
    if not trial.merges:
        return f"on the base of the session{again}"
    return f"on the work up to {merges[trial.merges - 1].task}{again}"
