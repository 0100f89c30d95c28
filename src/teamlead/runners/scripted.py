"""The scripted agent: a real program that does what a script file says."""

import sys
from functools import cached_property
from pathlib import Path

from teamlead.errors import NotFound, TeamleadError, UsageError
from teamlead.ports import Capabilities, RunEnd, RunHandle, RunSpec
from teamlead.runners.folder import AttemptFolder
from teamlead.runners.program import Dialect, Invocation, launch
from teamlead.runners.script import Script, check_script
from teamlead.system.environment import TEAM_TOKEN, TEAM_URL


class ScriptedRunner:
    def __init__(self, script: Path) -> None:
        self._script = script

    @cached_property
    def capabilities(self) -> Capabilities:
        """Who never talks to the team is told of none. What is wrong with a script, its start tells."""
        try:
            runs = [steps for runs in self._read().values() for steps in runs]
        except TeamleadError:
            runs = []
        return Capabilities(team=any("team" in step for steps in runs for step in steps), cost=True)

    def validate(self) -> None:
        """Raises NotFound or ConfigError, before anything runs."""
        self._read()

    def _read(self) -> Script:
        try:
            text = self._script.read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise NotFound(f"no script {str(self._script)!r}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the script {str(self._script)!r}: {error}") from error
        return check_script(text, str(self._script))

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        return await AttemptFolder(spec.folder).recall()

    async def start(self, spec: RunSpec) -> RunHandle:
        # -P: the working copy must not be searched for the agent's own modules.
        argv = [sys.executable, "-P", "-m", "teamlead.testing.agent", str(self._script)]
        team = {TEAM_URL: spec.team.url, TEAM_TOKEN: spec.team.token} if spec.team else {}
        return await launch(spec, Invocation(argv, team, spec.prompt.encode("utf-8", "replace")), Dialect())
