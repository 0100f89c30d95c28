"""Aggregated results as JSON, and as a page that people read."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.forms.aggregation import Aggregate, CombinedIssue, Contradiction, Report
from teamlead.forms.opinions import Opinion
from teamlead.system.text import clip
from teamlead.views.documents.results import (
    AggregateDocument,
    BlockerPart,
    CombinedIssuePart,
    ContradictionPart,
    LeftOutPart,
    OpinionPart,
    SummedResultPart,
)

NEXT = {
    "proceed": "go on to the next phase",
    "review": "review what was found, and decide how to go on",
    "handle-errors": "handle the errors; retry where it may help",
}
LONGEST = 300
"""Characters of what an agent wrote, in one line of the page."""


class LeftOut(NamedTuple):
    """A result that could not be used."""

    source: str
    problems: tuple[str, ...]


def aggregate_document(found: Aggregate, left_out: Sequence[LeftOut] = ()) -> AggregateDocument:
    return AggregateDocument(
        status=found.status,
        next=found.next,
        results=[_result(report) for report in found.reports],
        issues=[_issue(entry) for entry in found.entries],
        contradictions=[_contradiction(contradiction) for contradiction in found.contradictions],
        blockers=[
            BlockerPart(file=report.source, text=blocker.text, resolution=blocker.resolution)
            for report in found.reports
            for blocker in report.result.blockers
        ],
        left_out=[LeftOutPart(file=gone.source, problems=gone.problems) for gone in left_out],
    )


def _result(report: Report) -> SummedResultPart:
    result = report.result
    return SummedResultPart(
        file=report.source,
        role=result.agent,
        status=result.status,
        confidence=result.confidence,
        summary=result.summary,
        error="" if result.error is None else result.error.message,
    )


def _issue(entry: CombinedIssue) -> CombinedIssuePart:
    best = entry.representative
    return CombinedIssuePart(
        place=str(best.place),
        category=best.category,
        severity=entry.severity,
        text=best.text,
        evidence=best.evidence,
        suggestion=best.suggestion,
        highest_confidence=entry.max,
        combined_confidence=entry.combined,
        roles=entry.agents,
        contested=entry.contested,
        opinions=[_opinion(opinion) for opinion in entry.opinions],
    )


def _contradiction(found: Contradiction) -> ContradictionPart:
    return ContradictionPart(
        place=str(found.place),
        reason=found.reason,
        opinions=[_opinion(opinion) for opinion in found.opinions],
    )


def _opinion(opinion: Opinion) -> OpinionPart:
    return OpinionPart(
        role=opinion.agent,
        file=opinion.source,
        category=opinion.category,
        severity=opinion.severity,
        clears=opinion.clear,
        confidence=opinion.confidence,
        text=opinion.text,
    )


def aggregate_markdown(document: AggregateDocument) -> str:
    lines = [
        f"# {document['status']}: {NEXT[document['next']]}",
        "",
        *_section("Contradictions: a person has to decide", _told_contradictions(document)),
        *_section("Findings", map(_told_issue, document["issues"]), "None."),
        *_section("Blockers", map(_told_blocker, document["blockers"])),
        *_section("Results", map(_told_result, document["results"]), "None."),
        *_section("Left out: they break the contract", _told_left_out(document)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _section(title: str, items: Iterator[str], empty: str = "") -> list[str]:
    lines = list(items) or ([f"- {empty}"] if empty else [])
    return [f"## {title}", "", *lines, ""] if lines else []


def _told_contradictions(document: AggregateDocument) -> Iterator[str]:
    for item in document["contradictions"]:
        yield f"- {_line(item['place']) or 'no place'}: {item['reason']}"
        yield from (f"  - {_said(opinion)}" for opinion in item["opinions"])


def _said(opinion: OpinionPart) -> str:
    verdict = "clear" if opinion["clears"] else opinion["severity"]
    return f"{_line(opinion['role'])} ({verdict}, {opinion['confidence']:g}): {_line(opinion['text'])}"


def _told_issue(item: CombinedIssuePart) -> str:
    roles = ", ".join(_line(role) for role in item["roles"])
    sure = f"max {item['highest_confidence']:g}, combined {item['combined_confidence']:.4g}"
    where = " ".join(part for part in (_line(item["place"]), _line(item["category"])) if part)
    contested = ", contested" if item["contested"] else ""
    return f"- {item['severity']} {where}: {_line(item['text'])} ({sure}; {roles}{contested})"


def _told_blocker(item: BlockerPart) -> str:
    resolution = f"; needs: {_line(item['resolution'])}" if item["resolution"] else ""
    return f"- {_line(item['file'])}: {_line(item['text'])}{resolution}"


def _told_result(item: SummedResultPart) -> str:
    role = _line(item["role"]) or "no role"
    return f"- {_line(item['file'])} ({role}): {item['status']}, confidence {item['confidence']:g}"


def _told_left_out(document: AggregateDocument) -> Iterator[str]:
    for item in document["left_out"]:
        yield f"- {_line(item['file'])}"
        yield from (f"  - {_line(problem)}" for problem in item["problems"])


def _line(text: str) -> str:
    return clip(" ".join(text.split()), LONGEST)
