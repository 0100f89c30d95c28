"""Where the real agents are, for tests: a variable of ours, the test packages, the PATH. Absent: skipped."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest


def claude() -> Path:
    return _program("claude", "claude_agent_sdk", "_bundled/claude")


def codex() -> Path:
    return _program("codex", "codex_cli_bin", "bin/codex")


def _program(name: str, package: str, inside: str) -> Path:
    named = os.environ.get(f"TEAMLEAD_{name.upper()}")
    spec = find_spec(package)
    packaged = Path(spec.origin).parent / inside if spec and spec.origin else None
    if named:
        return Path(named)
    if packaged is not None and packaged.exists():
        return packaged
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: the extra `agents` brings it")
    return Path(found)
