"""unittest, and what builds on its runner, such as Django's: terse and verbose."""

import re

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import Counts, Tally, combined, lines

STATUSES: dict[str, TestStatus] = {
    "ok": "passed",
    "FAIL": "failed",
    "ERROR": "failed",
    "unexpected success": "failed",
    "skipped": "skipped",
    "expected failure": "skipped",
}

_WORD = f"({'|'.join(STATUSES)})"
_TEST = re.compile(rf"(\w+) \(([\w.<>]+)\)(?: \.\.\. {_WORD}(?: .*)?)?")
_DESCRIBED = re.compile(rf".* \.\.\. {_WORD}(?: '.*)?")
_SECTION = re.compile(r"(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\w+) \(([\w.<>]+)\).*")
_COUNT = re.compile(r"\d{1,9}")
_RAN = re.compile(r"Ran (\d{1,9}) tests? in \d[\d.]*s")
_END = re.compile(r"(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?")
_SKIPPED = ("skipped", "expected failures")
_FAILED = ("failures", "errors", "unexpected successes")
_LOADER = "unittest.loader._FailedTest."


def read(text: str) -> SuiteRun | None:
    runs: list[SuiteRun] = []
    reading = _Reading()
    ran: int | None = None
    for line in lines(text):
        if found := _RAN.fullmatch(line):
            ran = int(found[1])
        elif ran is not None and (end := _END.fullmatch(line)):
            runs.append(reading.end(ran, end[1] or ""))
            reading, ran = _Reading(), None
        else:
            reading.take(line)
    return combined(runs)


class _Reading:
    def __init__(self) -> None:
        self._tally = Tally()
        self._failed: set[str] = set()
        self._outside: set[str] = set()
        """What failed without being counted as a test: a class's or a module's preparation."""
        self._open = ""

    def take(self, line: str) -> None:
        if found := _SECTION.fullmatch(line):
            name = _name(found[1], found[2])
            self._failed.add(name)
            if found[1].startswith(("setUp", "tearDown")):
                self._outside.add(name)
        elif found := _TEST.fullmatch(line):
            self._open = _name(found[1], found[2])
            if found[3]:
                self._close(found[3])
        elif self._open and (found := _DESCRIBED.fullmatch(line)):
            self._close(found[1])

    def _close(self, word: str) -> None:
        self._tally.add(self._open, STATUSES[word])
        self._open = ""

    def end(self, ran: int, words: str) -> SuiteRun:
        told = dict(part.split("=", 1) for part in words.split(", ") if "=" in part)

        def total(*names: str) -> int:
            return sum(int(told[name]) for name in names if _COUNT.fullmatch(told.get(name, "")))

        skipped = total(*_SKIPPED)
        failed = len(self._failed) or total(*_FAILED)
        passed = max(0, ran - skipped - failed + len(self._outside))
        for name in sorted(self._failed - self._tally.names.keys()):
            self._tally.add(name, "failed")
        return self._tally.run("unittest", Counts(passed, failed, skipped))


def _name(method: str, place: str) -> str:
    """Python 3.11 names the method twice. A class or module that could not be prepared is named itself."""
    if method.startswith(("setUp", "tearDown")):
        return place
    place = place.removesuffix(f".{method}")
    return method if f"{place}." == _LOADER else f"{place}::{method}"
