import asyncio
from functools import cached_property
from pathlib import Path

from teamlead.errors import Refused
from teamlead.ports import Capabilities, RunEnd, RunHandle, RunSpec
from teamlead.runners.asking import refuse_asking
from teamlead.runners.codex.dialect import CodexDialect
from teamlead.runners.codex.invocation import UNHELD, invocation, is_unheld, places, reads_only
from teamlead.runners.codex.sandbox import holds
from teamlead.runners.detection import locate, require
from teamlead.runners.folder import AttemptFolder
from teamlead.runners.program import launch
from teamlead.system.disk import storing


class CodexRunner:
    def __init__(self, program: Path | None = None) -> None:
        self._named = program

    @cached_property
    def capabilities(self) -> Capabilities:
        program = self._named or locate("codex")
        return Capabilities(
            team=True, resume=True, tool_limits="kinds", os_sandbox=program is not None and holds(program)
        )

    def validate(self) -> None:
        self._found()

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        return await AttemptFolder(spec.folder).recall()

    async def start(self, spec: RunSpec) -> RunHandle:
        program = self._found()
        refuse_asking("codex", spec)
        await asyncio.to_thread(_check_sandbox, program, spec)
        where = places(spec)
        with storing(spec.home):
            for folder in filter(None, where):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return await launch(spec, invocation(program, spec), CodexDialect(spec, where.home))

    def _found(self) -> Path:
        return self._named or require("codex")


def _check_sandbox(program: Path, spec: RunSpec) -> None:
    if is_unheld(spec):
        if reads_only(spec):
            raise Refused(f"role {spec.role!r} may only read: codex cannot be run with {UNHELD} (--yolo)")
    elif not holds(program):
        raise Refused(
            f"codex cannot hold its commands on this machine ({program.name} sandbox -- true shows why)",
            remedy="allow user namespaces, choose another agent, or where the machine is a sandbox itself "
            f"let roles that may write have the argument {UNHELD}",
        )
