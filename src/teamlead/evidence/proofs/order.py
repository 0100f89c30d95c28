"""The touched tests in reverse, and then once more in the same process: each has to pass by itself.

What fails so on the base, too, is nothing that the work has brought.

Of pytest, unittest and go: others cannot be told so for certain.
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs import go_order, pytest_order, unittest_order
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.chosen_tests import UNITTEST, importing, program
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.variants import Files, entries, stored
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

ANY_ORDER = "its tests pass in any order, and more than once"
NAME = "teamlead_order"


class Turn(NamedTuple):
    """How a program is brought to run the touched tests in reverse, and twice."""

    files: Files
    around: Callable[[str], str]
    environment: Mapping[str, str] = {}
    tests: Collection[str] | None = None
    """What the program may call them; None: it runs no others."""


async def order(bench: Bench) -> Proofs:
    checks = [check for check in bench.case.checks if check.passed]
    found = [
        await _turned(bench, check, how) for check in checks if (how := await bench.look(turn, bench, check))
    ]
    return Proofs(tuple(item for item in found if item))


def turn(git: Git, bench: Bench, check: CheckResult, commit: str = "") -> Turn | None:
    """`commit`: the base; empty: the work."""
    commit = commit or bench.work
    programs = check.suite.programs if check.suite else ()
    there = bench.is_there() if commit == bench.work else bench.was_there()
    touched = [path for path in there if is_of_tests(path)]
    python = [path for path in touched if path.endswith(".py")]
    if "pytest" in programs and python:
        plugin = program(git, NAME, pytest_order.__file__, f"FILES += {python!r}")
        options = f"-vvv -p no:sugar -p no:randomly -p {NAME}"
        return Turn(plugin, importing, {"PYTEST_ADDOPTS": options})
    if "unittest" in programs and python and UNITTEST.search(check.command):
        ours = program(git, NAME, unittest_order.__file__, f"FILES += {python!r}\nmain()")
        return Turn(ours, lambda command: importing(UNITTEST.sub(f"-m {NAME}", command)))
    go = [path for path in touched if path.endswith("_test.go")]
    return _turn_of_go(git, commit, go) if "go" in programs and go and "go test" in check.command else None


def _turn_of_go(git: Git, commit: str, paths: list[str]) -> Turn | None:
    """Tests of the same name in other packages run, too."""
    modes = entries(git, commit, paths)
    files, tests = dict(modes), dict[str, str]()
    for path, _, text in read_texts(git, commit, commit, paths):
        now = modes[path]
        if text and now:
            turned = go_order.in_reverse(text)
            files[path] = stored(git, turned.text.encode(), now.mode)
            package = go_order.package(git, commit, path)
            tests |= {f"{package}::{test}": test for test in turned.tests}
    asking = partial(go_order.asking, tests=sorted(set(tests.values())))
    return Turn(files, asking, tests=tests.keys()) if tests else None


async def _turned(bench: Bench, check: CheckResult, how: Turn) -> Evidence | None:
    ran = await _run(bench, check, how)
    if ran and _failed(ran, how):
        ran = await _run(bench, check, how, repetition=1)
        failed = _failed(ran, how) if ran else []
        new = await _unknown_to_base(bench, check, failed)
        return _flag(check, ran, new) if ran and new else None
    passed = ran and ran.passed and ran.end.suite and ran.end.suite.ran
    return (
        _item(check, ran, "they pass in reverse, and again in the same process") if ran and passed else None
    )


async def _unknown_to_base(bench: Bench, check: CheckResult, failed: list[str]) -> list[str]:
    """Those that do not fail there in the same way."""
    how = await bench.look(turn, bench, check, bench.base) if failed else None
    ran = await _run(bench, check, how, commit=bench.base) if how else None
    known = _failed(ran, how) if how and ran else []
    return [name for name in failed if name not in known]


def _failed(ran: Ran, how: Turn) -> list[str]:
    suite = ran.end.suite
    if suite is None or not suite.failed:
        return []
    names = [name for name, status in (suite.names or {}).items() if status == "failed"]
    if how.tests is not None:
        return [name for name in names if go_order.whole(name) in how.tests]
    return names or [f"{suite.failed} of the tests"]


def _flag(check: CheckResult, ran: Ran, names: list[str]) -> Evidence:
    told = listed(names)
    return _item(
        check,
        ran,
        f"in reverse, and again in the same process, these fail: {told}",
        question=f"In reverse, or when they run twice, these fail: {told}. Which sentence of the plan "
        "asks for something that holds in one order only?",
    )


async def _run(
    bench: Bench, check: CheckResult, how: Turn, *, repetition: int = 0, commit: str = ""
) -> Ran | None:
    return await bench.run_with(
        commit or bench.work,
        how.files,
        check,
        repetition=repetition,
        environment=how.environment,
        around=how.around,
    )


def _item(check: CheckResult, ran: Ran, found: str, *, question: str = "") -> Evidence:
    return Evidence(
        kind="proof",
        verdict="flagged" if question else "proven",
        claim=ANY_ORDER,
        found=found,
        command=look_again(check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=question,
    )
