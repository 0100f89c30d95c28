"""The citations of a result that was handed in as a value."""

from collections.abc import Iterator

import msgspec

from teamlead.core.reports import Finding, Reference, Result, ReviewFindings
from teamlead.reports.citations import Citation, scan
from teamlead.reports.quoting import LONGEST, Quote

_CITING = ("references", "details")
"""Parts whose places are citations for certain, not only where they look like one."""


def cited_in(result: Result) -> Iterator[Citation]:
    for reference in result.references:
        yield from _referenced(reference)
    if isinstance(result.details, ReviewFindings):
        for finding in result.details.findings:
            yield from _found(finding)
    yield from scan("\n\n".join(_texts(result)))


def _referenced(reference: Reference) -> Iterator[Citation]:
    for each in scan(_line(reference.place, reference.item, reference.relevance)):
        yield each._replace(sure=True)


def _found(finding: Finding) -> Iterator[Citation]:
    quote = Quote(finding.evidence[:LONGEST], claimed=False)
    for each in scan(_line(finding.place, finding.evidence)):
        yield each._replace(
            quotes=(*each.quotes, quote),
            confident=each.confident or finding.confidence is not None,
            sure=True,
        )


def _line(*parts: str) -> str:
    """One line: what is said with a place belongs to it."""
    return " ; ".join(" ".join(part.split()) for part in parts if part)


def _texts(result: Result) -> Iterator[str]:
    """Every text of the result, but for those parts that were read by their meaning."""
    left: list[object] = [value for name, value in msgspec.to_builtins(result).items() if name not in _CITING]
    if result.details and not isinstance(result.details, ReviewFindings):
        left.append(msgspec.to_builtins(result.details))
    while left:
        value = left.pop(0)
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            left[:0] = value.values()
        elif isinstance(value, list | tuple):
            left[:0] = value
