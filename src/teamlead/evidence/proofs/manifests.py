"""Files that say what a project is, and also how it is tested: the latter as it was before a change.

What a project is stays as it is now: its name, what it needs, how it is built.
"""

import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

_PROJECT_KEYS = frozenset(
    """
    name version description type main module exports imports browser types typings bin files
    workspaces engines os cpu
    dependencies devDependencies peerDependencies optionalDependencies peerDependenciesMeta bundleDependencies
    overrides resolutions packageManager private license author repository keywords sideEffects
    """.split()  # noqa: SIM905 - a table of names reads better without quotes
)
_PROJECT_TABLES = re.compile(
    r"project\b|build-system|dependency-groups|package\b|(?:dev-|build-)?dependencies\b|features|workspace\b|lib\b|bin\b"
    r"|profile\b|metadata|options\b|tool\.(?:poetry|setuptools|setuptools_scm|hatch|flit|pdm|uv|maturin|cython)\b"
)
_TABLE = re.compile(r"^\s*\[+\s*([^\]]+?)\s*\]+\s*(?:#.*)?$")


def is_manifest(path: str) -> bool:
    return PurePosixPath(path).name in {"package.json", "pyproject.toml", "setup.cfg", "Cargo.toml"}


def frozen_manifest(path: str, before: str, after: str) -> str:
    """What it says of the project as it is now, and all else as it was before."""
    return _frozen_package(before, after) if path.endswith(".json") else _frozen_tables(before, after)


def _frozen_package(before: str, after: str) -> str:
    try:
        had, has = json.loads(before), json.loads(after)
    except (ValueError, RecursionError):
        return after
    if not (isinstance(had, dict) and isinstance(has, dict)):
        return after
    frozen: dict[str, Any] = {key: value for key, value in has.items() if key in _PROJECT_KEYS}
    frozen |= {key: value for key, value in had.items() if key not in _PROJECT_KEYS}
    return after if frozen == has else json.dumps(frozen, indent=2) + "\n"


def _frozen_tables(before: str, after: str) -> str:
    had, has = list(_tables(before)), list(_tables(after))
    rest = [text for name, text in had if name and not _PROJECT_TABLES.match(name)]
    if rest == [text for name, text in has if name and not _PROJECT_TABLES.match(name)]:
        return after
    kept = [text for name, text in has if not name or _PROJECT_TABLES.match(name)]
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in (*kept, *rest))


def _tables(text: str) -> Iterator[tuple[str, str]]:
    """Each table with its name, and what stands before the first."""
    name, lines = "", list[str]()
    for line in text.splitlines(keepends=True):
        if found := _TABLE.match(line):
            yield name, "".join(lines)
            name, lines = found[1], []
        lines.append(line)
    yield name, "".join(lines)
