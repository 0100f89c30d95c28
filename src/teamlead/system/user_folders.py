"""Where settings and state live, by the XDG rules, and what a path in an agent's name means."""

import os
from pathlib import Path

REPOSITORY_FILE = ".teamlead/config.toml"
SCRIPTED = "scripted:"


def user_config_file() -> Path:
    return _base("XDG_CONFIG_HOME", ".config") / "teamlead" / "config.toml"


def state_home() -> Path:
    given = os.environ.get("TEAMLEAD_STATE", "")
    if given.startswith("/"):
        return Path(given)
    return _base("XDG_STATE_HOME", ".local/state") / "teamlead"


def _base(variable: str, default: str) -> Path:
    # The XDG rules: a relative path is invalid and ignored.
    given = os.environ.get(variable, "")
    return Path(given) if given.startswith("/") else Path.home() / default


def agent_at(agent: str, base: Path) -> str:
    """Makes an agent's path absolute: it is relative to where the agent was named, and is used everywhere."""
    kind, found, named = agent.partition(":")
    if not named or kind not in {"scripted", "command", "acp"}:
        return agent
    if kind == "scripted":
        return SCRIPTED + os.path.normpath(base / Path(named).expanduser())
    program, space, arguments = named.partition(" ")
    # A bare word is a program of the PATH.
    if "/" in program and program[0] not in "/'\"":
        program = os.path.normpath(base / Path(program).expanduser())
    return f"{kind}{found}{program}{space}{arguments}"
