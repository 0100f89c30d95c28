"""vitest: its reporters for terminals. A file that could not be run counts as one failed test."""

import re

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import Counts, Tally, combined, lines

STATUSES: dict[str, TestStatus] = {
    "✓": "passed",
    "×": "failed",
    "↓": "skipped",
    "□": "skipped",
}

_TEST = re.compile(rf" +([{''.join(STATUSES)}]) (\S+\.\w+ > .+?)(?: \(retry x\d+\))?(?: \d+ms)?")
_FAILURE = re.compile(r" FAIL +(\S+\.\w+ > .+)")
_UNRUN = re.compile(r" FAIL +(\S+\.\w+) \[ .+ \]")
_END = re.compile(r" +Tests +(.*\(\d+\)|no tests)")
_COUNT = re.compile(r"(\d{1,9}) (passed|failed|skipped|todo)")
_NONE = re.compile(r"No test files found, exiting with code [01]")


def read(text: str) -> SuiteRun | None:
    runs: list[SuiteRun] = []
    tally, unrun = Tally(), 0
    for line in lines(text):
        if found := _TEST.fullmatch(line):
            tally.add(found[2], STATUSES[found[1]])
        elif found := _FAILURE.fullmatch(line) or _UNRUN.fullmatch(line):
            unrun += found.re is _UNRUN
            if found[1] not in tally.names:
                tally.add(found[1], "failed")
        elif (found := _END.fullmatch(line)) or _NONE.fullmatch(line):
            runs.append(tally.run("vitest", _counts(found[1] if found else "", unrun)))
            tally, unrun = Tally(), 0
    return combined(runs)


def _counts(words: str, unrun: int) -> Counts:
    found = {word: int(number) for number, word in _COUNT.findall(words)}
    return Counts(
        found.get("passed", 0),
        found.get("failed", 0) + unrun,
        found.get("skipped", 0) + found.get("todo", 0),
    )
