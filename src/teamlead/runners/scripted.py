"""The scripted agent: a real program that does what a script file says."""

import shutil
import sys
from functools import cached_property
from pathlib import Path

from teamlead.errors import NotFound, TeamleadError, UsageError
from teamlead.ports.runner import Capabilities, RunHandle, RunSpec
from teamlead.runners.program import Dialect, Invocation, ProgramRunner, launch
from teamlead.runners.script import Script, check_script
from teamlead.system.disk import storing
from teamlead.system.environment import TEAM_TOKEN, TEAM_URL
from teamlead.system.exhaustion import unless_exhausted


class ScriptedRunner(ProgramRunner):
    def __init__(self, script: Path) -> None:
        self._script = script

    @cached_property
    def capabilities(self) -> Capabilities:
        """A script that never talks to the team has none. What is wrong with a script, its start tells."""
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
            unless_exhausted(error)
            raise UsageError(f"cannot read the script {str(self._script)!r}: {error}") from error
        return check_script(text, str(self._script))

    async def start(self, spec: RunSpec) -> RunHandle:
        # -P: the working copy must not be searched for the agent's own modules.
        script = self._shown(spec)
        argv = [sys.executable, "-P", "-m", "teamlead.testing.agent", str(script)]
        team = {TEAM_URL: spec.team.url, TEAM_TOKEN: spec.team.token} if spec.team else {}
        prompt = spec.prompt.encode("utf-8", "replace")
        return await launch(spec, Invocation(argv, team, prompt, readable=(script,)), Dialect())

    def _shown(self, spec: RunSpec) -> Path:
        """Returns where the agent reads its script: in a room the copy covers what lies in the checkout."""
        place = self._script.resolve()
        if spec.room is None or spec.room.outside(place) == place or not place.is_file():
            return self._script
        shown = spec.folder / "script.toml"
        with storing(shown):
            spec.folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place, shown)
        return shown
