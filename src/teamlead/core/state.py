"""What is true of a session now: a fold of its events.

Only `core.evolve` changes these objects. Indexes (what is ready, due, live, open) are kept by it too, so that
nothing scans all tasks for one event.
"""

from dataclasses import dataclass, field
from typing import Literal

from teamlead.core.effects import AnyEffect
from teamlead.core.events import AttemptOutcome, BlockReason, EscalationKind, EscalationTarget
from teamlead.core.facts import AgentStatus
from teamlead.core.model import Question, SessionSpec, TaskSpec, Usage
from teamlead.core.transitions import (
    FINAL_PHASES,
    AttemptPhase,
    EscalationState,
    Phase,
    SessionState,
    TaskState,
)

Decision = Literal["accept", "continue", "replan", "escalate", "skip"]


@dataclass(slots=True, eq=False)
class Attempt:
    number: int
    slot: int
    agent: str
    bases: tuple[str, ...]
    fallback: str
    fresh: bool
    started_at: float
    phase: AttemptPhase = "preparing"
    phase_since: float = 0.0
    base: str = ""
    status: AgentStatus | None = None
    summary: str = ""
    usage: Usage = Usage()
    tool_calls: int = 0
    commit: str = ""
    files: int = 0
    added: int = 0
    deleted: int = 0
    paths: tuple[str, ...] = ()
    checks: list["CheckRecord"] = field(default_factory=list)
    agent_seconds: float = 0.0
    outcome: AttemptOutcome | None = None
    reasons: tuple[str, ...] = ()
    ended_at: float | None = None
    decision: Decision | None = None
    """What the lead made of it; None while that is open, and where the session ended over it."""

    @property
    def owes_fresh_copy(self) -> bool:
        """It was to begin anew, and its copy was never made: so the next one has to."""
        return self.fresh and not self.base


@dataclass(slots=True, eq=False)
class CheckRecord:
    command: str
    exit_code: int | None
    seconds: float
    output: str
    log: str

    @property
    def passed(self) -> bool:
        return self.exit_code == 0


@dataclass(slots=True, eq=False)
class Task:
    spec: TaskSpec
    order: int
    since: float
    state: TaskState = "READY"
    depends_on: list["Task"] = field(default_factory=list)
    dependents: list["Task"] = field(default_factory=list)
    unmet: int = 0
    """How many dependencies still hold it back."""
    attempts: list[Attempt] = field(default_factory=list)
    live: Attempt | None = None
    failures: int = 0
    """Since the last time a person said something about it."""
    conflicts: int = 0
    not_before: float = 0.0
    fresh: bool = False
    """The next attempt starts from the integration branch."""
    guidance: list[tuple[str, str]] = field(default_factory=list)
    """What was asked, and what a person answered."""
    blocked: BlockReason | None = None
    detail: str = ""
    made: tuple[str, ...] = ()
    """The commits its dependents build on."""
    kept: str = ""
    ticket: int = 0
    """Its place in `ready` or `timers`; entries with another ticket are stale. 0: in neither."""

    @property
    def commit(self) -> str:
        """The accepted work; empty if there is none."""
        last = self.attempts[-1] if self.attempts else None
        return last.commit if self.state == "DONE" and last and last.outcome == "accepted" else ""


@dataclass(slots=True, eq=False)
class Escalation:
    id: str
    target: EscalationTarget
    kind: EscalationKind
    reason: str
    task: str
    question: Question | None
    state: EscalationState
    raised_at: float
    resolved_at: float | None = None
    resolution: str = ""
    by: str = ""


@dataclass(slots=True, eq=False)
class PhaseEntry:
    phase: Phase
    entered_at: float
    reason: str


@dataclass(slots=True, eq=False)
class Approval:
    """The user's yes, while it is carried out and after."""

    by: str
    squash: bool
    sign: bool
    commit: str = ""
    branch: str = ""
    before: str = ""
    undo: str = ""


@dataclass(slots=True, eq=False)
class TeamState:
    spec: SessionSpec | None = None
    seq: int = 0
    updated_at: float = 0.0
    phase: Phase = "IDLE"
    phases: list[PhaseEntry] = field(default_factory=list)
    leader: str = ""
    """Who leads now; empty while nobody does."""
    draining: bool = False
    stopped_because: str = ""
    tasks: dict[str, Task] = field(default_factory=dict)
    unsettled: int = 0
    escalations: dict[str, Escalation] = field(default_factory=dict)
    open: dict[str, Escalation] = field(default_factory=dict)
    held: dict[str, Escalation] = field(default_factory=dict)
    counted_questions: int = 0
    questions_allowed: int = 0
    active: dict[str, Attempt] = field(default_factory=dict)
    """Live attempts by task: each takes a slot."""
    free_slots: list[int] = field(default_factory=list)
    tickets: int = 0
    ready: list[tuple[int, int, str]] = field(default_factory=list)
    """Heap of (order, ticket, task) that may start at once. Entries may be stale, the head never is."""
    timers: list[tuple[float, int, int, str]] = field(default_factory=list)
    """Heap of (moment, order, ticket, task) that may start at that moment; same law."""
    copies: dict[str, None] = field(default_factory=dict)
    """Tasks that have a working copy."""
    kept: dict[str, str] = field(default_factory=dict)
    """Refs and places that hold work no branch has, each with its task."""
    integration_tip: str = ""
    usage: Usage = Usage()
    approval: Approval | None = None
    approval_refused: str = ""
    due: dict[str, AnyEffect] = field(default_factory=dict)
    """What should be under way, by key."""
    fresh_due: list[str] = field(default_factory=list)
    """Keys that became due since the driver last looked; the driver clears it."""
    touched: dict[str, None] = field(default_factory=dict)
    """Tasks whose view changed since the driver last looked; the driver clears it."""

    @property
    def session(self) -> SessionSpec:
        assert self.spec is not None, "the first event opens the session"
        return self.spec

    @property
    def final(self) -> bool:
        return self.phase in FINAL_PHASES

    @property
    def under_way(self) -> bool:
        """A leader would have something to do, without anybody's word."""
        if self.due or self.phase in {"IDLE", "PLANNING"}:
            return True
        return not self.final and not self.held_up and bool(self.ready or self.timers)

    @property
    def held_up(self) -> bool:
        """The user wants nothing started while a question is open."""
        return bool(self.open) and self.session.stop_on_escalation

    def next_start(self, now: float) -> Task | None:
        """The task that should start next, if one may."""
        if (
            not self.leader
            or self.draining
            or self.phase != "EXECUTING"
            or len(self.active) >= self.session.limits.jobs
            or self.held_up
        ):
            return None
        if self.timers and self.timers[0][0] <= now:
            return self.tasks[self.timers[0][3]]
        return self.tasks[self.ready[0][2]] if self.ready else None

    def next_timer(self) -> float | None:
        """When time alone will make something startable."""
        return self.timers[0][0] if self.timers and not self.held_up else None


def session_state(state: TeamState) -> SessionState:
    """The first that holds."""
    if state.phase in {"FAILED", "CANCELLED"}:
        return "FAILED" if state.phase == "FAILED" else "CANCELLED"
    if state.open:
        return "ESCALATING"
    if state.tasks and state.unsettled == 0 and not state.active:
        return "COMPLETED"
    if state.active or (state.leader and (state.ready or state.timers)):
        return "EXECUTING"
    if state.phase in {"IDLE", "ANALYZING", "PLANNING"}:
        return "PLANNING"
    return "REVIEWING"
