"""Where settings and state live, by the XDG rules."""

import os
from pathlib import Path

REPOSITORY_FILE = ".teamlead/config.toml"


def user_config_file() -> Path:
    return _base("XDG_CONFIG_HOME", ".config") / "teamlead" / "config.toml"


def state_home() -> Path:
    return _base("XDG_STATE_HOME", ".local/state") / "teamlead"


def _base(variable: str, default: str) -> Path:
    # The XDG rules: a relative path is invalid and ignored.
    given = os.environ.get(variable, "")
    return Path(given) if given.startswith("/") else Path.home() / default
