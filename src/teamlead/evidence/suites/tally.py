"""What a reader of a test program's output gathers while it reads."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from teamlead.core.evidence.values import SuiteRun, TestStatus

LONGEST_LINE = 1000
JOIN = " › "
"""Between a group of tests and a test."""
CUT = "[the middle of the output is left out here]"
"""A line that stands for what was too long to be read."""

_WORST: tuple[TestStatus, ...] = ("failed", "passed", "skipped")


class Counts(NamedTuple):
    passed: int = 0
    failed: int = 0
    skipped: int = 0


class Tally:
    """Tests by name. One that is told of twice, for its body and for its cleaning up, has the worse end."""

    def __init__(self) -> None:
        self.names: dict[str, TestStatus] = {}
        self.told = 0
        """How many results had a name, with those of the same name."""
        self._seen = Counter[str]()

    def add(self, name: str, status: TestStatus) -> None:
        self.told += 1
        self.names[name] = min(status, self.names.get(name, status), key=_WORST.index)

    def add_another(self, name: str, status: TestStatus) -> None:
        """Of a program that does not tell the file: one of the same name is another test."""
        self._seen[name] += 1
        self.add(name if self._seen[name] == 1 else f"{name} ({self._seen[name]})", status)

    def run(self, runner: str, counts: Counts | None = None) -> SuiteRun:
        """`counts` are what the program says itself; where every result had a name, the names are counted."""
        if counts is None or self.told == sum(counts):
            found = Counter(self.names.values())
            counts = Counts(found["passed"], found["failed"], found["skipped"])
        return SuiteRun(runner, *counts, dict(self.names) or None)


def lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield line[:LONGEST_LINE].rstrip()


def combined(runs: Iterable[SuiteRun]) -> SuiteRun | None:
    """Makes one run of several of one command. The same name in a second run is another test: "name (2)"."""
    runs = list(runs)
    if len(runs) < 2:
        return runs[0] if runs else None
    names: dict[str, TestStatus] = {}
    seen = Counter[str]()
    for run in runs:
        for name, status in (run.names or {}).items():
            seen[name] += 1
            names[name if seen[name] == 1 else f"{name} ({seen[name]})"] = status
    return SuiteRun(
        "+".join(dict.fromkeys(run.runner for run in runs)),
        sum(run.passed for run in runs),
        sum(run.failed for run in runs),
        sum(run.skipped for run in runs),
        names or None,
    )
