"""New files that a check would load in the place of its test program, or of what that is made of.

`python -m pytest` looks for `pytest` in its folder first, and what it finds there may print anything. So may
what node finds in `node_modules`.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence
from teamlead.core.model import Change
from teamlead.system.git import Git

ABSENT = "000000"
PROGRAMS = frozenset(
    """
    pytest _pytest pluggy iniconfig xdist pytest_cov pytest_asyncio coverage unittest doctest
    nose nose2 tox nox django hypothesis sitecustomize usercustomize
    """.split()  # noqa: SIM905 - a table of names reads better without quotes
)
"""Of Python: test programs, and what they load."""
PARTS = sys.stdlib_module_names | {"packaging", "py"}
NODE_PROGRAMS = frozenset({".bin", "jest", "vitest", "mocha", "ava", "tap", "jest-cli", "@jest", "@vitest"})
_FOLDER = re.compile(r"(?:^|[\s;&(])(?:cd|--rootdir|PYTHONPATH)[\s=]+([\w./-]+)")
CLAIM = "checks load the programs that they name"


class _Shadow(NamedTuple):
    path: str
    program: str
    sure: bool
    """A test program; otherwise a part of it, of which a project may want to have a namesake."""


def examine_shadows(
    git: Git, base: str, commit: str, changes: Sequence[Change], checks: Sequence[str]
) -> Iterator[Evidence]:
    added = [change.path for change in changes if change.before == ABSENT and change.after != ABSENT]
    found = list(shadows(added, checks))
    if not found:
        return
    had = git.run("ls-tree", "-r", "-z", "--name-only", base).fields
    known = {place for field in had if (place := _module(field.decode("utf-8", "replace")))}
    found = [one for one in found if _module(one.path) not in known]
    for sure in (True, False):
        told = tuple(
            f"{one.path} is loaded in the place of {one.program!r}: give it another name"
            for one in found
            if one.sure == sure
        )
        if told:
            yield Evidence(
                "tests",
                "objected" if sure else "flagged",
                claim=CLAIM,
                found=told[0],
                command=f"git diff --name-status {base[:12]} {commit[:12]}",
                details=told,
            )


def shadows(added: Iterable[str], checks: Sequence[str]) -> Iterator[_Shadow]:
    """Of new files, those that the checks may load in the place of something else."""
    if not checks:
        return
    named = (folder for check in checks for folder in _FOLDER.findall(check))
    folders = {PurePosixPath(), *map(PurePosixPath, named)}
    for path in added:
        parts = PurePosixPath(path).parts
        if "node_modules" in parts[:-1]:
            package = parts[parts.index("node_modules") + 1]
            if package in NODE_PROGRAMS:
                yield _Shadow(path, parts[-1] if package == ".bin" else package, sure=True)
        elif (place := _module(path)) and place.parent in folders and place.name in PROGRAMS | PARTS:
            yield _Shadow(path, place.name, place.name in PROGRAMS)


def _module(path: str) -> PurePosixPath | None:
    """What Python imports from this file, by its place."""
    found = PurePosixPath(path)
    if found.name == "__init__.py":
        return found.parent
    return found.with_suffix("") if found.suffix == ".py" else None
