"""session.json. Its readers came first: what they know has their names, by the table below and only here."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

import msgspec

from teamlead.core.answers import Judgement
from teamlead.core.events import AttemptOutcome, EscalationTarget
from teamlead.core.reports import Result
from teamlead.core.state.records import Decision
from teamlead.core.transitions import MemberState, Phase, SessionState, TaskState
from teamlead.views.documents.base import SCHEMA_VERSION, Moment
from teamlead.views.documents.phases import FixLoopPart
from teamlead.views.documents.reports import PhasePart
from teamlead.views.documents.sessions import (
    BudgetPart,
    ConsultationPart,
    EvidencePart,
    HoldPart,
    MessagePart,
    PartAnswerPart,
    PersonPart,
    QuestionState,
    QuestionTaskPart,
    SpentPart,
    UsagePart,
)

NAMES = {
    "active_task_ids": "activeTaskIds",
    "assigned_at": "assignedAt",
    "child_planner_session_ids": "childPlannerSessionIds",
    "completed_at": "completedAt",
    "completed_task_count": "completedTaskCount",
    "conversation_history": "conversationHistory",
    "error_message": "errorMessage",
    "escalated_at": "escalatedAt",
    "escalation_attempts": "escalationAttempts",
    "escalation_records": "escalationRecords",
    "judgement_result": "judgementResult",
    "leader_decision": "leaderDecision",
    "member_task_history": "memberTaskHistory",
    "opened_at": "createdAt",
    "plan_document": "planDocument",
    "planner_session_id": "plannerSessionId",
    "related_task_id": "relatedTaskId",
    "requested_action": "requestedAction",
    "resolved_at": "resolvedAt",
    "source_type": "sourceType",
    "task_id": "taskId",
    "total_task_count": "totalTaskCount",
    "updated_at": "updatedAt",
    "worker_feedback": "workerFeedback",
    "worker_result": "workerResult",
}


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Structs, because they can be renamed."""


class MemberPart(Part, frozen=True, kw_only=True):
    name: str
    agent: str
    role: str
    state: MemberState
    spawned: bool
    """It has begun at some time."""


class ExecutionPart(Part, frozen=True, kw_only=True):
    workers_total: int
    workers_active: int
    tasks_total: int
    tasks_completed: int


class CancelPart(Part, frozen=True, kw_only=True):
    """That a person had it stop, and whether a resume goes on with it."""

    requested: bool
    preserve_for_resume: bool


class ArtifactsPart(Part, frozen=True, kw_only=True):
    """What the stages of a team found, in the repository; null: nothing yet."""

    analysis_path: str | None
    design_path: str | None
    implementation_path: str | None
    review_path: str | None


class StoredTaskPart(Part, frozen=True, kw_only=True):
    """`id` is unique beyond the session. `version` counts its states."""

    id: str
    title: str
    state: TaskState
    version: int
    branch: str
    label: str
    depends_on: Sequence[str]
    attempts_total: int
    reason: str


class ImplementationFeedbackPart(
    Part, frozen=True, kw_only=True, rename=NAMES, tag="implementation", tag_field="type"
):
    result: Literal["success", "partial", "failed"]
    changes: Sequence[str]
    notes: str


class ExplorationFeedbackPart(
    Part, frozen=True, kw_only=True, rename=NAMES, tag="exploration", tag_field="type"
):
    findings: str
    recommendations: Sequence[str]
    confidence: Literal["high", "medium", "low"]


class ImpedimentPart(Part, frozen=True, kw_only=True, rename=NAMES):
    category: str | None
    requested_action: str | None


class DifficultyFeedbackPart(
    Part, frozen=True, kw_only=True, rename=NAMES, tag="difficulty", tag_field="type"
):
    issue: str
    attempts: Sequence[str]
    impediment: ImpedimentPart
    suggestion: str
    paths: Sequence[str]


FeedbackPart = ImplementationFeedbackPart | ExplorationFeedbackPart | DifficultyFeedbackPart


class WorkerResultPart(Part, frozen=True, kw_only=True):
    end: str | None
    summary: str
    commit: str
    handed_in: Result | None


class CheckedPart(Part, frozen=True, kw_only=True):
    command: str
    exit_code: int | None


class JudgementResultPart(Part, frozen=True, kw_only=True):
    outcome: AttemptOutcome
    reasons: Sequence[str]
    checks: Sequence[CheckedPart]
    evidence: Sequence[EvidencePart]
    judge: Judgement | None


class HistoryPart(Part, frozen=True, kw_only=True, rename=NAMES):
    """An attempt that has ended."""

    task_id: str
    attempt: int
    agent: str
    model: str
    turns: int
    usage: UsagePart
    denials: Sequence[str]
    trespasses: Sequence[str]
    remarks: Sequence[str]
    assigned_at: Moment
    completed_at: Moment | None
    worker_result: WorkerResultPart
    worker_feedback: FeedbackPart | None
    judgement_result: JudgementResultPart
    leader_decision: Decision | None
    leader_decision_reason: str


class EscalationRecordPart(Part, frozen=True, kw_only=True, rename=NAMES):
    """A question, whoever it is put to."""

    id: str
    target: EscalationTarget
    kind: str
    reason: str
    cause: str
    related_task_id: str
    tasks: Sequence[QuestionTaskPart]
    text: str
    options: Sequence[str]
    while_working: bool
    parked: bool
    escalated_at: Moment
    state: QuestionState
    resolved: bool
    resolved_at: Moment | None
    resolution: str
    by: str
    person: PersonPart | None
    answered_for_some: Sequence[PartAnswerPart]


class SessionFileDocument(Part, frozen=True, kw_only=True, rename=NAMES):
    """`.teamlead/sessions/<session>/session.json`. `version` is the journal's last `seq`."""

    schema_version: Literal[1] = SCHEMA_VERSION
    id: str
    version: int
    source_type: str
    plan_document: str
    instruction: str
    planner_session_id: str | None
    child_planner_session_ids: Sequence[str]
    title: str
    team: str
    task: str
    status: SessionState
    phase: Phase
    phase_history: Sequence[PhasePart]
    execution: ExecutionPart
    fix_loop: FixLoopPart
    cancel: CancelPart
    artifacts: ArtifactsPart
    base_commit: str
    target_branch: str
    members: Sequence[MemberPart]
    tasks: Sequence[StoredTaskPart]
    member_task_history: Sequence[HistoryPart]
    escalation_records: Sequence[EscalationRecordPart]
    escalation_attempts: Mapping[EscalationTarget, int]
    conversation_history: Sequence[MessagePart]
    consultations: Sequence[ConsultationPart]
    active_task_ids: Sequence[str]
    completed_task_count: int
    total_task_count: int
    error_message: str | None
    spent: SpentPart
    budgets: Sequence[BudgetPart]
    holds: Sequence[HoldPart]
    warnings: Sequence[str]
    created_at: Moment
    opened_at: Moment
    """The same moment, in the vocabulary of plans: readers came from two sides."""
    updated_at: Moment


class TicketDocument(TypedDict):
    """`.teamlead/sessions/<session>/tickets/<task>.json`: a task. `blocked_by`: what it waits for."""

    id: str
    session_id: str
    title: str
    state: TaskState
    version: int
    stage: str
    phase: Phase
    member: str
    role: str
    agent: str
    blocked_by: Sequence[str]
    attempts_total: int
    reason: str
    commit: str


class ActiveSessionDocument(TypedDict):
    """`.teamlead/sessions/active-session.json`: the latest session that has not ended.

    `path` is that of its folder, in the repository.
    """

    id: str
    team: str
    task: str
    path: str
    created_at: Moment
