"""pytest: terse, verbose, with -r summaries, and with the workers of xdist."""

import re

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import Counts, Tally, combined, lines

STATUSES: dict[str, TestStatus] = {
    "PASSED": "passed",
    "XPASS": "passed",
    "FAILED": "failed",
    "ERROR": "failed",
    "SKIPPED": "skipped",
    "XFAIL": "skipped",
}
"""A test that is expected to fail shows no more than one that does not run."""

_WORD = f"({'|'.join(STATUSES)})"
_PROGRESS = re.compile(r" +\[ *\d+%\]$")
_REASON = re.compile(rf" {_WORD} \(| (SKIPPED|XFAIL|XPASS)")
"""A long reason goes on in the next lines; behind a long name it lost its beginning: "SKIPPEDeason"."""
_PARAMETERS = re.compile(r"\[.*\]$")
_WORKER = re.compile(rf"\[gw\d+\] \[\s*\d+%\] {_WORD} (\S.*)")
_LISTED = re.compile(rf"{_WORD} ([^\[]+?(?:\[.*?\])?)(?: - .*)?")
_LIST = re.compile(r"=+ short test summary info =+")
_END = re.compile(r"(?:=+ )?(\S.*?) in \d[\d.]* ?s(?:econds)?(?: \([\d:]+\))?(?: =+)?")
_COUNT = re.compile(r"(\d{1,9}) ([a-z]+(?: [a-z]+)?)")
_KNOWN = frozenset({"passed", "failed", "error", "errors", "skipped", "xfailed", "xpassed", "deselected"})


def read(text: str) -> SuiteRun | None:
    runs: list[SuiteRun] = []
    reading = _Reading()
    for line in lines(text):
        counts = _counts(line)
        if counts is None:
            reading.take(line)
        else:
            runs.append(reading.end(counts))
            reading = _Reading()
    return combined(runs)


class _Reading:
    def __init__(self) -> None:
        self._as_it_ran = Tally()
        self._listed = Tally()
        self._listing = False

    def take(self, line: str) -> None:
        if _LIST.fullmatch(line):
            self._listing = True
        elif self._listing:
            if found := _LISTED.fullmatch(line):
                self._listed.add(found[2], STATUSES[found[1]])
        elif found := _WORKER.fullmatch(line):
            self._as_it_ran.add(found[2], STATUSES[found[1]])
        elif "::" in line and not line[0].isspace():
            self._verbose(_PROGRESS.sub("", line))

    def _verbose(self, line: str) -> None:
        name, _, word = line.rpartition(" ")
        for reason in _REASON.finditer(line):
            if _is_name(before := line[: reason.start()], spaces=bool(reason[1])):
                name, word = before, reason[1] or reason[2]
                break
        if word in STATUSES and "::" in name:
            self._as_it_ran.add(name, STATUSES[word])

    def end(self, counts: Counts) -> SuiteRun:
        """Ends a run. What failed in collection is in the list only, what passed often only above it."""
        for name, status in self._listed.names.items():
            if name not in self._as_it_ran.names:
                self._as_it_ran.add(name, status)
        return self._as_it_ran.run("pytest", counts)


def _is_name(text: str, *, spaces: bool) -> bool:
    """Whether it does not end amid its parameters, and has `spaces` nowhere else, or may have them."""
    file, _, test = text.partition("::")
    plain = _PARAMETERS.sub("", test)
    return bool(plain) and "[" not in plain and (spaces or not re.search(r"\s", file + plain))


def _counts(line: str) -> Counts | None:
    """Reads the last line of a run: "2 failed, 6 passed, 1 skipped in 0.12s"."""
    end = _END.fullmatch(line)
    if end is None:
        return None
    if end[1] == "no tests ran":
        return Counts()
    parts = [_COUNT.fullmatch(part) for part in end[1].split(", ")]
    found = {part[2]: int(part[1]) for part in parts if part}
    if len(found) < len(parts) or not found.keys() & _KNOWN:
        return None

    def total(*words: str) -> int:
        return sum(found.get(word, 0) for word in words)

    return Counts(total("passed", "xpassed"), total("failed", "error", "errors"), total("skipped", "xfailed"))
