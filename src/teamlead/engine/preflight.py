"""Tries a check on a clean copy of the session's base, and says what is in its way there."""

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Parts
from teamlead.errors import MachineUnable, StaleLeader, TeamleadError


class BaseChecks:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def run(self, state: TeamState, effect: do.Preflight) -> f.CheckTried:
        base, limit = state.session.base_commit, state.session.limits.check_timeout
        command, turn = effect.command, effect.turn
        try:
            end = await self._parts.trials.run(base, command, limit, afresh=turn > 0)
            found = self._parts.obstacles
            obstacle = await found.explain(command, end, limit) if found is not None else None
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError as error:
            # Whoever works meets the same, and is told.
            return f.CheckTried(command, turn, untried=str(error))
        return f.CheckTried(command, turn, end.exit_code, end.seconds, obstacle)
