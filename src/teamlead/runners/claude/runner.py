from pathlib import Path

from teamlead.core.runs import RunEnd
from teamlead.ports import Capabilities, RunHandle, RunSpec
from teamlead.runners.attempt_folder import AttemptFolder
from teamlead.runners.claude.dialect import ClaudeDialect
from teamlead.runners.claude.invocation import invocation
from teamlead.runners.detection import require
from teamlead.runners.program import launch


class ClaudeRunner:
    capabilities = Capabilities(
        team=True, steer=True, cost=True, structured=True, resume=True, tool_limits="calls"
    )

    def __init__(self, program: Path | None = None) -> None:
        self._program = program

    def validate(self) -> None:
        self._found()

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        return await AttemptFolder(spec.folder).recall()

    async def start(self, spec: RunSpec) -> RunHandle:
        return await launch(spec, invocation(self._found(), spec), ClaudeDialect(spec))

    def _found(self) -> Path:
        return self._program or require("claude")
