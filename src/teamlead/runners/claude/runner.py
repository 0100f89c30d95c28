from pathlib import Path

from teamlead.ports.runner import Capabilities, RunHandle, RunSpec
from teamlead.runners.claude.dialect import ClaudeDialect
from teamlead.runners.claude.invocation import invocation
from teamlead.runners.detection import require
from teamlead.runners.program import ProgramRunner, launch


class ClaudeRunner(ProgramRunner):
    capabilities = Capabilities(
        team=True, steer=True, cost=True, structured=True, resume=True, tool_limits="calls"
    )

    def __init__(self, program: Path | None = None) -> None:
        self._program = program

    def validate(self) -> None:
        self._found()

    async def start(self, spec: RunSpec) -> RunHandle:
        return await launch(spec, invocation(self._found(), spec), ClaudeDialect(spec))

    def _found(self) -> Path:
        return self._program or require("claude")
