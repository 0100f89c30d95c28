"""How a test program that told numbers only is brought to tell the names of its tests.

The same command is run once more with something added to its environment, so that it does not matter what
hides the program: make, tox, npm, a script. Where a program has no such way, the command itself is changed,
if it plainly calls the program. If it does not, there is no way, and tests are compared by number.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from teamlead.core.evidence.names_of_tests import file_of
from teamlead.core.evidence.values import SuiteRun


class Asking(NamedTuple):
    command: str
    environment: Mapping[str, str] = {}
    """What is added to that of every check, which has none of these variables."""


def tells_all(run: SuiteRun) -> bool:
    """Every test has its name. Without -v, go names the packages that passed, and none of their tests."""
    names = run.names or {}
    packages = "go" in run.programs and any(
        status == "passed" and file_of(name) == name for name, status in names.items()
    )
    return run.complete and not packages


def asking(command: str, told: SuiteRun | None) -> Asking | None:
    """None: it told all names, or nobody knows a way."""
    if told is None or tells_all(told):
        return None
    asked = Asking(command)
    for program in told.programs:
        if way := _WAYS.get(program):
            asked = way(asked)
    return None if asked == Asking(command) else asked


def _pytest(asked: Asking) -> Asking:
    """Wins over -q and -qq. tox hands on few variables."""
    added = {"PYTEST_ADDOPTS": "-vvv -p no:sugar", "TOX_OVERRIDE": "testenv.pass_env+=PYTEST_ADDOPTS"}
    return asked._replace(environment={**asked.environment, **added})


def _unittest(asked: Asking) -> Asking:
    command = re.sub(r"(-m unittest(?: discover)?)(?=\s|$)", r"\1 -v", asked.command)
    return asked._replace(command=re.sub(r"(manage\.py test)(?=\s|$)", r"\1 -v 2", command))


def _go(asked: Asking) -> Asking:
    """Keeps what the user has told go for good. -json would change what other commands of go print, too."""
    return asked._replace(command=f'export GOFLAGS="$(go env GOFLAGS) -v"\n{asked.command}')


_MORE = r"""
    const main = /(?:^|[\\/])(jest|vitest|mocha)(?:\.[cm]?js)?$/.exec(process.argv[1] || "");
    const more = {jest: "--verbose", vitest: "--reporter=verbose", mocha: "--reporter=spec"};
    const rest = process.argv.indexOf("--");
    if (main) process.argv.splice(rest < 0 ? process.argv.length : rest, 0, more[main[1]]);
"""
"""None of these programs reads options from its environment, but node loads this before it loads them."""


def node_module(script: str) -> str:
    """Returns a script as an address that node loads, in one word."""
    return "data:text/javascript," + "".join(
        char if char.isalnum() else f"%{ord(char):02X}" for char in script.strip()
    )


def _node_option(option: str) -> Callable[[Asking], Asking]:
    def ask(asked: Asking) -> Asking:
        before = asked.environment.get("NODE_OPTIONS", "")
        if option in before:
            return asked
        return asked._replace(environment={**asked.environment, "NODE_OPTIONS": f"{before} {option}".strip()})

    return ask


_MORE_OPTIONS = _node_option(f"--import={node_module(_MORE)}")

_WAYS: Mapping[str, Callable[[Asking], Asking]] = {
    "pytest": _pytest,
    "unittest": _unittest,
    "go": _go,
    "jest": _MORE_OPTIONS,
    "vitest": _MORE_OPTIONS,
    "mocha": _MORE_OPTIONS,
    "node": _node_option("--test-reporter=tap"),
}
