import asyncio
from functools import cached_property
from pathlib import Path

from teamlead.errors import Refused
from teamlead.ports.runner import Capabilities, RunHandle, RunSpec
from teamlead.runners.codex.dialect import CodexDialect
from teamlead.runners.codex.invocation import invocation, places, reads_only
from teamlead.runners.codex.sandbox import why_not
from teamlead.runners.detection import locate, require
from teamlead.runners.program import ProgramRunner, launch
from teamlead.runners.refusals import UNHELD, is_unheld, refuse_asking, refuse_unheld
from teamlead.system.disk import storing
from teamlead.system.rooms.availability import means


class CodexRunner(ProgramRunner):
    def __init__(self, program: Path | None = None) -> None:
        self._named = program

    @cached_property
    def capabilities(self) -> Capabilities:
        program = self._named or locate("codex")
        kind = means().kind
        roomless = why_not(program, kind) if program and kind else ""
        # Whoever can in a room can without one.
        unheld = why_not(program, None) if program and (roomless or not kind) else ""
        return Capabilities(
            team=True,
            resume=True,
            tool_limits="kinds",
            os_sandbox=program is not None and not unheld,
            unheld=unheld,
            roomless="" if unheld else roomless,
        )

    def validate(self) -> None:
        self._found()

    async def start(self, spec: RunSpec) -> RunHandle:
        program = self._found()
        refuse_asking("codex", spec)
        spec = await asyncio.to_thread(_held, program, spec)
        where = places(spec)
        with storing(spec.home):
            for folder in filter(None, where):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return await launch(spec, invocation(program, spec), CodexDialect(spec, where.home))

    def _found(self) -> Path:
        return self._named or require("codex")


def _held(program: Path, spec: RunSpec) -> RunSpec:
    """Chooses where its commands are held: in its room, if they can be there."""
    if is_unheld(spec.arguments):
        if reads_only(spec):
            raise Refused(f"role {spec.role!r} may only read: codex cannot be run with {UNHELD} (--yolo)")
        return spec
    reason = why_not(program, spec.room.house.kind if spec.room else None)
    if reason and spec.room and not spec.room.house.strict:
        spec, reason = spec._replace(room=None), why_not(program, None)
    refuse_unheld("codex", reason, spec.arguments)
    return spec
