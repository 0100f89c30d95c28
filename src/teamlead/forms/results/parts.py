"""What a report owes: its role's findings, an error where it failed, blockers, and the checklist."""

from collections.abc import Iterator
from typing import Final

from teamlead.core.reports import (
    Checklist,
    DesignFindings,
    Details,
    ExplorationFindings,
    ImplementationFindings,
    Result,
    ReviewFindings,
)
from teamlead.core.roles import FINDINGS, Format
from teamlead.forms.results.breaches import Fault

SHAPES: Final[dict[Format, type[Details]]] = {
    "exploration": ExplorationFindings,
    "design": DesignFindings,
    "review": ReviewFindings,
    "implementation": ImplementationFindings,
}

ASKED: Final[dict[Format, str]] = {
    "exploration": "entry points, flow, patterns, dependencies",
    "design": "decision, alternatives, trade-offs, interfaces, files to change",
    "review": "findings with category, severity, file:line, evidence, suggestion and confidence; or `none`",
    "implementation": "files changed, behaviour changed, tests added, commands run with their results",
}

BOXES: Final = {
    "references_valid": "every file:line reference exists",
    "snippets_match": "quoted code matches the files",
    "no_invented_paths": "no path is invented",
    "evidence_documented": "each finding has its evidence",
}


def sections(result: Result, role: str) -> Iterator[Fault]:
    form = FINDINGS.get(role)
    if result.status == "FAILED" and result.error is None:
        yield Fault("it failed, and tells no error (say its type and message under Error)", "error")
    elif form and result.status != "FAILED" and not isinstance(result.details, SHAPES[form]):
        yield Fault(f"the findings of {role} have another form (say under labels: {ASKED[form]})", "details")
    elif isinstance(result.details, DesignFindings) and not result.details.decision.strip():
        yield Fault("the design names no decision (say it)", "details")


def blockers(result: Result, _: str) -> Iterator[Fault]:
    if result.status != "SUCCESS" and not result.blockers:
        yield Fault(
            f"it ended as {result.status}, and reports no blocker (say under Blockers what kept it from "
            "being done, and what would remove it)",
            "blockers",
        )
    for number, blocker in enumerate(result.blockers):
        if not blocker.text.strip():
            yield Fault("the blocker says nothing (say what it is)", f"blockers[{number}]")


def checklist(result: Result, _: str) -> Iterator[Fault]:
    given = result.checklist or Checklist()
    if open_boxes := [text for name, text in BOXES.items() if not getattr(given, name)]:
        yield Fault(
            f"not confirmed: {', '.join(open_boxes)} (check it, then tick it under Verification)", "checklist"
        )


def resolutions(result: Result, _: str) -> Iterator[Fault]:
    for number, blocker in enumerate(result.blockers):
        if not blocker.resolution.strip():
            yield Fault(f"nothing is said to remove the blocker {blocker.text[:60]!r}", f"blockers[{number}]")
