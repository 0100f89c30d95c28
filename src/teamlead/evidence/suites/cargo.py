"""cargo test: every binary it runs, and the tests in documentation."""

import re

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import Counts, Tally, combined, lines

STATUSES: dict[str, TestStatus] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}

_BINARY = re.compile(r" +Running (?:unittests )?(\S+) \((?:\S*/)?(\S+?)(?:-[0-9a-f]+)?(?:\.exe)?\)")
_DOCUMENTATION = re.compile(r" +Doc-tests (\S+)")
_TEST = re.compile(r"(?:^|\W)test (\S+(?: - .+)?)$")
_ENDED = re.compile(r"(ok|FAILED|ignored)(?:, .*)?")
_LISTED = re.compile(r"    (\S+(?: - .+)?)")
_END = re.compile(r"test result: \w+\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;.*")
_LINE = re.compile(r" \(line \d+\)")


def read(text: str) -> SuiteRun | None:
    runs: list[SuiteRun] = []
    tally, listed, target = Tally(), False, ""
    for line in lines(text):
        if found := _END.fullmatch(line):
            runs.append(tally.run("cargo", Counts(*(int(number) for number in found.groups()))))
            tally, listed = Tally(), False
        elif found := _BINARY.fullmatch(line):
            target = f"{found[2]} {found[1]}::"
        elif found := _DOCUMENTATION.fullmatch(line):
            target = f"{found[1]} documentation::"
        elif ended := _ended(line):
            tally.add(target + _plain(ended[0]), ended[1])
        elif line == "failures:":
            listed = True
        elif listed and (found := _LISTED.fullmatch(line)):
            name = target + _plain(found[1])
            if name not in tally.names:
                tally.add(name, "failed")
    return combined(runs)


def _ended(line: str) -> tuple[str, TestStatus] | None:
    """What a test printed may stand before it on its line."""
    head, _, tail = line.partition(" ... ")
    test, end = _TEST.search(head), _ENDED.fullmatch(tail)
    return (test[1], STATUSES[end[1]]) if test and end else None


def _plain(name: str) -> str:
    """Where a test stands in a file, and how it is expected to end, are no part of its name."""
    return _LINE.sub("", name).removesuffix(" - should panic")
