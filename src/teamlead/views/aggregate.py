"""Aggregated results as plain data, for JSON and for the page."""

from typing import Any, NamedTuple

from teamlead.forms.aggregation import Aggregate, CombinedIssue, Contradiction, Report
from teamlead.forms.opinions import Opinion


class LeftOut(NamedTuple):
    """A result that could not be used."""

    source: str
    problems: tuple[str, ...]


def aggregate_document(found: Aggregate, left_out: tuple[LeftOut, ...] = ()) -> dict[str, Any]:
    return {
        "status": found.status,
        "next": found.next,
        "reports": [_report(report) for report in found.reports],
        "findings": [_finding(entry) for entry in found.entries],
        "contradictions": [_contradiction(contradiction) for contradiction in found.contradictions],
        "blockers": [
            {"report": report.source, "text": blocker.text, "resolution": blocker.resolution}
            for report in found.reports
            for blocker in report.result.blockers
        ],
        "left_out": [{"report": gone.source, "problems": list(gone.problems)} for gone in left_out],
    }


def _report(report: Report) -> dict[str, Any]:
    result = report.result
    return {
        "report": report.source,
        "agent": result.agent,
        "status": result.status,
        "confidence": result.confidence,
        "summary": result.summary,
        "error": "" if result.error is None else result.error.message,
    }


def _finding(entry: CombinedIssue) -> dict[str, Any]:
    best = entry.representative
    return {
        "place": str(best.place),
        "category": best.category,
        "severity": entry.severity,
        "text": best.text,
        "evidence": best.evidence,
        "suggestion": best.suggestion,
        "max": entry.max,
        "combined": entry.combined,
        "agents": list(entry.agents),
        "contested": entry.contested,
        "opinions": [_opinion(opinion) for opinion in entry.opinions],
    }


def _contradiction(found: Contradiction) -> dict[str, Any]:
    return {
        "place": str(found.place),
        "reason": found.reason,
        "opinions": [_opinion(opinion) for opinion in found.opinions],
    }


def _opinion(opinion: Opinion) -> dict[str, Any]:
    return {
        "agent": opinion.agent,
        "report": opinion.source,
        "category": opinion.category,
        "severity": opinion.severity,
        "clears": opinion.clear,
        "confidence": opinion.confidence,
        "text": opinion.text,
    }
