"""mocha: its "spec" reporter, and of others that end with the same words the numbers."""

import re

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import JOIN, Counts, Tally, combined, lines

_TEST = re.compile(r"( +)([✓✔√]|-|\d{1,9}\)) (.+?)(?: \(\d+ms\))?")
_GROUP = re.compile(r"( +)(\S.*)")
_PASSING = re.compile(r" *(\d{1,9}) passing \(.+\)")
_REST = re.compile(r" *(\d{1,9}) (pending|failing)")


def read(text: str) -> SuiteRun | None:
    runs: list[SuiteRun] = []
    reading = _Reading()
    for line in lines(text):
        if found := _PASSING.fullmatch(line):
            if reading.numbers:
                runs.append(reading.end())
            reading.numbers = {"passing": int(found[1])}
        elif reading.numbers:
            if found := _REST.fullmatch(line):
                reading.numbers[found[2]] = int(found[1])
            else:
                runs.append(reading.end())
                reading = _Reading()
                reading.take(line)
        else:
            reading.take(line)
    if reading.numbers:
        runs.append(reading.end())
    return combined(runs)


class _Reading:
    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._tally = Tally()
        self._groups: list[tuple[int, str]] = []

    def take(self, line: str) -> None:
        if found := _TEST.fullmatch(line):
            self._shrink(len(found[1]))
            groups = [group for _, group in self._groups] or ["mocha"]
            self._tally.add_another(JOIN.join((*groups, found[3])), _status(found[2]))
        elif found := _GROUP.fullmatch(line):
            self._shrink(len(found[1]))
            self._groups.append((len(found[1]), found[2]))

    def _shrink(self, indent: int) -> None:
        while self._groups and self._groups[-1][0] >= indent:
            self._groups.pop()

    def end(self) -> SuiteRun:
        told = self.numbers
        counts = Counts(told["passing"], told.get("failing", 0), told.get("pending", 0))
        return self._tally.run("mocha", counts)


def _status(mark: str) -> TestStatus:
    if mark == "-":
        return "skipped"
    return "failed" if mark.endswith(")") else "passed"
