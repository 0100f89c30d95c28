"""A plan before it is carried out: as it is written, as it is made, and as it is rehearsed."""

from collections.abc import Sequence
from typing import Literal, TypedDict, final

from teamlead.core.events import AttemptOutcome
from teamlead.core.model import Delivery, TaskForm, TaskType
from teamlead.core.transitions import Phase, SessionState, TaskState
from teamlead.views.documents.base import Moment
from teamlead.views.documents.sessions import LimitPart, QuestionPart, UnreadablePart


class PlannedTaskPart(TypedDict):
    """A task as its plan states it. Empty: the role, the session or the type decides."""

    id: str
    title: str
    description: str
    scope: Sequence[str]
    acceptance: Sequence[str]
    checks: Sequence[str]
    depends_on: Sequence[str]
    type: TaskType
    role: str
    form: TaskForm | Literal[""]
    agent: str
    model: str
    effort: str
    arguments: Sequence[str]
    budget: LimitPart
    branch: str
    context: str
    hours: float
    outputs: Sequence[str]
    critical: bool
    stage: str
    protects: Sequence[str]
    removes_tests: Sequence[str]
    hidden_checks: Sequence[str]
    delivers: Delivery


class PlanProblemPart(TypedDict):
    line: int
    severity: Literal["error", "warning"]
    message: str
    remedy: str


class OverlapPart(TypedDict):
    """Two tasks that could run at the same time, and what both may change."""

    tasks: Sequence[str]
    place: str


class EstimatePart(TypedDict):
    """What earlier tasks of the same agent and model have cost, carried over to the tasks of the plan."""

    cost_usd: float | None
    tasks_known: int
    tasks_unknown: int
    tasks_earlier: int


class PreviewPart(TypedDict):
    """`agents_total`: as many as help. `hours`: what so many take."""

    agents_total: int
    hours: float
    hours_of_one_agent: float
    overlaps: Sequence[OverlapPart]
    tasks_without_scope: int
    estimate: EstimatePart


class CheckTrialPart(TypedDict):
    """A check, tried on a clean copy of the last commit. `remedy` is empty where nothing is in its way."""

    command: str
    tasks: Sequence[str]
    exit_code: int | None
    seconds: float
    obstacle: str
    remedy: str
    untried: str


class PlanCheckDocument(TypedDict):
    """`teamlead plan check`. `preview` is null where there are errors, and `trials` without `--run`."""

    file: str
    ok: bool
    title: str
    tasks: Sequence[PlannedTaskPart]
    problems: Sequence[PlanProblemPart]
    preview: PreviewPart | None
    trials: Sequence[CheckTrialPart] | None


class PlannedStagePart(TypedDict):
    """Its tasks start when those of the stages before it are settled. The only one of a plan has no name."""

    name: str
    tasks: Sequence[str]


class PlanGraphDocument(TypedDict):
    """`teamlead plan graph`. The tasks of a wave can run in parallel."""

    file: str
    title: str
    tasks: Sequence[PlannedTaskPart]
    stages: Sequence[PlannedStagePart]
    waves: Sequence[Sequence[str]]
    longest_chain: Sequence[str]
    longest_chain_hours: float
    preview: PreviewPart


@final
class PlanningPart(TypedDict):
    """A planner session. `file` holds the plan; `edited`: not as the planner made it any more.

    `interrupted`: why it does not go on by itself, empty if it does. `sessions` carry the plan out.
    """

    id: str
    state: SessionState
    led: bool
    interrupted: str
    title: str
    source_type: str
    instruction: str
    agent: str
    score: int | None
    attempts_total: int
    questions: Sequence[QuestionPart]
    file: str
    edited: bool
    sessions: Sequence[str]
    created_at: Moment
    updated_at: Moment
    tasks: Sequence[PlannedTaskPart]


class PlanningDocument(TypedDict):
    """`teamlead plan new`, `teamlead plan show`, and `teamlead start` where its planner has questions."""

    planning: PlanningPart


class PlanningListDocument(TypedDict):
    """`teamlead plan list`: the latest first."""

    plannings: Sequence[PlanningPart]
    unreadable: Sequence[UnreadablePart]


class RehearsedAttemptPart(TypedDict):
    attempt: int
    end: str | None
    outcome: AttemptOutcome | None
    reasons: Sequence[str]
    agent_seconds: float


class RehearsedTaskPart(TypedDict):
    id: str
    title: str
    agent: str
    state: TaskState
    attempts: Sequence[RehearsedAttemptPart]


class FaultPart(TypedDict):
    """A fault that was planted. `outcome`: what came of it; null: it was never met."""

    kind: str
    task: str
    attempt: int
    outcome: str | None
    as_it_should: bool


class RehearsalDocument(TypedDict):
    """`teamlead rehearse`. `folder` is empty where nothing of it was kept."""

    as_it_should: bool
    phase: Phase
    tasks: Sequence[RehearsedTaskPart]
    faults: Sequence[FaultPart]
    questions: Sequence[QuestionPart]
    requests_total: int
    folder: str
