"""`acp:COMMAND`: any agent that speaks the Agent Client Protocol."""

import shutil
from collections.abc import Sequence

from teamlead.errors import NotFound
from teamlead.ports import Capabilities, RunEnd, RunHandle, RunSpec
from teamlead.runners.acp.costs import recall
from teamlead.runners.acp.dialect import AcpDialect
from teamlead.runners.acp.programs import habits, of_services
from teamlead.runners.folder import AttemptFolder
from teamlead.runners.program import Invocation, launch
from teamlead.system.environment import allowed


class AcpRunner:
    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = argv
        self._habits = habits(argv)

    @property
    def capabilities(self) -> Capabilities:
        return self._habits.capabilities

    def validate(self) -> None:
        if shutil.which(self._argv[0], path=allowed().get("PATH")) is None:
            raise NotFound(f"no program {self._argv[0]!r}", remedy="install it, or write its path")

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        return await AttemptFolder(spec.folder).recall()

    async def start(self, spec: RunSpec) -> RunHandle:
        environment = {**of_services(), **self._habits.environment}
        cost = recall(spec.home, spec.conversation) if self._habits.accumulates else 0.0
        dialect = AcpDialect(spec, {**environment, **spec.environment}, self._habits, cost)
        return await launch(spec, Invocation([*self._argv, *spec.arguments], environment), dialect)
