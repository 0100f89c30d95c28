"""node's own runner, as people see it: its "spec" reporter. What else it prints is TAP or JUnit XML."""

import re

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import JOIN, Counts, Tally, combined, lines

STATUSES: dict[str, TestStatus] = {"✔": "passed", "✖": "failed", "﹣": "skipped"}
GROUP = "▶"

_TOLD = re.compile(rf"( *)([{''.join(STATUSES)}{GROUP}]) (.+?)(?:(?P<time> \([\d.]+ms\))(?P<why> # .*)?)?")
_NUMBER = re.compile(r"ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)")


def read(text: str) -> SuiteRun | None:
    runs: list[SuiteRun] = []
    reading = _Reading()
    for line in lines(text):
        found = _NUMBER.fullmatch(line)
        if found is None:
            reading.take(line)
        elif found[1] != "duration_ms":
            reading.numbers[found[1]] = int(float(found[2]))
        elif "tests" in reading.numbers:
            runs.append(reading.end())
            reading = _Reading()
    return combined(runs)


class _Reading:
    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._tally = Tally()
        self._open: list[tuple[int, str]] = []
        self._closed = 0
        self._failed_below: set[int] = set()

    def take(self, line: str) -> None:
        found = _TOLD.fullmatch(line)
        if found is None:
            return
        indent, mark, title = len(found[1]), found[2], found[3]
        if (indent, title) in self._open and found["time"]:
            self._close(indent, title, mark)
        elif mark == GROUP:
            self._leave(indent)
            self._open.append((indent, title))
        else:
            self._leave(indent)
            todo = "# TODO" in (found["why"] or "")
            self._add(indent, title, "skipped" if todo else STATUSES[mark])

    def _leave(self, indent: int) -> None:
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()

    def _close(self, indent: int, title: str, mark: str) -> None:
        """Ends a group: a suite, or a test that has parts, which failed itself if no part of it did."""
        self._leave(indent)
        self._closed += 1
        below = {level for level in self._failed_below if level > indent}
        self._failed_below -= below
        if below:
            self._failed_below.add(indent)
        elif mark == "✖":
            self._closed -= 1
            self._add(indent, title, "failed")

    def _add(self, indent: int, title: str, status: TestStatus) -> None:
        # A file that is told of by its whole path lies elsewhere in another copy.
        title = title.rsplit("/", 1)[-1] if title.startswith("/") else title
        groups = [group for _, group in self._open] or ["node"]
        self._tally.add_another(JOIN.join((*groups, title)), status)
        if status == "failed":
            self._failed_below.add(indent)

    def end(self) -> SuiteRun:
        told = self.numbers
        if self._tally.told + self._closed - told.get("suites", 0) == told["tests"]:
            return self._tally.run("node")
        failed = told.get("fail", 0) + told.get("cancelled", 0)
        skipped = told.get("skipped", 0) + told.get("todo", 0)
        return self._tally.run("node", Counts(told.get("pass", 0), failed, skipped))
