"""Numbers of tests, and coverage, that an agent tells, against what the lead has measured.

Agents also tell of a part of the tests, of the tests before, and of programs that no check runs: only a
number that nothing measured comes to is worth a question, and it is wrong for certain only where it is more
than a check that runs all tests has seen.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, SuiteRun, in_brief

CLAIM = "its numbers are those that were measured"
MOST_LINES = 2000
LONGEST_LINE = 1000
_UNITS = tuple(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
    """.split()  # noqa: SIM905 - a table of words reads better without quotes
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IN_WORDS = rf"\b(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS[1:10])}))?|\b(?:{'|'.join(_UNITS)})\b"
_OFTEN = r"(?! ?(?:times|runs?|rounds?|repetitions?|iterations?|seeds?|in a row|out of)\b)"
_N = rf"(?P<n>(?<![\w.,/-])\d[\d,]*(?![\w.]*[\w%]){_OFTEN}|(?:{_IN_WORDS}){_OFTEN})"
_GOOD = r"(?:pass(?:ed|ing|es)?|succeed(?:ed|s)?|succeeding|green|ok)\b"
_THINGS = r"(?:tests?|specs?|test cases|cases|examples|assertions?|checks)\b"
_PASSED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_N}(?: [a-z]+){{0,3}}? {_THINGS}(?: [a-z]+){{0,2}}? {_GOOD}",
        rf"{_N} {_GOOD}",
        rf"\b(?:passed|passing|pass|ok|succeeded|passes) ?[:=]? ?{_N}(?! (?:fail|error|skip))",
        rf"\bran (?:all )?{_N}(?: [a-z]+){{0,2}}? {_THINGS}",
        rf"\d+ ?/ ?(?P<n>\d+)(?: [a-z]+){{0,2}}? (?:{_THINGS}|{_GOOD})",
    )
)
_NUMBER = re.compile(
    r"(?<!line )(?<!lines )(?<!issue )(?<!step )(?<!port )(?<!version )(?<!python )(?<!node )"
    rf"{_N}(?! ?(?:s|ms|sec\w*|min\w*|files?|lines?|px|kb|mb)\b)",
    re.IGNORECASE,
)
_SPEAKS = re.compile(rf"(?=.*\b(?:{_THINGS}|suite\b))(?=.*\b{_GOOD}).", re.IGNORECASE)
_FAILED = re.compile(rf"{_N}(?: [a-z]+)? (?:failed|failures?|failing)\b", re.IGNORECASE)
_NONE_FAILED = re.compile(
    r"\b(?:no|without|zero|0) (?:test )?(?:failed|failures?|failing|errors)\b"
    r"|\ball(?: \w+){0,3} tests? (?:now )?pass",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|whole|entire|full|complete|every|suite)\b", re.IGNORECASE)
_PART = re.compile(
    r"\b(?:new|added|my|these|those|its|of|before|previous\w*|earlier|base|main|originally|first|was|were|had|only|in)\b"
    r"|[\w-]+/[\w.-]+|::|\w\.(?:py|js|ts|go|rs)\b",
    re.IGNORECASE,
)
_RUNNERS = re.compile(
    r"\b(pytest|unittest|jest|vitest|mocha|node --test|ava|tap|go test|cargo|nextest|tox|nox|npm|make|gradle"
    r"|mvn|rspec|phpunit|ctest|playwright|cypress)\b"
)
_COVERAGE = re.compile(
    r"\b(?:coverage|covers?|covered)\b[^.\n]{0,40}?(?P<a>\d+(?:\.\d+)?) ?%"
    r"|(?P<b>\d+(?:\.\d+)?) ?%[^.\n]{0,20}\bcover",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"^TOTAL\b.*?(?P<a>\d+(?:\.\d+)?)%|coverage: (?P<b>\d+(?:\.\d+)?)% of"
    r"|^All files *\| *(?P<c>\d+(?:\.\d+)?)|(?P<d>\d+(?:\.\d+)?)% coverage,",
    re.MULTILINE,
)
_PERCENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?%")
_SELECTS = re.compile(r"(?<= )(?:-k|-t|-run|--filter|--deselect|--ignore)\b|/(?!\.\.\.)|::|\w\.\w")


class _Doubt(NamedTuple):
    sentence: str
    certain: bool = False


def examine_numbers(text: str, checks: Sequence[CheckResult]) -> tuple[Evidence, ...]:
    """`checks`: those of the attempt, as they ended."""
    doubts: list[_Doubt] = []
    right: list[str] = []
    for sentence in _sentences(text):
        doubts += _tests(sentence, checks, right)
        doubts += _coverage(sentence, checks)
    return tuple(_evidence(doubts, right))


def _evidence(doubts: Sequence[_Doubt], right: Sequence[str]) -> Iterator[Evidence]:
    for certain in (True, False):
        told = tuple(dict.fromkeys(doubt.sentence for doubt in doubts if doubt.certain is certain))
        if told:
            yield Evidence(
                "claims",
                "objected" if certain else "flagged",
                claim=CLAIM,
                found=in_brief(told) + (": say what was run, and what it told" if certain else ""),
                details=told,
                question="" if certain else f"Of what run can this be true? {in_brief(told)}",
            )
    if right and not doubts:
        yield Evidence("claims", "proven", claim=CLAIM, found=in_brief(list(dict.fromkeys(right))))


def _sentences(text: str) -> Iterator[str]:
    for line in text.splitlines()[:MOST_LINES]:
        yield from re.split(r"(?<=[.;!?])\s", line[:LONGEST_LINE])


def _tests(sentence: str, checks: Sequence[CheckResult], right: list[str]) -> Iterator[_Doubt]:
    suites = [check.suite for check in checks if check.suite]
    said = {_number(found["n"]) for pattern in _PASSED for found in pattern.finditer(sentence)}
    said -= {_number(found["n"]) for found in _FAILED.finditer(sentence)}
    if not suites or _speaks_of_another(sentence, checks):
        return
    known = _known(checks)
    most = sum(suite.total for suite in suites)
    shown = sentence.strip()[:200]
    measured = _told(suites)
    quoted = any(check.command in sentence for check in checks)
    for number in said - {0}:
        if number in known:
            right.append(f"{number} tests, as it says")
        elif number > most:
            whole = all(_whole(check.command) for check in checks if check.suite)
            certain = quoted or (whole and bool(_ALL.search(sentence) or _RUNNERS.search(sentence)))
            yield _Doubt(f"it says {shown!r}, and {measured}", certain)
        elif quoted or (_ALL.search(sentence) and not _PART.search(sentence)):
            yield _Doubt(f"it says {shown!r}, and {measured}")
    # Whatever the words between them: where it speaks of tests that pass, no number is beyond all tests.
    if _SPEAKS.search(sentence) and not _PART.search(sentence):
        rest = {_number(found["n"]) for found in _NUMBER.finditer(sentence)} - said - known
        if any(number > most for number in rest):
            yield _Doubt(f"it says {shown!r}, and {measured}")
    failed = sum(suite.failed for suite in suites)
    if failed and _NONE_FAILED.search(sentence) and not _PART.search(sentence):
        yield _Doubt(f"it says {shown!r}, and {measured}")


def _told(suites: Sequence[SuiteRun]) -> str:
    passed, failed = sum(suite.passed for suite in suites), sum(suite.failed for suite in suites)
    return f"{passed} passed and {failed} failed"


def _known(checks: Sequence[CheckResult]) -> set[int]:
    """What a true sentence may count."""
    known: set[int] = set()
    sums = [0, 0, 0]
    for check in checks:
        base = check.base.suite if check.base else None
        for suite in (check.suite, base):
            if suite:
                known |= {suite.passed, suite.ran, suite.total}
        if check.suite and base:
            known |= {abs(check.suite.passed - base.passed), abs(check.suite.total - base.total)}
        if check.suite:
            added = (check.suite.passed, check.suite.ran, check.suite.total)
            sums = [one + more for one, more in zip(sums, added, strict=True)]
    return known | set(sums)


def _speaks_of_another(sentence: str, checks: Sequence[CheckResult]) -> bool:
    """Of a program that no check runs."""
    ours = " ".join(f"{check.command} {check.suite.runner if check.suite else ''}" for check in checks)
    named = set(_RUNNERS.findall(sentence))
    return bool(named) and not any(name.split()[0] in ours for name in named)


def _whole(command: str) -> bool:
    """Whether it names no part of the tests."""
    return not _SELECTS.search(command)


def _number(text: str) -> int:
    digits = text.replace(",", "")
    if digits.isdigit():
        return int(digits)
    tens, _, units = text.lower().replace("-", " ").partition(" ")
    if tens in _TENS:
        return 10 * (_TENS.index(tens) + 2) + (_UNITS.index(units) if units else 0)
    return _UNITS.index(tens)


def _coverage(sentence: str, checks: Sequence[CheckResult]) -> Iterator[_Doubt]:
    measured = [float(_first(found)) for check in checks for found in _MEASURED.finditer(check.output)]
    parts = [float(found[1]) for check in checks for found in _PERCENT.finditer(check.output)]
    for found in _COVERAGE.finditer(sentence):
        said = float(_first(found))
        if measured and not any(abs(said - each) < 1 for each in measured):
            told = ", ".join(f"{each:g} %" for each in dict.fromkeys(measured))
            # One of several numbers, or that of a part, may be of another run.
            plain = len(_PERCENT.findall(sentence)) == len({*measured}) == 1 and not _PART.search(sentence)
            certain = plain and not any(abs(said - each) < 1 for each in parts)
            doubt = f"it says {sentence.strip()[:200]!r}, and the coverage that was measured is {told}"
            yield _Doubt(doubt, certain)


def _first(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group)
