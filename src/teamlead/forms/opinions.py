"""What a result says of which place, and how much its agent's word counts there."""

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import normalize

import msgspec

from teamlead.core.model import Value
from teamlead.core.reports import Finding, Issue, Result, ReviewFindings, Severity
from teamlead.core.roles import role_named
from teamlead.forms.citations.places import places
from teamlead.forms.citations.scanning import scan


class Spot(NamedTuple):
    path: str
    line: int
    """The first of a range; 0 where only a file is named."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


NOWHERE = Spot("", 0)


def read_spot(text: str) -> Spot:
    """What stands where a place is expected; without a line it names a file at best."""
    plain = " ".join(text.split()).strip("` ")
    # As code, spaces belong to the path.
    for place in places(f"`{plain}`"):
        return spot(place.path, place.line)
    return spot(plain, 0)


def spot(path: str, line: int) -> Spot:
    path = normalize("NFC", path)
    return Spot(posixpath.normpath(path), max(line, 0)) if path else NOWHERE


MOST_WORDS_OF_A_CATEGORY = 5

_CLEARS = re.compile(
    r"""
    (?<![\w-])(?:
        no\ (?:known\ |real\ |security\ |further\ )?
            (?:issues?|problems?|vulnerabilit(?:y|ies)|defects?|bugs?|concerns?|findings?)(?![\w-]|\ track)
      | not\ (?:vulnerable|exploitable|affected|an?\ (?:issue|problem|bug|vulnerability|defect))
      | false\ positive
      | (?:is|are|was|were|looks?|seems?|appears?)\ (?:\w+ly\ )?(?:to\ be\ )?
            (?:safe|secure|fine|correct|ok|okay|sound|harmless)(?!\ only)
      | works?\ as\ (?:intended|expected|designed)
    )(?!\w)
    | ^\W*(?:safe|secure|fine|correct|ok|okay|harmless)(?:\W|$)
    | 問題(?:は|が)?(?:なし|無し|ない|無い|ありません|見つかりません)
    | 脆弱性(?:は|が)?(?:なし|無し|ない|無い|ありません)
    | 安全(?:です|である|だ|と判断)
    | 誤検知
    | (?:문제|취약점)(?:가|는|은|이)?\ ?없
    | 안전(?:함|합니다|하다)
    | 오탐
    """,
    re.IGNORECASE | re.VERBOSE,
)


class Opinion(Value, frozen=True, kw_only=True):
    """What one agent says of one place."""

    agent: str
    source: str
    """The report."""
    place: Spot
    category: str
    severity: Severity | None
    """None: it reports nothing, and clears the place."""
    confidence: float
    text: str
    evidence: str = ""
    suggestion: str = ""

    clear: bool = False
    """Nothing is wrong here. What is called grave is not cleared by its words."""


def opinions(source: str, result: Result) -> Iterator[Opinion]:
    found = result.details.findings if isinstance(result.details, ReviewFindings) else ()
    agent = result.agent.strip() or source
    for finding in found:
        yield _of_finding(agent, source, finding, result.confidence)
    named = {normalised(reference.item): reference.place for reference in reversed(result.references)}
    for issue in () if found else result.issues:
        yield _of_issue(agent, source, issue, result.confidence, named)
    for place, text in _cleared(result):
        yield Opinion(
            agent=agent,
            source=source,
            place=place,
            category="",
            severity=None,
            confidence=result.confidence,
            text=text,
            clear=True,
        )


def _of_finding(agent: str, source: str, finding: Finding, otherwise: float) -> Opinion:
    return Opinion(
        agent=agent,
        source=source,
        place=read_spot(finding.place),
        category=finding.category,
        severity=finding.severity,
        confidence=otherwise if finding.confidence is None else finding.confidence,
        text=finding.text,
        evidence=finding.evidence,
        suggestion=finding.suggestion,
        clear=finding.severity == "minor" and clears(finding.text),
    )


def _of_issue(agent: str, source: str, issue: Issue, confidence: float, named: dict[str, str]) -> Opinion:
    """`named`: places of references, by their items."""
    title, colon, _ = issue.text.partition(": ")
    category = title if colon and len(title.split()) <= MOST_WORDS_OF_A_CATEGORY else ""
    cited = next(scan(issue.text), None)
    return Opinion(
        agent=agent,
        source=source,
        place=spot(cited.path, cited.line) if cited else read_spot(named.get(normalised(title), "")),
        category=category,
        severity=issue.severity,
        confidence=confidence,
        text=issue.text,
        clear=issue.severity == "minor" and clears(issue.text),
    )


def _cleared(result: Result) -> Iterator[tuple[Spot, str]]:
    """A review that found nothing clears every place it names."""
    empty = isinstance(result.details, ReviewFindings) and not (result.details.findings or result.issues)
    for reference in result.references:
        text = f"{reference.item}: {reference.relevance}"
        if (empty and result.status == "SUCCESS") or clears(reference.relevance):
            yield read_spot(reference.place), text
    for line in result.findings.splitlines():
        if clears(line):
            yield from ((spot(cited.path, cited.line), line.strip()) for cited in scan(line))


def clears(text: str) -> bool:
    """Whether it says that nothing is wrong. Words alone decide: they raise a flag, and drop nothing."""
    return _CLEARS.search(text) is not None


_BETWEEN = re.compile(r"[\W_]+")

EXPERT = 2.0
"""Of a role in the categories that it knows better than others do."""


def normalised(name: str) -> str:
    """One spelling for `SQL-Injection`, `sql_injection` and `Sql injection`."""
    return _BETWEEN.sub(" ", normalize("NFKC", name).casefold()).strip()


class Weights(Value, frozen=True):
    """Every agent counts 1, unless something more special is said."""

    given: dict[tuple[str, str], float] = msgspec.field(default_factory=dict)
    """By role and category, as `normalised`; of the empty category where nothing is given for another."""
    expertise: bool = False
    """Those who know a category count `EXPERT`."""

    def of(self, role: str, category: str) -> float:
        role, category = normalised(role), normalised(category)
        for key in ((role, category), (role, "")):
            if key in self.given:
                return self.given[key]
        return EXPERT if self.expertise and _expert(role, category) else 1.0


def _expert(role: str, category: str) -> bool:
    known = role_named(role.replace(" ", "-")).expertise
    return any(word in known for word in category.split())
