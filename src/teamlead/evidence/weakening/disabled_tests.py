"""What keeps a test from running or from failing: skips, early ends, swallowed errors."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.weakening.assertions import assertions
from teamlead.evidence.weakening.files_of_tests import Finding, shown
from teamlead.evidence.weakening.single_tests import Test
from teamlead.evidence.weakening.skipped_groups import skipped_by

_SKIPS: dict[Language, re.Pattern[str]] = {
    "python": re.compile(
        r"pytest\.mark\.(?:skip|xfail)\b|pytest\.(?:skip|xfail)\(|unittest\.skip\(|@skip\b|expectedFailure"
        r"|\.skipTest\(|SkipTest|__test__ ?= ?False|collect_ignore"
    ),
    "javascript": re.compile(
        r"\b(?:it|test|describe|suite)\.(?:skip|todo|failing|fails|fixme)\b|(?<![\w.])x(?:it|test|describe)\("
    ),
    "go": re.compile(r"\b[tb]\.Skip(?:f|Now)?\(|^//go:build (?:ignore|never)"),
    "rust": re.compile(r"#\[ignore\b|#\[cfg\(any\(\)\)\]"),
    "java": re.compile(r"@(?:Disabled|Ignore)\b|assumeTrue\(false\)"),
    "ruby": re.compile(r"^\s*(?:skip|pending)\b|(?<![\w.])x(?:it|describe|context)\b"),
    "csharp": re.compile(r"\bSkip ?=|\[Ignore\b"),
}
_CONDITIONS: dict[Language, re.Pattern[str]] = {
    "python": re.compile(r"skip(?:If|Unless)\b|mark\.skipif|importorskip"),
    "javascript": re.compile(r"\.(?:skipIf|runIf)\("),
    "rust": re.compile(r"cfg_attr\(.*ignore"),
    "java": re.compile(r"@(?:Disabled|Enabled)(?:On|If)\w*|assume\w+\("),
}
_ONLY = re.compile(r"\b(?:it|test|describe|suite)\.only\b|(?<![\w.])f(?:it|describe)\(")
_EXITS = re.compile(
    r"^(?:import os; ?|import sys; ?)?(?:os\._exit|sys\.exit|process\.exit|exit|quit)\(.*", re.MULTILINE
)
_RETURN = re.compile(
    r"(?:if ?\(?(?:[Tt]rue|1)\)?:? ?\{? ?)?return(?: (?:None|nil|null|undefined|Ok\(\(\)\)))?;? ?\}?"
)
_NEVER = re.compile(r"\s*if ?\(?(?:[Ff]alse|0)\b")
_SWALLOWED = re.compile(
    r"except\b[^:\n]*:\s*(?:#.*\s*)?(?:pass|return|\.\.\.)\s*(?:\n|$)"
    r"|contextlib\.suppress\(|(?<!\w)with suppress\("
    r"|catch ?(?:\([^)]*\))? ?\{\s*(?://.*\s*)?\}|\.catch\(\(\w*\) => \{\s*\}\)"
    r"|rescue\b[^\n]*\n\s*(?:nil\s*)?end"
)
_FAILS_ANYWAY = re.compile(r"\belse:|\bfail\(|\bfail\b|raise AssertionError")


def in_test(path: str, spoken: Language, before: Test, after: Test) -> Iterator[Finding]:
    yield from _skipped(path, spoken, before.lines, after.lines, after.first)
    yield from _ended_early(path, before, after)
    old, new = "\n".join(before.lines), "\n".join(after.lines)
    swallowed = _new(_SWALLOWED, old, new)
    if swallowed and not _FAILS_ANYWAY.search(new):
        line = after.first + new[: swallowed.start()].count("\n")
        yield Finding(path, line, f"failures are swallowed: {shown(swallowed[0].split(chr(10))[0].strip())}")


def outside_tests(
    path: str, before: str, after: str, whole: str, known: Collection[int]
) -> Iterator[Finding]:
    """Looks at what disables a whole class, group or file.

    `whole` is the file as it is now, `known` the lines of tests in it that are not new.
    """
    lines = whole.split("\n")
    for finding in _skipped(path, language(path), before.split("\n"), after.split("\n"), 1):
        reached = skipped_by(lines, finding.line - 1)
        if reached is None or any(line in reached for line in known):
            yield finding
    if exits := _new(_EXITS, before, after):
        line = 1 + after[: exits.start()].count("\n")
        yield Finding(path, line, f"the tests end before they run: {shown(exits[0])}")


def narrowed(path: str, before: str, after: str) -> Iterator[Finding]:
    """Looks for a test that is to run alone: it switches off all others."""
    if only := _new(_ONLY, before, after):
        line = 1 + after[: only.start()].count("\n")
        yield Finding(path, line, f"all other tests no longer run: {shown(only[0])}")


def _skipped(
    path: str, spoken: Language, before: Sequence[str], after: Sequence[str], first: int
) -> Iterator[Finding]:
    for patterns, objected in ((_SKIPS, True), (_CONDITIONS, False)):
        pattern = patterns.get(spoken)
        if pattern is None:
            continue
        had = Counter(line.strip() for line in before if pattern.search(line))
        lines = [index for index, line in enumerate(after) if pattern.search(line)]
        # A changed reason is no further skip: as many as there were are passed over, those that stayed first.
        lines.sort(key=lambda index: after[index].strip() not in had)
        for index in sorted(lines[had.total() :]):
            when = "no longer run" if objected else "no longer run everywhere"
            yield Finding(path, first + index, f"tests {when}: {shown(after[index].strip())}", objected)


def _ended_early(path: str, before: Test, after: Test) -> Iterator[Finding]:
    known = {line.strip() for line in before.lines}
    last = max((one.line - after.first for one in assertions(after.lines, after.first)), default=0)
    for index, line in enumerate(after.lines):
        if line.strip() in known or index >= last:
            continue
        returns = _RETURN.fullmatch(line.strip()) and _top_level(after, index)
        if returns or _NEVER.match(line):
            yield Finding(path, after.first + index, f"what follows is not reached: {shown(line.strip())}")


def _top_level(test: Test, index: int) -> bool:
    """A return inside of a loop, a condition or a function of the test's own ends less than the test."""
    inner = [line for line in test.lines[test.line - test.first + 1 :] if line.strip()]
    depth = len(inner[0]) - len(inner[0].lstrip()) if inner else 0
    line = test.lines[index]
    return len(line) - len(line.lstrip()) <= depth


def _new(pattern: re.Pattern[str], before: str, after: str) -> re.Match[str] | None:
    """Returns the first occurrence beyond as many as there were."""
    had = len(pattern.findall(before))
    return next((found for number, found in enumerate(pattern.finditer(after)) if number >= had), None)
