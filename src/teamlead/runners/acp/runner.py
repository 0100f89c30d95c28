"""`acp:COMMAND`: any agent that speaks the Agent Client Protocol."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from teamlead.errors import Refused, UsageError
from teamlead.ports.runner import Capabilities, RunHandle, RunSpec
from teamlead.runners.acp.dialect import AcpDialect
from teamlead.runners.acp.ends import recall_cost
from teamlead.runners.acp.known_agents import known_agent, of_services
from teamlead.runners.agent_homes import home_of
from teamlead.runners.program import Invocation, ProgramRunner, launch
from teamlead.system.environment import allowed


class AcpRunner(ProgramRunner):
    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = argv
        self._habits = known_agent(argv)

    @property
    def capabilities(self) -> Capabilities:
        return self._habits.capabilities

    def validate(self) -> None:
        if shutil.which(self._argv[0], path=allowed().get("PATH")) is None:
            raise UsageError(f"no program {self._argv[0]!r}", remedy="install it, or write its path")

    async def start(self, spec: RunSpec) -> RunHandle:
        if not spec.own_settings:
            self._refuse_settings(spec.cwd)
        environment = {**of_services(), **self._habits.environment}
        cost = recall_cost(spec.home, spec.conversation) if self._habits.accumulates else 0.0
        dialect = AcpDialect(spec, {**environment, **spec.environment}, self._habits, cost)
        invocation = Invocation([*self._argv, *spec.arguments], environment, home=home_of(self._argv))
        return await launch(spec, invocation, dialect)

    def _refuse_settings(self, copy: Path) -> None:
        found = [name for name in self._habits.settings if os.path.lexists(copy / name)]
        if found:
            raise Refused(
                f"{Path(self._argv[0]).name} would follow the repository's own {', '.join(found)}",
                remedy="if you trust them, set agent_settings = true",
            )
