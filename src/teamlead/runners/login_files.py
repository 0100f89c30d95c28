"""Whether somebody has logged in with an agent's program, as the machine tells. Nobody is asked."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.runners.detection import LOGIN, credentials


class _LoginFile(NamedTuple):
    variable: str
    """Names the folder that the file is in, in the place of one in the user's home."""
    usual: str
    file: str


_FILES = {
    "claude": _LoginFile("CLAUDE_CONFIG_DIR", ".claude", ".credentials.json"),
    "codex": _LoginFile("CODEX_HOME", ".codex", "auth.json"),
    "gemini": _LoginFile("GEMINI_CLI_HOME", "", ".gemini/oauth_creds.json"),
}


def logged_in(kind: str, environment: Mapping[str, str] = os.environ) -> bool:
    """It has a credential, or the file that a login leaves. One that is kept elsewhere is not seen."""
    if credentials(kind, environment) != LOGIN:
        return True
    variable, usual, file = _FILES[kind]
    return (Path(environment.get(variable) or Path.home() / usual) / file).is_file()
