"""How a check is brought to run a few of its tests: its programs are told so, its command stays as it is.

pytest, go, jest and vitest are told through their environment. In the place of unittest a program of ours
runs, which also says which test runs, as pytest does by itself.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.core.evidence.asking_names import node_module
from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.proofs import pytest_chosen, unittest_chosen
from teamlead.evidence.proofs.variants import Files, stored
from teamlead.system.git import Git

UNITTEST = re.compile(r"-m unittest(?=\s|$)")
_NAME = "teamlead_chosen"


class Choice(NamedTuple):
    """What it takes in a copy, and around the command."""

    files: Files
    around: Callable[[str], str]
    environment: Mapping[str, str]


def choice(git: Git, check: CheckResult, tests: Collection[str]) -> Choice | None:
    """These tests alone, by the names that were noted. None: nobody can tell this program so."""
    programs = check.suite.programs if check.suite else ()
    if programs == ("pytest",):
        plugin = program(git, _NAME, pytest_chosen.__file__, f"TESTS |= {set(tests)!r}")
        return Choice(plugin, importing, {"PYTEST_ADDOPTS": f"-x -p {_NAME}"})
    return of_unittest(git, check, tests)


def of_files(git: Git, check: CheckResult, files: Collection[str]) -> Choice | None:
    """All tests of these files of Python, and all that is said of them."""
    programs = check.suite.programs if check.suite else ()
    end = f"FILES |= {set(files)!r}"
    if programs == ("pytest",):
        plugin = program(git, _NAME, pytest_chosen.__file__, end)
        return Choice(plugin, importing, {"PYTEST_ADDOPTS": f"-vvv -p no:sugar -p {_NAME}"})
    if programs != ("unittest",) or not UNITTEST.search(check.command):
        return None
    ours = program(git, _NAME, unittest_chosen.__file__, f"{end}\nmain()")
    return Choice(ours, lambda command: importing(UNITTEST.sub(f"-m {_NAME}", command)), {})


def of_unittest(git: Git, check: CheckResult, tests: Collection[str] = ()) -> Choice | None:
    """Without `tests`, all of them. It says which one runs in any case."""
    if check.suite is None or check.suite.programs != ("unittest",) or not UNITTEST.search(check.command):
        return None
    end = f"TESTS |= {set(tests)!r}\nmain()"
    return Choice(
        program(git, _NAME, unittest_chosen.__file__, end),
        lambda command: importing(UNITTEST.sub(f"-m {_NAME}", command)),
        {},
    )


def of_go(check: CheckResult, tests: Sequence[str]) -> Choice | None:
    """By their names, in every package: nobody notes which of them runs a line."""
    if check.suite is None or check.suite.programs != ("go",) or not tests:
        return None
    flag = f" -run=^({'|'.join(tests)})$"
    return Choice({}, lambda command: f"export GOFLAGS=\"$(go env GOFLAGS)\"'{flag}'\n{command}", {})


_MORE_PATHS = """
    const main = /(?:^|[\\\\/])(?:jest|vitest)(?:\\.[cm]?js)?$/.test(process.argv[1] || "");
    const rest = process.argv.indexOf("--");
    if (main) process.argv.splice(rest < 0 ? process.argv.length : rest, 0, ...FILES);
"""


def of_javascript(check: CheckResult, files: Sequence[str]) -> Choice | None:
    """All tests of these files; of a command that names files itself, its own, too."""
    if check.suite is None or check.suite.programs not in {("jest",), ("vitest",)} or not files:
        return None
    script = _MORE_PATHS.replace("FILES", json.dumps(list(files)))
    return Choice({}, str, {"NODE_OPTIONS": f"--import={node_module(script)}"})


def program(git: Git, name: str, place: str, end: str) -> Files:
    text = Path(place).read_text("utf-8")
    return {f"{name}.py": stored(git, f"{text}\n\n{end}\n".encode())}


def importing(command: str) -> str:
    """Where the command says itself what modules are imported from, our place comes first."""
    return 'export PYTHONPATH="$PWD"\n' + command.replace("PYTHONPATH=", 'PYTHONPATH="$PWD":')
