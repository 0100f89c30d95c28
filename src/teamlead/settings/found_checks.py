"""Test commands that a repository seems to have, by the files in its root: proposed, never run unasked."""

import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

MANAGERS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn"}
NO_TESTS = "no test specified"
"""What npm writes into a new package."""
LARGEST = 1_000_000


def found_checks(root: Path) -> tuple[str, ...]:
    """One for each toolchain; `make test` where none of them is seen, for it most often calls one."""
    found = [check for find in (_python, _node, _rust, _go) for check in find(root)]
    return tuple(found or _make(root))


def _python(root: Path) -> Iterator[str]:
    settings = _toml(root / "pyproject.toml").get("tool", {})
    tests = [path for folder in ("tests", "test", ".") for path in (root / folder).glob("test_*.py")]
    if (
        "pytest" in settings
        or (root / "pytest.ini").is_file()
        or "[tool:pytest]" in _text(root / "setup.cfg")
    ):
        yield "python -m pytest -q"
        return
    wrapped = "tox" in settings or (root / "tox.ini").is_file()
    beneath = bool(tests) or (root / "conftest.py").is_file() or (root / "tests/conftest.py").is_file()
    # A wrapper that is not installed runs nothing; what it would call may.
    if wrapped and (not beneath or shutil.which("tox")):
        yield "tox"
    elif beneath:
        yield "python -m pytest -q"


def _node(root: Path) -> Iterator[str]:
    try:
        scripts = json.loads(_text(root / "package.json") or "{}").get("scripts", {})
    except (ValueError, AttributeError):
        return
    test = scripts.get("test") if isinstance(scripts, dict) else None
    if isinstance(test, str) and test.strip() and NO_TESTS not in test:
        yield f"{next((name for lock, name in MANAGERS.items() if (root / lock).is_file()), 'npm')} test"


def _rust(root: Path) -> Iterator[str]:
    if (root / "Cargo.toml").is_file():
        yield "cargo test"


def _go(root: Path) -> Iterator[str]:
    if (root / "go.mod").is_file():
        yield "go test ./..."


def _make(root: Path) -> Iterator[str]:
    texts = (_text(root / name) for name in ("GNUmakefile", "makefile", "Makefile"))
    makefile = next(filter(None, texts), "")
    target = next(
        (name for name in ("test", "check") if re.search(rf"^{name}\s*:(?!=)", makefile, re.MULTILINE)), ""
    )
    if target:
        yield f"make {target}"


def _toml(path: Path) -> dict[str, dict[str, object]]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError:
        return {}


def _text(path: Path) -> str:
    try:
        if path.is_file() and path.stat().st_size <= LARGEST:
            return path.read_text("utf-8", "replace")
    except OSError:
        pass
    return ""
