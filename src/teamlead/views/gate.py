"""What a person is shown before they decide on the whole work: one document each time that they are asked.

It is bound to a commit: an approval is for what stands here, and for nothing that came in later.
"""

from typing import NamedTuple

from teamlead.core import phases
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import Phase
from teamlead.views.documents.reports import GateDocument, GateFilePart, GateStatus
from teamlead.views.evidence import plan_checks_view
from teamlead.views.findings import findings_of
from teamlead.views.moments import iso
from teamlead.views.report import done_view, finding_view, flags_view
from teamlead.views.rows import stage_view
from teamlead.views.spending import session_spent

FOLDER = "approvals"

_ANSWERS: dict[Phase, GateStatus] = {"APPROVED": "approved", "REJECTED": "rejected", "REVISION": "revised"}


class Gate(NamedTuple):
    name: str
    """Of its file."""
    document: GateDocument
    asked: int
    """Its place among the phases of the session."""


def gate(state: TeamState) -> Gate | None:
    """What they are asked now; None: nothing, or there is nothing to approve."""
    if not phases.awaits_approval(state.phase) or not state.integration_tip:
        return None
    moment = iso(state.phases[-1].entered_at)
    name = "".join(character for character in moment if character.isalnum())
    return Gate(f"{name}.json", _document(state, moment), len(state.phases) - 1)


def answered(state: TeamState, asked: Gate) -> Gate:
    """As it was asked, with what they said since."""
    after = state.phases[asked.asked + 1 : asked.asked + 2]
    if not after:
        return asked
    status: GateStatus = _ANSWERS.get(after[0].phase, "ended")
    return asked._replace(document={**asked.document, "status": status, "answer": after[0].reason})


def _document(state: TeamState, moment: str) -> GateDocument:
    tasks = list(state.tasks.values())
    done = [done_view(state, task) for task in tasks if task.state == "DONE"]
    return GateDocument(
        session_id=state.session.id,
        team=state.team.preset if state.team else "",
        task=state.team.task if state.team else state.session.plan.title,
        commit=state.integration_tip,
        base_commit=state.session.base_commit,
        requested_at=moment,
        status="pending",
        answer="",
        stages=[
            {
                **stage_view(state, stage),
                "tasks": tuple(stage.tasks),
                "findings": tuple(finding_view(each) for each in findings_of(state, stage)),
            }
            for stage in state.stages.values()
        ],
        files=[
            GateFilePart(
                task=each["task"],
                files_total=each["files_total"],
                lines_added=each["lines_added"],
                lines_deleted=each["lines_deleted"],
                paths=each["paths"],
            )
            for each in done
            if each["files_total"]
        ],
        evidence=[item for each in done for item in each["evidence"]],
        plan_checks=plan_checks_view(state),
        flagged=flags_view(state),
        spent=session_spent(state),
    )
