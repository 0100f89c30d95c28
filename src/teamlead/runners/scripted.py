"""The scripted agent: a real program that does what a script file says."""

import sys
from pathlib import Path

from teamlead.errors import NotFound, UsageError
from teamlead.ports import Capabilities, RunEnd, RunHandle, RunSpec
from teamlead.runners.folder import AttemptFolder
from teamlead.runners.program import Dialect, Invocation, launch
from teamlead.runners.script import check_script


class ScriptedRunner:
    capabilities = Capabilities(cost=True)

    def __init__(self, script: Path) -> None:
        self._script = script

    def validate(self) -> None:
        """Raises NotFound or ConfigError, before anything runs."""
        try:
            text = self._script.read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise NotFound(f"no script {str(self._script)!r}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the script {str(self._script)!r}: {error}") from error
        check_script(text, str(self._script))

    async def recall(self, spec: RunSpec) -> RunEnd | None:
        return await AttemptFolder(spec.folder).recall()

    async def start(self, spec: RunSpec) -> RunHandle:
        # -P: the working copy must not be searched for the agent's own modules.
        argv = [sys.executable, "-P", "-m", "teamlead.testing.agent", str(self._script)]
        return await launch(spec, Invocation(argv, stdin=spec.prompt.encode("utf-8", "replace")), Dialect())
