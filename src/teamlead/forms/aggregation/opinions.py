"""What a result says of which place: its findings and issues, and the places that it clears."""

from collections.abc import Iterator

from teamlead.core.model import Value
from teamlead.core.reports import Finding, Issue, Result, ReviewFindings, Severity
from teamlead.forms.aggregation.spots import Spot, read_spot, spot
from teamlead.forms.aggregation.verdicts import clears
from teamlead.forms.aggregation.weights import normalised
from teamlead.forms.citations.scanning import scan

MOST_WORDS_OF_A_CATEGORY = 5


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
