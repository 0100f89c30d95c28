"""A session, its tasks, its questions, and all that it waits for. Loads little: `status` needs it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, final

from teamlead.core.events import Departure, MessageType
from teamlead.core.evidence.values import EvidenceKind, Verdict
from teamlead.core.model import TaskType
from teamlead.core.transitions import (
    AttemptPhase,
    MemberState,
    Phase,
    SessionState,
    StagePhase,
    StageState,
    TaskState,
)
from teamlead.views.documents.base import Moment


class PersonPart(TypedDict):
    """Who decided something, as their machine knows them."""

    user: str
    pid: int
    terminal: str


class WaitPart(TypedDict):
    """Something that is waited for. `next` is a command, or what happens by itself."""

    what: str
    reason: str
    since: Moment
    deadline: Moment | None
    next: str


# Money, time and agents


class UsagePart(TypedDict):
    """Of one run, as far as its agent told it."""

    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None


class SpentPart(UsagePart):
    """Of several runs. `cost_usd` is the least: `unpriced` of them did not tell theirs."""

    unpriced: int
    turns: int
    agent_seconds: float


class RunsSpentPart(SpentPart):
    runs: int


class LimitPart(TypedDict):
    cost_usd: float | None
    tokens: int | None
    seconds: float | None
    turns: int | None


class AmountPart(TypedDict):
    cost_usd: float
    tokens: int
    seconds: float
    turns: int


class BudgetPart(TypedDict):
    """`scope` is `session`, `role:NAME` or `task:ID`."""

    scope: str
    limit: LimitPart
    spent: AmountPart
    unpriced: int


class HoldPart(TypedDict):
    """A kind of agents that may not be used. `until` may be past by now; null: until somebody answers."""

    agent: str
    reason: str
    since: Moment
    until: Moment | None
    strikes: int


# Work


class EvidencePart(TypedDict):
    """One thing that speaks for or against a piece of work. `command` repeats it."""

    kind: EvidenceKind
    verdict: Verdict
    claim: str
    found: str
    details: Sequence[str]
    command: str
    log: str


class EvidenceCountPart(TypedDict):
    """How much was found, and what somebody should look at."""

    verdicts: Mapping[Verdict, int]
    flags: Sequence[str]


class DifficultyPart(TypedDict):
    """Something in an agent's way, as it reported it."""

    issue: str
    category: str | None
    requested_action: str | None


class ConsultationPart(TypedDict):
    """A model that the lead asks, or is to ask: the judge, the planner, the validator, the advisor."""

    id: str
    role: str
    purpose: str
    task: str
    attempt: int | None
    question: str
    agent: str
    model: str
    wanted_at: Moment
    started_at: Moment | None
    ended_at: Moment | None
    end: str | None
    answer: str
    problem: str
    tries: int
    usage: UsagePart


class ConflictPart(TypedDict):
    """Two attempts at work whose changes do not merge as they are; `other` is empty for what was merged."""

    task: str
    attempt: int
    other: str
    other_attempt: int | None
    paths: Sequence[str]
    since: Moment
    times_told: int


class TrespassPart(TypedDict):
    """Something that was changed in the user's repository, and that nobody has put right."""

    item: str
    what: str
    suspects: Sequence[str]


class KeptPart(TypedDict):
    """Work that is on no branch. `place` is a ref, or the path of a copy."""

    task: str
    place: str


class ApprovalPart(TypedDict):
    """The user's yes. `commit` is empty until it is carried out."""

    by: str
    person: PersonPart | None
    branch: str
    commit: str
    before: str
    undo: str


class MessagePart(TypedDict):
    """`request`: the one that it answers, and `approve` whether its sender leaves."""

    id: str
    sender: str
    to: str
    text: str
    sent_at: Moment | None
    type: MessageType
    summary: str
    request: str
    approve: bool | None


class LeaverPart(TypedDict):
    """A member that was at work when its session ended. `how` is null while something of it may be alive."""

    member: str
    attempt: int
    requests: Sequence[str]
    asked_at: Moment | None
    approved: bool | None
    reason: str
    how: Departure | None
    left_at: Moment | None


class LeavingRulePart(TypedDict):
    rule: str
    held: bool
    found: str


class LeavingPart(TypedDict):
    """How the team leaves of a session that has ended. `deleted_at` is null until nobody of it is left."""

    since: Moment
    at_once: bool
    members: Sequence[LeaverPart]
    rules: Sequence[LeavingRulePart]
    deleted_at: Moment | None


class TaskPart(TypedDict):
    """A task. What its attempts came to is the last one's."""

    id: str
    title: str
    state: TaskState
    attempts_total: int
    branch: str
    depends_on: Sequence[str]
    stage: str
    member: str
    member_state: MemberState
    type: TaskType
    role: str
    agent: str
    model: str
    effort: str
    since: Moment
    step: AttemptPhase | None
    started_at: Moment | None
    ended_at: Moment | None
    paused: bool
    reason: str
    summary: str
    commit: str
    files_total: int
    lines_added: int
    lines_deleted: int
    kept: str
    spent: RunsSpentPart
    budget: BudgetPart | None
    progress: str
    word: Literal["working", "blocked", "done"] | None
    difficulties: Sequence[DifficultyPart]
    evidence: EvidenceCountPart
    denials: Sequence[str]
    trespasses: Sequence[str]
    remarks: Sequence[str]
    unread: Sequence[str]
    waiting: WaitPart | None


# Questions


QuestionState = Literal["held", "open", "answered", "withdrawn"]
QuestionTo = Literal["user", "planner", "validator", "advisor"]


class QuestionTaskPart(TypedDict):
    """A task that a question is about."""

    id: str
    attempt: int | None
    reason: str


class PartAnswerPart(TypedDict):
    """An answer for some tasks, which the question is not about any more."""

    tasks: Sequence[str]
    answer: str
    by: str
    person: PersonPart | None
    answered_at: Moment


class QuestionPart(TypedDict):
    """What the lead does not decide by itself. `answer` is also why it was withdrawn."""

    id: str
    kind: str
    state: QuestionState
    to: QuestionTo
    tasks: Sequence[QuestionTaskPart]
    reason: str
    cause: str
    text: str
    options: Sequence[str]
    while_working: bool
    parked: bool
    asked_at: Moment
    closed_at: Moment | None
    answer: str
    by: str
    person: PersonPart | None
    answered_for_some: Sequence[PartAnswerPart]


class BlockingQuestionPart(QuestionPart):
    """`blocks`: the tasks that cannot begin before its own are settled."""

    blocks: Sequence[str]


class EscalationsDocument(TypedDict):
    """`teamlead escalations`: questions, the open ones first."""

    session: str
    questions: Sequence[BlockingQuestionPart]


# Sessions


class StageMemberPart(TypedDict):
    name: str
    task: str
    state: TaskState


class StagePart(TypedDict):
    """A group of tasks that begins when those before it are settled. The only one of a plan has no name.

    `members` and `found`, a line for each who handed something in, are of stages of a team.
    """

    name: str
    phase: StagePhase
    state: StageState
    commit: str
    tasks_total: int
    tasks_unsettled: int
    members: Sequence[StageMemberPart]
    found: Sequence[str]


class SessionRow(TypedDict):
    """A session as its journal keeps it ready; `waiting` is without what its tasks wait for."""

    id: str
    title: str
    state: SessionState
    phase: Phase
    phase_reason: str
    plan: str
    team: str
    agent: str
    jobs: int
    base_commit: str
    target_branch: str
    integration_branch: str
    integration_commit: str
    created_at: Moment
    updated_at: Moment
    seq: int
    tasks_total: int
    tasks_done: int
    tasks_unsettled: int
    stages: Sequence[StagePart]
    task_counts: Mapping[TaskState, int]
    leader: str
    under_way: bool
    stopped_because: str
    plan_checks: Sequence[EvidencePart]
    plan_check_running: str
    spent: SpentPart
    budgets: Sequence[BudgetPart]
    holds: Sequence[HoldPart]
    warnings: Sequence[str]
    consultations: Sequence[ConsultationPart]
    conflicts_ahead: Sequence[ConflictPart]
    not_notified: Sequence[str]
    messages_total: int
    questions: Sequence[QuestionPart]
    approval: ApprovalPart | None
    approval_refused: str
    rejected: str
    leaving: LeavingPart | None
    trespasses: Sequence[TrespassPart]
    kept_total: int
    kept: Sequence[KeptPart]
    waiting: Sequence[WaitPart]


@final
class SessionPart(SessionRow):
    """A session. `led`: a leader runs. `interrupted`: why nobody does what there is to do."""

    led: bool
    interrupted: str


class StatusDocument(TypedDict):
    """`teamlead status`."""

    session: SessionPart
    tasks: Sequence[TaskPart]


class LedDocument(StatusDocument):
    """`teamlead start` and `teamlead resume`, when they end. `end`: how their leading ended."""

    end: Literal["finished", "waiting", "paused", "interrupted"]


class EventDocument(TypedDict):
    """A line of `teamlead watch`, and of events.ndjson: one event. `body` has the fields of its kind."""

    seq: int
    at: Moment
    kind: str
    version: int
    body: Mapping[str, Any]


class StreamDocument(TypedDict):
    """A line of `teamlead watch`: what an agent says or does while it works. It is in no journal."""

    seq: None
    task: str
    stream: Mapping[str, Any]


class OpenedDocument(TypedDict):
    """`teamlead start` and `teamlead resume` with `--detach`: the session that is led in the background."""

    session: str


@final
class UnreadablePart(TypedDict):
    id: str
    problem: str


class SessionListDocument(TypedDict):
    """`teamlead list`: the latest first."""

    sessions: Sequence[SessionPart]
    unreadable: Sequence[UnreadablePart]
