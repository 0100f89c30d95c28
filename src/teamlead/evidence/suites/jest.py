"""jest: with and without --verbose. A file that could not be run counts as one failed test."""

import re

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import JOIN, Counts, Tally, combined, lines

STATUSES: dict[str, TestStatus] = {
    "✓": "passed",
    "√": "passed",
    "✕": "failed",
    "×": "failed",
    "○": "skipped",
    "✎": "skipped",
}

_FILE = re.compile(r" ?(?:PASS|FAIL) +(?:.* )?(?:\./)?(\S+\.\w+)(?: \([\d.]+ m?s\))?")
_TEST = re.compile(rf"( +)([{''.join(STATUSES)}]) (?:skipped |todo )?(.+?)(?: \([\d.]+ m?s\))?")
_GROUP = re.compile(r"( +)(\S.*)")
_FAILURE = re.compile(r"  ● (.+)")
_UNRUN = "Test suite failed to run"
_END = re.compile(r"Tests: +(.*\b\d+ total)")
_COUNT = re.compile(r"(\d{1,9}) (passed|failed|skipped|todo)")
_NONE = re.compile(r"No tests found, exiting with code [01]")


def read(text: str) -> SuiteRun | None:
    runs: list[SuiteRun] = []
    reading = _Reading()
    for line in lines(text):
        if found := _END.fullmatch(line):
            runs.append(reading.end(found[1]))
            reading = _Reading()
        elif _NONE.fullmatch(line):
            runs.append(reading.end(""))
        else:
            reading.take(line)
    return combined(runs)


class _Reading:
    def __init__(self) -> None:
        self._tally = Tally()
        self._file = ""
        self._groups: list[tuple[int, str]] = []
        self._failures: dict[str, None] = {}
        self._unrun: dict[str, None] = {}

    def take(self, line: str) -> None:
        if found := _FILE.fullmatch(line):
            self._file, self._groups = found[1], []
        elif not self._file:
            return
        elif found := _FAILURE.fullmatch(line):
            self._failure(found[1])
        elif found := _TEST.fullmatch(line):
            self._shrink(len(found[1]))
            name = JOIN.join([self._file, *(group for _, group in self._groups), found[3]])
            self._tally.add(name, STATUSES[found[2]])
        elif found := _GROUP.fullmatch(line):
            self._shrink(len(found[1]))
            self._groups.append((len(found[1]), found[2]))

    def _shrink(self, indent: int) -> None:
        while self._groups and self._groups[-1][0] >= indent:
            self._groups.pop()

    def _failure(self, title: str) -> None:
        if title == _UNRUN:
            self._unrun[self._file] = None
        elif title != "Console":
            self._failures[f"{self._file}{JOIN}{title}"] = None

    def end(self, words: str) -> SuiteRun:
        found = {word: int(number) for number, word in _COUNT.findall(words)}
        for name in (*self._failures, *self._unrun):
            if name not in self._tally.names:
                self._tally.add(name, "failed")
        failed = found.get("failed", 0) + len(self._unrun)
        skipped = found.get("skipped", 0) + found.get("todo", 0)
        return self._tally.run("jest", Counts(found.get("passed", 0), failed, skipped))
