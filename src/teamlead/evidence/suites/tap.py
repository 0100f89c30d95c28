"""TAP, the Test Anything Protocol: node's own runner, tap, ava, mocha and vitest with that reporter, perl.

What a program tells in indented lines are parts of a test. They are tests themselves where one of them is
announced as such, or was timed. Otherwise they are single assertions, and the test that they stand in counts.
tape tells no parts: a line with its title stands before the assertions of a test, many with the same words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import CUT, JOIN, Counts, Tally, combined, lines

_VERSION = re.compile(r"TAP version \d+")
_POINT = re.compile(r"( *)(not )?ok (\d{1,9})\b(?: (?:- )?(.*))?")
_PLAN = re.compile(r"( *)1\.\.(\d{1,9})(?: +#.*)?")
_ANNOUNCED = re.compile(r"( *)# Subtest: .*")
_TITLE = re.compile(r"# (?P<title>\S.*)")
_NO_TITLE = re.compile(
    r"# (?:Subtest: .*"
    r"|(?:tests|suites|pass|fail|cancelled|skip|skipped|todo|duration_ms|time)[ =]+[\d.]+ ?m?s?"
    r"|(?:ok|failed|passed|SKIP|TODO)\b.*)"
)
_TOOK = re.compile(r"\d+(?:\.\d+)? ?(?:ms|s|µs|ns|seconds?)\b")
_DIRECTIVE = re.compile(r"(?<!\\) ?# ?(SKIP|TODO|time=)(.*)", re.IGNORECASE)
_DETAILS = re.compile(r"( *)---")
_CLOSED = re.compile(r"( *)\}")
_ESCAPED = re.compile(r"\\([\\#])")
TITLED = " - "
"""Between the title of a test and an assertion of it."""
_STEP = 4
"""Spaces by which parts are indented."""


@dataclass(slots=True)
class _Point:
    name: str
    status: TestStatus
    is_test: bool
    parts: list["_Point"] = field(default_factory=list)


def read(text: str) -> SuiteRun | None:
    if CUT in text:
        return None
    reading, runs = _Reading(), []
    for line in lines(text):
        if reading.ended_by(line):
            runs.append(reading.end())
            reading = _Reading()
        reading.take(line)
    runs.append(reading.end())
    return combined(run for run in runs if run)


class _Reading:
    """One stream, that is, what one program printed."""

    def __init__(self) -> None:
        self._levels: dict[int, list[_Point]] = {0: []}
        self._announced: set[int] = set()
        self._planned: int | None = None
        self._version = False
        self._details: str | None = None
        self._title = ""
        self._subtests = False

    def ended_by(self, line: str) -> bool:
        """Whether another stream begins."""
        if _VERSION.fullmatch(line):
            return True
        if line.startswith("1..") and _PLAN.fullmatch(line):
            return self._planned is not None
        first = _POINT.fullmatch(line) if line.startswith(("ok 1", "not ok 1")) else None
        return first is not None and first[3] == "1" and bool(self._levels[0])

    def take(self, line: str) -> None:
        if self._details is not None:
            inside = not line or line.startswith(self._details)
            if line == f"{self._details}..." or not inside:
                self._details = None
            if inside:
                return
        if found := _POINT.fullmatch(line):
            self._point(len(found[1]) // _STEP, bool(found[2]), found[4] or "", found[3])
        elif found := _ANNOUNCED.fullmatch(line):
            self._announced.add(len(found[1]) // _STEP)
            self._subtests = True
        elif found := _DETAILS.fullmatch(line):
            self._details = found[1]
        elif found := _CLOSED.fullmatch(line):
            self._close(len(found[1]) // _STEP)
        elif found := _PLAN.fullmatch(line):
            self._planned = self._planned if found[1] else int(found[2])
        elif _VERSION.fullmatch(line):
            self._version = True
        else:
            self._remark(line)

    def _remark(self, line: str) -> None:
        found = _TITLE.fullmatch(line)
        if found and not _NO_TITLE.fullmatch(line):
            # A title is the same each time: how long something took is no part of it.
            self._title = _TOOK.sub("_", found["title"])

    def _point(self, level: int, failed: bool, words: str, number: str) -> None:
        words = words.removesuffix(" {")
        status: TestStatus = "failed" if failed else "passed"
        timed = False
        if found := _DIRECTIVE.search(words):
            timed = found[1] == "time="
            status = status if timed else "skipped"
            words = words[: found.start()]
        name = _named(words) or f"test {number}"
        if self._title and not level and not self._subtests and not timed:
            # By its number alone it would be another one as soon as a test before it goes. No file is told:
            # what got another title may be any of the stream.
            name = f"tap{JOIN}{self._title}{TITLED}{_named(words) or 'an assertion'}"
        point = _Point(name, status, timed or level in self._announced, self._parts(level))
        self._announced.discard(level)
        self._levels.setdefault(level, []).append(point)

    def _close(self, level: int) -> None:
        """Ends parts that stand below their test, in braces."""
        if above := self._levels.get(level):
            above[-1].parts = self._parts(level)

    def _parts(self, level: int) -> list[_Point]:
        parts = self._levels.pop(level + 1, [])
        for deeper in [found for found in self._levels if found > level]:
            del self._levels[deeper]
        return parts

    def end(self) -> SuiteRun | None:
        """None: no program says in advance, or at its end, how many tests there are."""
        points = self._levels[0]
        if self._planned is None or not (points or (self._version and not self._planned)):
            return None
        tally = Tally()
        for point in points:
            for name, status in _tests(point, ()):
                tally.add_another(name if JOIN in name else f"tap{JOIN}{name}", status)
        missing = max(0, self._planned - len(points))
        told = tally.run("tap")
        return tally.run("tap", Counts(told.passed, told.failed + missing, told.skipped))


def _tests(point: _Point, groups: tuple[str, ...]) -> Iterator[tuple[str, TestStatus]]:
    groups = (*groups, point.name)
    if not any(part.is_test or part.parts for part in point.parts):
        yield JOIN.join(groups), point.status
        return
    found = [test for part in point.parts for test in _tests(part, groups)]
    yield from found
    if point.status == "failed" and all(status != "failed" for _, status in found):
        yield JOIN.join(groups), "failed"


def _named(words: str) -> str:
    """A file that is told of by its whole path lies elsewhere in another copy."""
    name = _ESCAPED.sub(r"\1", words).strip()
    return name.rsplit("/", 1)[-1] if name.startswith("/") else name
