"""What a report has to show for what it says, and for how sure it says it is."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from teamlead.core.reports import Finding, Result, ReviewFindings
from teamlead.core.roles import role_named
from teamlead.core.rules import SECURITY
from teamlead.forms.citations.scanning import scan
from teamlead.forms.results.breaches import Asked, Fault

_FAILED: Final = re.compile(
    r"\b[1-9]\d* (?:failed|failures?|errors?)\b|\bexit(?: code|ed with)? [1-9]|^fail|失敗|실패", re.IGNORECASE
)
_PLACE: Final = re.compile(r"\S(?::|#L)\d")
_LINE_ZERO: Final = re.compile(r":0+(?:-\d+)?$")
_PLACEHOLDER: Final = {"file:line", "path:line", "[file:line]"}

BANDS: Final = ((95, "certain"), (85, "high"), (75, "medium"), (60, "low"), (0, "uncertain"))
"""From which score on. certain: direct evidence, verified by execution. uncertain: it should ask."""

NEEDS_BREAKDOWN: Final = 75
NEEDS_JUSTIFICATION: Final = 85
NEEDS_UNCERTAINTY: Final = 70
"""Below it."""


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
    found = isinstance(result.details, ReviewFindings) or result.status in {"FAILED", "IMPOSSIBLE"}
    if not found and not result.references and not any(scan(result.findings)):
        yield Fault("the findings cite no file:line (say where you saw it)", "findings")


def secure(result: Result, asked: Asked) -> Iterator[Fault]:
    """What concerns security comes with the code that shows it."""
    for_security = "security" in role_named(asked.role).expertise
    for path, finding in _findings(result):
        concerned = for_security or SECURITY.search(f"{finding.category} {finding.text}")
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


def band(score: float) -> str:
    return next(name for least, name in BANDS if score >= least)


def breakdown(result: Result, _: Asked) -> Iterator[Fault]:
    if result.confidence >= NEEDS_BREAKDOWN and result.breakdown is None:
        yield Fault(
            f"a confidence of {result.confidence:g} needs its breakdown (from {NEEDS_BREAKDOWN} on, say "
            "verified_confidence and inferred_confidence; their mean is the confidence)",
            "breakdown",
        )


def formula(result: Result, _: Asked) -> Iterator[Fault]:
    """The confidence is the mean of its two parts, exactly or as a whole number."""
    parts = result.breakdown
    if parts is None:
        return
    stated = {"breakdown.combined": parts.combined, "confidence": result.confidence}
    for path, number in stated.items():
        if number is not None and not _rounds(parts.mean, number):
            name = "the combined confidence" if path != "confidence" else "the confidence"
            yield Fault(
                f"{name} is {number:g}, but ({parts.verified:g} + {parts.inferred:g}) / 2 = {parts.mean:g} "
                f"(say {parts.mean:g})",
                path,
            )


def _rounds(mean: float, stated: float) -> bool:
    if math.isclose(mean, stated, abs_tol=0.005):
        return True
    return stated.is_integer() and abs(mean - stated) <= 0.5


def justification(result: Result, _: Asked) -> Iterator[Fault]:
    if not result.confidence_reason.strip():
        yield Fault("the confidence has no reason (say why it is that, behind the number)", "confidence")
    if result.confidence < NEEDS_JUSTIFICATION:
        return
    given = result.justification
    if given is None:
        yield Fault(
            f"a confidence of {result.confidence:g} needs its justification (from {NEEDS_JUSTIFICATION} on, "
            "say score, evidence count, verification method and possible blind spots)",
            "justification",
        )
        return
    if not _rounds(result.confidence, given.score) and not _rounds(given.score, result.confidence):
        yield Fault(
            f"the justification is for {given.score:g}, the confidence is {result.confidence:g} "
            "(justify the one that you state)",
            "justification",
        )
    if given.evidence_count == 0:
        yield Fault("it counts no direct evidence (find some, or be less sure)", "justification")
    for name, text in (("verification method", given.method), ("possible blind spots", given.blind_spots)):
        if not text.strip():
            yield Fault(f"it names no {name} (add them)", "justification")


def uncertainty(result: Result, _: Asked) -> Iterator[Fault]:
    if result.confidence < NEEDS_UNCERTAINTY and not result.uncertainty.strip():
        yield Fault(
            f"a confidence of {result.confidence:g} needs a section about it (below {NEEDS_UNCERTAINTY}, "
            "say under Uncertainty what you are not sure of)",
            "uncertainty",
        )


def should_ask(result: Result, _: Asked) -> Iterator[Fault]:
    if band(result.confidence) == "uncertain":
        yield Fault(f"a confidence of {result.confidence:g} is a guess: it should have asked", "confidence")
