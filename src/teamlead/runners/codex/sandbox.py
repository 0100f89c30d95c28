"""Whether Codex can hold its commands by the operating system: not every kernel and container lets it."""

import subprocess
import tempfile
from functools import cache
from pathlib import Path

from teamlead.system.environment import allowed

PATIENCE = 10.0
_PROBE = 'touch "$0" && exit 3; exit 0'
"""Ends well only if it ran, and could not write."""


@cache
def holds(program: Path) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        home, temporary = Path(folder, "home"), Path(folder, "temporary")
        home.mkdir()
        temporary.mkdir()
        argv = [str(program), "sandbox", "--", "sh", "-c", _PROBE, str(Path(folder, "file"))]
        try:
            done = subprocess.run(
                argv,
                cwd=folder,
                # A home of its own: the user's settings are not what is asked about. With a bubblewrap of the
                # system's it holds nothing from a home that is among the temporary files.
                env=allowed() | {"CODEX_HOME": str(home), "TMPDIR": str(temporary)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0
