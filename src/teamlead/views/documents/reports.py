"""What a session came to, and what speaks for and against its work."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from teamlead.core.events import AttemptOutcome
from teamlead.core.evidence.values import EvidenceKind, RoomKind
from teamlead.core.reports import Result
from teamlead.core.transitions import Phase, SessionState, TaskState
from teamlead.views.documents.base import Moment
from teamlead.views.documents.sessions import (
    ApprovalPart,
    BudgetPart,
    ConflictPart,
    ConsultationPart,
    DifficultyPart,
    EvidencePart,
    KeptPart,
    LeavingPart,
    MessagePart,
    PersonPart,
    QuestionPart,
    RunsSpentPart,
    SpentPart,
    StagePart,
    TrespassPart,
)


class CostPart(TypedDict):
    """What one kind of further runs took."""

    of: str
    runs: int
    seconds: float


class FurtherRunsPart(TypedDict):
    """What it took to find out whether checks that passed show that the work is done.

    `check_seconds`: what those checks took themselves.
    """

    runs: int
    seconds: float
    check_seconds: float
    costs: Sequence[CostPart]


class EvidenceDocument(TypedDict):
    """`teamlead evidence`: of one attempt. `result` is what its agent handed in.

    `accepted_attempt` is the one whose work counts: an earlier one, where this one confirmed it.
    `further_runs` is null where there were none.
    """

    session: str
    task: str
    title: str
    attempt: int
    accepted_attempt: int | None
    outcome: AttemptOutcome | None
    accepted_by_a_person: bool
    base_commit: str
    commit: str
    reasons: Sequence[str]
    result: Result | None
    evidence: Sequence[EvidencePart]
    further_runs: FurtherRunsPart | None


class ProofDocument(TypedDict):
    """`teamlead prove`. `holds`: nothing is refused or objected to."""

    change: str
    base_commit: str
    commit: str
    holds: bool
    evidence: Sequence[EvidencePart]


class ReportedSessionPart(TypedDict):
    id: str
    title: str
    state: SessionState
    phase: Phase
    phase_reason: str
    created_at: Moment
    updated_at: Moment
    seconds: float
    target_branch: str
    integration_branch: str
    integration_commit: str
    agent: str


class FindingPart(TypedDict):
    """What a member of a team handed in, as it is."""

    member: str
    task: str
    text: str


class ReportedStagePart(StagePart):
    tasks: Sequence[str]
    findings: Sequence[FindingPart]


class CheckPart(TypedDict):
    """A command that was run on the work. `exit_code` is null where it did not end in time."""

    command: str
    exit_code: int | None
    seconds: float
    log: str
    found: str


class VerifiedPart(TypedDict):
    changed: bool
    in_scope: Sequence[str]
    checks: Sequence[CheckPart]
    merged: bool


class DonePart(TypedDict):
    task: str
    title: str
    commit: str
    files_total: int
    lines_added: int
    lines_deleted: int
    paths: Sequence[str]
    attempts_total: int
    summary: str
    verified: VerifiedPart
    evidence: Sequence[EvidencePart]


class FlagPart(TypedDict):
    """Something about accepted work that somebody should look at."""

    task: str
    kind: EvidenceKind
    found: str
    details: Sequence[str]
    accepted_by_a_person: bool


class UnverifiedPart(TypedDict):
    """Criteria that no command stood for. `judged`: why the judge takes them for fulfilled."""

    task: str
    title: str
    acceptance: Sequence[str]
    judged: str


class RoomlessPart(TypedDict):
    """Whose checks ran without a full room, and how they ran."""

    room: RoomKind
    ran: str
    checks_of: Sequence[str]


class NotDonePart(TypedDict):
    task: str
    title: str
    state: TaskState
    reason: str
    attempts_total: int


class UnacceptedAttemptPart(TypedDict):
    task: str
    attempt: int
    outcome: AttemptOutcome
    reasons: Sequence[str]


class HeldAttemptPart(TypedDict):
    task: str
    attempt: int
    agent: str
    ended_at: Moment | None
    reason: str


class ReadPart(TypedDict):
    """Lines of files that the lead read itself."""

    task: str
    attempt: int
    exemption: str
    read: Sequence[str]


ViolationKind = Literal["prevented", "refused", "noticed"]


class ViolationPart(TypedDict):
    """What an agent tried, or did, beyond what it may."""

    task: str
    attempt: int
    kind: ViolationKind
    what: str


class ReportedDifficultyPart(DifficultyPart):
    task: str
    attempt: int
    tried: Sequence[str]
    suggestion: str


class SessionSpentPart(RunsSpentPart):
    by_agent: Mapping[str, RunsSpentPart]
    by_role: Mapping[str, RunsSpentPart]


class PhasePart(TypedDict):
    phase: Phase
    entered_at: Moment
    reason: str
    person: PersonPart | None


class ReportDocument(TypedDict):
    """`teamlead report`."""

    session: ReportedSessionPart
    plan_text: str
    stages: Sequence[ReportedStagePart]
    done: Sequence[DonePart]
    flagged: Sequence[FlagPart]
    not_verified: Sequence[UnverifiedPart]
    plan_checks: Sequence[EvidencePart]
    without_full_room: Sequence[RoomlessPart]
    awaiting_answer: Sequence[NotDonePart]
    failed: Sequence[NotDonePart]
    skipped: Sequence[NotDonePart]
    unfinished: Sequence[NotDonePart]
    unaccepted_attempts: Sequence[UnacceptedAttemptPart]
    held_attempts: Sequence[HeldAttemptPart]
    warnings: Sequence[str]
    conflicts_ahead: Sequence[ConflictPart]
    read_by_lead: Sequence[ReadPart]
    trespasses: Sequence[TrespassPart]
    difficulties: Sequence[ReportedDifficultyPart]
    violations: Sequence[ViolationPart]
    questions: Sequence[QuestionPart]
    consultations: Sequence[ConsultationPart]
    not_notified: Sequence[str]
    messages: Sequence[MessagePart]
    kept: Sequence[KeptPart]
    spent: SessionSpentPart
    budgets: Sequence[BudgetPart]
    approval: ApprovalPart | None
    rejected: str
    leaving: LeavingPart | None
    phases: Sequence[PhasePart]


GateStatus = Literal["pending", "approved", "rejected", "revised", "ended"]


class GateFilePart(TypedDict):
    """What one task changed."""

    task: str
    files_total: int
    lines_added: int
    lines_deleted: int
    paths: Sequence[str]


class GateDocument(TypedDict):
    """`approvals/MOMENT.json` of a session: what a person was asked to approve, and what they said.

    `commit` is what it is about: no other work is approved by it.
    """

    session_id: str
    team: str
    task: str
    commit: str
    base_commit: str
    requested_at: Moment
    status: GateStatus
    answer: str
    stages: Sequence[ReportedStagePart]
    files: Sequence[GateFilePart]
    evidence: Sequence[EvidencePart]
    plan_checks: Sequence[EvidencePart]
    flagged: Sequence[FlagPart]
    spent: SpentPart
