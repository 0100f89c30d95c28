"""go test: plain, -v and -json.

Plain output names what failed, and of the rest only packages. Therefore a package that tells no single test
that passed is listed itself.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import CUT, Tally, lines

STATUSES: dict[str, TestStatus] = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}

_TEST = re.compile(r"--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$")
_PACKAGE = re.compile(r"(ok  |FAIL)\t(\S+)(?:\t| \[)(.*)")
_NOTHING = "[no tests to run]"


class _Ended(NamedTuple):
    package: str
    test: str
    """Empty: the package itself."""
    status: TestStatus


def read(text: str) -> SuiteRun | None:
    if CUT in text:
        return None
    packages: dict[str, Tally] = {}
    ends: dict[str, TestStatus] = {}
    for ended in (*_plain(text), *_json(text)):
        tests = packages.setdefault(ended.package, Tally())
        if ended.test:
            tests.add(ended.test, ended.status)
        else:
            ends[ended.package] = ended.status
    whole = Tally()
    for package, tests in packages.items():
        for test, status in tests.names.items():
            whole.add(f"{package}::{test}", status)
        if package in ends and not {"passed", "skipped"} & set(tests.names.values()):
            whole.add(package, ends[package])
    return whole.run("go") if ends else None


def _plain(text: str) -> Iterator[_Ended]:
    """A package's tests come before its own line."""
    tests: list[tuple[str, TestStatus]] = []
    for line in lines(text):
        if line.startswith("{"):
            continue
        if found := _TEST.search(line):
            tests.append((found[2], STATUSES[found[1]]))
        elif found := _PACKAGE.fullmatch(line):
            package = found[2]
            for test, status in tests:
                yield _Ended(package, test, status)
            tests.clear()
            if not found[3].endswith(_NOTHING):
                yield _Ended(package, "", "failed" if found[1] == "FAIL" else "passed")


def _json(text: str) -> Iterator[_Ended]:
    for line in text.split("\n"):
        if not line.startswith('{"') or '"Package"' not in line:
            continue
        with suppress(ValueError, RecursionError):
            event = json.loads(line)
            status = STATUSES.get(str(event.get("Action")).upper())
            package, test = event.get("Package"), event.get("Test") or ""
            # A package that is skipped has no tests.
            if (
                status
                and isinstance(package, str)
                and isinstance(test, str)
                and (test or status != "skipped")
            ):
                yield _Ended(package, test, status)
