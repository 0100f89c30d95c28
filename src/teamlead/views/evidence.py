"""Evidence as people and their scripts see it."""

from collections.abc import Sequence
from typing import Final, get_args

from teamlead.core.attempts.proof import evidence_of, flagged
from teamlead.core.evidence.values import Evidence, Verdict
from teamlead.core.pipeline import whole_plan
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.views.documents.reports import CostPart, EvidenceDocument, FurtherRunsPart, ProofDocument
from teamlead.views.documents.sessions import EvidenceCountPart, EvidencePart

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_NONE: Final = EvidenceCountPart(verdicts=dict.fromkeys(VERDICTS, 0), flags=())


def proof_document(
    change: str, between: tuple[str, str], evidence: Sequence[Evidence], *, holds: bool
) -> ProofDocument:
    base, commit = between
    return ProofDocument(
        change=change, base_commit=base, commit=commit, holds=holds, evidence=tuple(map(_item, evidence))
    )


def evidence_view(state: TeamState, task: Task, attempt: Attempt) -> tuple[EvidencePart, ...]:
    return tuple(map(_item, evidence_of(state, task, attempt)))


def plan_checks_view(state: TeamState) -> tuple[EvidencePart, ...]:
    """What is known of the merged work of all tasks together."""
    return tuple(map(_item, whole_plan.evidence(state)))


def _item(item: Evidence) -> EvidencePart:
    return EvidencePart(
        kind=item.kind,
        verdict=item.verdict,
        claim=item.claim,
        found=item.found,
        details=item.details,
        command=item.command,
        log=item.log,
    )


def evidence_document(state: TeamState, task: Task, attempt: Attempt) -> EvidenceDocument:
    return EvidenceDocument(
        session=state.session.id,
        task=task.spec.id,
        title=task.spec.title,
        attempt=attempt.number,
        accepted_attempt=task.accepted.number if task.accepted else None,
        outcome=attempt.outcome,
        accepted_by_a_person=attempt.waived and attempt.outcome == "accepted",
        base_commit=attempt.base,
        commit=attempt.work.commit,
        reasons=attempt.reasons,
        result=attempt.result,
        evidence=evidence_view(state, task, attempt),
        further_runs=_further_runs(attempt),
    )


def _further_runs(attempt: Attempt) -> FurtherRunsPart | None:
    proofs = attempt.proofs
    if proofs is None or not proofs.runs:
        return None
    return FurtherRunsPart(
        runs=proofs.runs,
        seconds=proofs.seconds,
        check_seconds=round(sum(check.seconds for check in attempt.checks), 2),
        costs=tuple(CostPart(of=cost.of, runs=cost.runs, seconds=cost.seconds) for cost in proofs.costs),
    )


def evidence_count(state: TeamState, task: Task, attempt: Attempt | None) -> EvidenceCountPart:
    """For the row of a task: how much was found, and what somebody should look at."""
    if attempt is None or attempt.ended_at is None or task.spec.plans:
        return _NONE
    verdicts = dict.fromkeys(VERDICTS, 0)
    found = evidence_of(state, task, attempt)
    for item in found:
        verdicts[item.verdict] += 1
    flags = tuple(f"{item.kind}: {item.found}" for item in flagged(found))
    return EvidenceCountPart(verdicts=verdicts, flags=flags)
