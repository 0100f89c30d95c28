"""What a result says of which place: its findings and issues, and the places that it clears."""

import re
from collections.abc import Iterator

from teamlead.core.model import Value
from teamlead.core.reports import Finding, Issue, Result, ReviewFindings, Severity
from teamlead.forms.aggregation.spots import Spot, read_spot, spot
from teamlead.forms.aggregation.weights import normalised
from teamlead.forms.citations.scanning import scan

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
