"""What a report has to show for what it says."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from teamlead.core.reports import Finding, Result, ReviewFindings
from teamlead.core.rules import SECURITY
from teamlead.forms.citations.scanning import scan
from teamlead.forms.results.breaches import Asked, Fault

_FAILED: Final = re.compile(
    r"\b[1-9]\d* (?:failed|failures?|errors?)\b|\bexit(?: code|ed with)? [1-9]|^fail|失敗|실패", re.IGNORECASE
)
_PLACE: Final = re.compile(r"\S(?::|#L)\d")
_LINE_ZERO: Final = re.compile(r":0+(?:-\d+)?$")
_PLACEHOLDER: Final = {"file:line", "path:line", "[file:line]"}


def existing(result: Result, _: Asked) -> Iterator[Fault]:
    """What no file can hold. Whether the others exist, the repository tells."""
    for path, place in _all_places(result):
        if place in _PLACEHOLDER or _LINE_ZERO.search(place):
            yield Fault(f"there is no place {place!r} (cite the file and line that you read)", path)


def cited(result: Result, _: Asked) -> Iterator[Fault]:
    """Every finding carries its file:line."""
    for path, place in _all_places(result):
        if not _PLACE.search(place):
            what = f"{place[:80]!r} is no file:line" if place else "it has no file:line"
            yield Fault(f"{what} (say the path, a colon and the line)", path)
    found = isinstance(result.details, ReviewFindings) or result.status == "FAILED"
    if not found and not result.references and not any(scan(result.findings)):
        yield Fault("the findings cite no file:line (say where you saw it)", "findings")


def secure(result: Result, asked: Asked) -> Iterator[Fault]:
    """What concerns security comes with the code that shows it."""
    for path, finding in _findings(result):
        concerned = asked.role == "security-auditor" or SECURITY.search(f"{finding.category} {finding.text}")
        if concerned and not finding.evidence.strip():
            yield Fault("a security finding needs the code that shows it (quote it as its evidence)", path)
    for number, issue in enumerate(result.issues):
        if SECURITY.search(issue.text) and "`" not in issue.text and not any(scan(issue.text)):
            yield Fault("a security issue needs its code (quote it, with file:line)", f"issues[{number}]")


def corroborated(result: Result, _: Asked) -> Iterator[Fault]:
    known = {place for _, place in _all_places(result)}
    known |= {citation.place for citation in scan(result.findings)}
    counted = result.justification.evidence_count if result.justification else 0
    if len(known) == 1 or counted == 1:
        yield Fault("it has a single source of evidence: needs corroboration", "references")


def consistent(result: Result, _: Asked) -> Iterator[Fault]:
    if result.status == "SUCCESS" and result.blockers:
        yield Fault("it ended as SUCCESS, and names a blocker (say PARTIAL, or make it an issue)", "blockers")
    if result.status == "SUCCESS" and result.error is not None:
        yield Fault("it ended as SUCCESS, and tells an error (say FAILED, or make it an issue)", "error")
    by_place: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path, finding in _findings(result):
        severities = by_place[finding.place, finding.category.casefold()]
        severities.add(finding.severity)
        if len(severities) > 1:
            yield Fault(
                f"{finding.place} is {' and '.join(sorted(severities))} at once (say which it is)", path
            )


def commands_failed(result: Result, _: Asked) -> Iterator[Fault]:
    runs = getattr(result.details, "commands", ())
    if result.status == "SUCCESS":
        for run in runs:
            if _FAILED.search(run.outcome):
                yield Fault(
                    f"it ended as SUCCESS, and `{run.command[:80]}` as {run.outcome[:80]!r}", "details"
                )


def _findings(result: Result) -> Iterator[tuple[str, Finding]]:
    listed = result.details.findings if isinstance(result.details, ReviewFindings) else ()
    return ((f"details.findings[{number}]", finding) for number, finding in enumerate(listed))


def _all_places(result: Result) -> Iterator[tuple[str, str]]:
    for number, reference in enumerate(result.references):
        yield f"references[{number}]", reference.place.strip("` ")
    for path, finding in _findings(result):
        yield path, finding.place.strip("` ")
