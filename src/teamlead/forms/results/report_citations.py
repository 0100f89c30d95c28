"""The citations of a report: of the text, and of the result that was handed in or is in it."""

from collections.abc import Iterator

import msgspec

from teamlead.core.reports import Finding, Reference, Result, ReviewFindings
from teamlead.forms.citations.blocks import Citation
from teamlead.forms.citations.quotes import LONGEST, Quote
from teamlead.forms.citations.scanning import Citations, citations, scan
from teamlead.forms.results.contract import read_result


def citations_of(text: str, result: Result | None = None) -> Citations:
    values = _values(text)
    if values is None:
        return citations(text, cited_in(result) if result else ())
    result = result or read_result(text).result
    return citations("", cited_in(result)) if result else citations("\n\n".join(_texts(values)))


def _values(text: str) -> object:
    """Of a text that is JSON as a whole; None if it is not."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None


def cited_in(result: Result) -> Iterator[Citation]:
    for reference in result.references:
        yield from _referenced(reference)
    if isinstance(result.details, ReviewFindings):
        for finding in result.details.findings:
            yield from _found(finding)
    yield from scan("\n\n".join(_texts(_others(result))))


def _referenced(reference: Reference) -> Iterator[Citation]:
    for each in scan(_line(reference.place, reference.item, reference.relevance)):
        yield each._replace(sure=True)


def _found(finding: Finding) -> Iterator[Citation]:
    quote = Quote(finding.evidence[:LONGEST], claimed=False)
    for each in scan(f"{finding.place.strip()}: {_line(finding.evidence)}"):
        yield each._replace(
            quotes=(*each.quotes, quote),
            confident=each.confident or finding.confidence is not None,
            sure=True,
        )


def _line(*parts: str) -> str:
    """One line: what is said with a place belongs to it."""
    return " ; ".join(" ".join(part.split()) for part in parts if part)


def _others(result: Result) -> object:
    """What was not read by its meaning."""
    parts = msgspec.to_builtins(result)
    read = ("references", "details") if isinstance(result.details, ReviewFindings) else ("references",)
    return [value for name, value in parts.items() if name not in read]


def _texts(value: object) -> Iterator[str]:
    """Every text in plain values."""
    left = [value]
    while left:
        first = left.pop()
        if isinstance(first, str):
            yield first
        elif isinstance(first, dict):
            left += reversed(first.values())
        elif isinstance(first, list | tuple):
            left += reversed(first)
