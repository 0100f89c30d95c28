import asyncio
import os
from pathlib import Path

from teamlead.errors import Refused
from teamlead.ports.runner import Capabilities, RunHandle, RunSpec
from teamlead.runners.detection import require
from teamlead.runners.gemini.dialect import GeminiDialect
from teamlead.runners.gemini.invocation import by_login, home_of, invocation, prepare
from teamlead.runners.program import ProgramRunner, launch
from teamlead.runners.refusals import refuse_asking
from teamlead.system.disk import storing


class GeminiRunner(ProgramRunner):
    def __init__(self, program: Path | None = None) -> None:
        self._named = program

    @property
    def capabilities(self) -> Capabilities:
        """By the user's login it runs with the user's own settings, in which the team has no place."""
        return Capabilities(team=not by_login(), resume=True, tool_limits="kinds")

    def validate(self) -> None:
        self._found()

    async def start(self, spec: RunSpec) -> RunHandle:
        program = self._found()
        refuse_asking("gemini", spec)
        _check_settings(spec)
        with storing(spec.home):
            await asyncio.to_thread(prepare, spec)
        return await launch(spec, invocation(program, spec), GeminiDialect(spec, home_of(spec)))

    def _found(self) -> Path:
        return self._named or require("gemini")


def _check_settings(spec: RunSpec) -> None:
    """Refuses the one file of a repository that Gemini reads whatever it is told."""
    if not spec.own_settings and os.path.lexists(spec.cwd / ".gemini" / ".env"):
        raise Refused(
            "gemini would take variables from the repository's file '.gemini/.env'",
            remedy="remove the file, or let the repository's settings for agents take effect",
        )
