"""What is true of a session now: a fold of its events.

Only `core.evolve` changes these objects. Indexes (what is ready, due, live, open) are kept by it too, so that
nothing scans all tasks for one event.
"""

from dataclasses import dataclass, field
from typing import Literal

from teamlead.core.answers import Completion, Judgement, Proposal
from teamlead.core.budget import SESSION, Purse, scope_of_role, shortage
from teamlead.core.consultation import Consultation
from teamlead.core.effects import AnyEffect
from teamlead.core.events import (
    AttemptOutcome,
    BlockReason,
    CheckFinished,
    EscalationKind,
    EscalationTarget,
)
from teamlead.core.evidence import BaseRun, Evidence, SuiteDelta, SuiteRun
from teamlead.core.facts import AgentStatus, CheckEnded, WorkStatus
from teamlead.core.inquiry import Merge, WholeCheck
from teamlead.core.lanes import Lane
from teamlead.core.model import Excerpt, Question, Role, SessionSpec, TaskSpec, Usage
from teamlead.core.recovery import Step
from teamlead.core.reports import Feedback, Result
from teamlead.core.staffing import Staff, kind_of, staff
from teamlead.core.transitions import (
    FINAL_PHASES,
    AttemptPhase,
    EscalationState,
    Phase,
    SessionState,
    TaskState,
)

Decision = Literal["accept", "continue", "replan", "escalate", "skip"]

NOT_SERVED = frozenset({"limit", "unavailable", "denied"})
REACTING = 2
"""The level of autonomy from which on the lead acts while agents work."""
CAUTIOUS = 2
"""Strikes after which one run of an agent kind goes before all others."""


@dataclass(slots=True, eq=False)
class Attempt:
    number: int
    slot: int
    agent: str
    bases: tuple[str, ...]
    fallback: str
    fresh: bool
    started_at: float
    began: int = 0
    """How many events the session had by then."""
    model: str = ""
    effort: str = ""
    guided: int = 0
    """How much of the task's guidance its prompt holds."""
    phase: AttemptPhase = "preparing"
    phase_since: float = 0.0
    base: str = ""
    status: AgentStatus | None = None
    summary: str = ""
    usage: Usage = Usage()
    tool_calls: int | None = None
    """None: unknown."""
    turns: int = 0
    conversation: str = ""
    denials: tuple[str, ...] = ()
    progress: str = ""
    """What it last reported while it worked; the others up to its result are its own word, too."""
    word: WorkStatus | None = None
    note: str = ""
    said: int = 0
    """How often it has spoken."""
    feedback: Feedback | None = None
    result: Result | None = None
    commit: str = ""
    files: int = 0
    added: int = 0
    deleted: int = 0
    paths: tuple[str, ...] = ()
    trespasses: tuple[str, ...] = ()
    """What it changed outside of its copy."""
    remarks: tuple[str, ...] = ()
    """What was changed there meanwhile, perhaps not by it."""
    questions: tuple[str, ...] = ()
    """The escalations that it raised itself, or that its work raised."""
    lent: tuple[Excerpt, ...] = ()
    """What the lead read for it, because the agent that should have done so failed."""
    evidence: tuple[Evidence, ...] = ()
    """What was found by examining its work: see `core.proof` for all that speaks for and against it."""
    waived: bool = False
    """A person had said that what may be objected to is accepted."""
    tree: str = ""
    """A name for what its work holds."""
    judgement: Judgement | None = None
    judged_by: str = ""
    """The consultation that gave it."""
    checks: list["CheckRecord"] = field(default_factory=list)
    agent_seconds: float = 0.0
    outcome: AttemptOutcome | None = None
    reasons: tuple[str, ...] = ()
    ended_at: float | None = None
    decision: Decision | None = None
    """What the lead made of it; None while that is open, and where the session ended over it."""
    decided_because: str = ""

    @property
    def unpriced(self) -> bool:
        """It has cost something that nobody told. One that was not served at all has not."""
        served = self.status not in NOT_SERVED or self.turns or self.usage != Usage()
        return self.usage.cost_usd is None and bool(served)

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
    suite: SuiteRun | None = None
    base: BaseRun | None = None
    delta: SuiteDelta | None = None

    @property
    def passed(self) -> bool:
        return self.exit_code == 0


def check_record(check: CheckEnded | CheckFinished) -> CheckRecord:
    return CheckRecord(
        check.command,
        check.exit_code,
        check.seconds,
        check.output,
        check.log,
        check.suite,
        check.base,
        check.delta,
    )


@dataclass(slots=True, eq=False)
class Task:
    spec: TaskSpec
    order: int
    since: float
    lane: Lane
    """Where it waits to start."""
    funds: tuple[Purse, ...] = ()
    """What its runs are paid from."""
    state: TaskState = "READY"
    version: int = 1
    """Counts its states."""
    depends_on: list["Task"] = field(default_factory=list)
    dependents: list["Task"] = field(default_factory=list)
    unmet: int = 0
    """How many dependencies still hold it back."""
    attempts: list[Attempt] = field(default_factory=list)
    live: Attempt | None = None
    failures: int = 0
    """Since the last time a person said something about it."""
    conflicts: int = 0
    returned: bool = False
    """What was objected to has gone back to its agent once."""
    waived: bool = False
    """A person accepts what may be objected to."""
    not_before: float = 0.0
    fresh: bool = False
    """The next attempt starts from the integration branch."""
    guidance: list[tuple[str, str]] = field(default_factory=list)
    """What was asked, and what a person answered."""
    unread: tuple[str, ...] = ()
    """Messages that no agent of it has seen."""
    blocked: BlockReason | None = None
    paused: str = ""
    """Who wants nobody to work on it for now."""
    gap: Step | None = None
    """How the plan goes on without it, where its agent failed for good."""
    detail: str = ""
    made: tuple[str, ...] = ()
    """The commits its dependents build on."""
    kept: str = ""
    blamed: int = 0
    """How often a check of the whole plan failed because of it."""
    ticket: int = 0
    """Its place in its lane; entries with another ticket are stale. 0: it has none."""

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
    attempt: int = 0
    """The one that asked while it worked; 0: none did."""
    call: str = ""
    about: str = ""
    """The agent kind, or the scope of a budget."""
    parked: bool = False
    """Who asked was told to end its turn."""


def counts_towards_limit(kind: EscalationKind) -> bool:
    """What an agent asks of its own accord does not use up the user's patience with the lead."""
    return kind in {"failed", "conflict", "scope", "technical", "dependency", "contradiction"}


@dataclass(slots=True, eq=False)
class Hold:
    """Why and until when nothing of one kind of agent starts. It stays until one of them ends well."""

    until: float | None
    """None: until a person says so."""
    reason: str
    strikes: int
    since: float
    raised: int
    """How many events the session had by then: what began before it says nothing new about it."""

    def forbids(self, now: float) -> bool:
        return self.until is None or self.until > now


@dataclass(slots=True, eq=False)
class Message:
    id: str
    sender: str
    recipient: str
    text: str
    sent_at: float


@dataclass(slots=True, eq=False)
class PhaseEntry:
    phase: Phase
    entered_at: float
    reason: str


@dataclass(slots=True, eq=False)
class Whole:
    """What the checks of the whole plan came to, the last time that they ran."""

    tip: str
    checks: tuple[WholeCheck, ...]
    turn: int = 0
    """How often a person wanted them again on this work."""
    accepted: str = ""
    """Who wants it although one fails."""

    @property
    def fine(self) -> bool:
        return all(check.fine for check in self.checks)


@dataclass(slots=True, eq=False)
class Fulfilment:
    """What the planner said of the merged work as a whole."""

    tip: str
    answer: Completion | None
    """None: it could not tell."""
    accepted: str = ""
    """Who takes it for all that was wanted."""

    @property
    def settled(self) -> bool:
        return bool(self.accepted) or (self.answer is not None and self.answer.fulfilled)


@dataclass(slots=True, eq=False)
class Foreseen:
    """Two attempts at work whose changes do not merge."""

    task: str
    attempt: int
    other: str
    other_attempt: int
    paths: tuple[str, ...]
    since: float
    told: int = 0
    """How often both sides were told of it."""


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
    referred: dict[str, Escalation] = field(default_factory=dict)
    """What is open with a model, not with the user."""
    halts: dict[str, Escalation] = field(default_factory=dict)
    """What is open with anybody and has to be decided before anything new starts."""
    referrals: dict[EscalationTarget, int] = field(default_factory=dict)
    """How often each was turned to."""
    counted_questions: int = 0
    questions_allowed: int = 0
    active: dict[str, Attempt] = field(default_factory=dict)
    """Live attempts by task: each takes a slot."""
    free_slots: list[int] = field(default_factory=list)
    tickets: int = 0
    roles: dict[str, Role] = field(default_factory=dict)
    lanes: dict[tuple[str, str], Lane] = field(default_factory=dict)
    """By agent kind and role."""
    holds: dict[str, Hold] = field(default_factory=dict)
    """By agent kind; also those whose time is over."""
    purses: dict[str, Purse] = field(default_factory=dict)
    """By scope: the session's, and those that have a limit."""
    asked: dict[str, str] = field(default_factory=dict)
    """The open question about an agent kind or a budget."""
    permissions: dict[str, Escalation] = field(default_factory=dict)
    """What agents at work wait for a person to allow, by escalation."""
    calls: dict[str, str] = field(default_factory=dict)
    """The escalation that an agent's own id for its question stands for."""
    messages: dict[str, Message] = field(default_factory=dict)
    begun: dict[str, None] = field(default_factory=dict)
    """Tasks that an agent has begun and that are not settled."""
    copies: dict[str, None] = field(default_factory=dict)
    """Tasks that have a working copy."""
    paused: dict[str, None] = field(default_factory=dict)
    """Tasks that a person wants nobody to work on for now."""
    kept: dict[str, str] = field(default_factory=dict)
    """Refs and places that hold work no branch has, each with its task."""
    second_looks: dict[str, None] = field(default_factory=dict)
    """Done tasks whose result somebody else should look at."""
    warnings: list[str] = field(default_factory=list)
    """What the work lacks, because an agent failed."""
    integration_tip: str = ""
    merges: list[Merge] = field(default_factory=list)
    """In their order."""
    own_checks: dict[str, None] = field(default_factory=dict)
    """Tasks that have checks of their own."""
    whole: Whole | None = None
    trying: str = ""
    """The check of the whole plan that runs, and on what."""
    consultations: dict[str, Consultation] = field(default_factory=dict)
    consulted: dict[str, int] = field(default_factory=dict)
    """How often, by name."""
    wanted: dict[str, Consultation] = field(default_factory=dict)
    """That are to start."""
    consulting: dict[str, Consultation] = field(default_factory=dict)
    """That are under way."""
    fulfilment: Fulfilment | None = None
    failing: list[str] = field(default_factory=list)
    """Tasks that failed for good, one after the other, with none done between them."""
    reviewed: tuple[str, ...] = ()
    """Those of them that the planner was asked about."""
    proposed: Proposal | None = None
    """What it would do about these, while a person decides on it."""
    rounds: int = 0
    """Attempts since a task was settled."""
    foreseen: dict[tuple[str, str], Foreseen] = field(default_factory=dict)
    """By the two tasks; the second is empty for what was merged."""
    notices: dict[str, str] = field(default_factory=dict)
    """What the user was told of, and what went wrong with it."""
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
    def reacts(self) -> bool:
        """The lead acts on what agents say while they work, not only when they have ended."""
        return self.session.autonomy >= REACTING

    @property
    def final(self) -> bool:
        return self.phase in FINAL_PHASES

    @property
    def checking_whole(self) -> bool:
        return self.phase == "REVIEWING" and any(key.startswith("CheckWhole:") for key in self.due)

    @property
    def completing(self) -> bool:
        """The planner is asked whether the merged work is all that was wanted."""
        asked = (*self.wanted.values(), *self.consulting.values())
        return any(consultation.purpose == "complete" for consultation in asked)

    @property
    def under_way(self) -> bool:
        """A leader would have something to do, without anybody's word."""
        if self.due or self.phase in {"IDLE", "PLANNING"}:
            return True
        return not self.final and (self.startable or self.askable)

    @property
    def startable(self) -> bool:
        """Something waits to start, and needs nobody's word for it."""
        lanes = self.lanes.values()
        return not self.held_up and any(not lane.empty and not self._waits_for_a_word(lane) for lane in lanes)

    @property
    def askable(self) -> bool:
        """A model is to be consulted, and nobody's word is needed for it."""
        return any(self._opens(consultation) is not None for consultation in self.wanted.values())

    def _opens(self, consultation: Consultation) -> float | None:
        """When it may start; None: a person has to say something first."""
        hold = self.holds.get(kind_of(consultation.agent))
        if hold is not None and hold.until is None:
            return None
        if self.asked and any(purse.scope in self.asked for purse in self.funds_of(consultation.role)):
            return None
        return hold.until if hold is not None and hold.until is not None else 0.0

    def funds_of(self, role: str) -> tuple[Purse, ...]:
        scopes = (SESSION, scope_of_role(role))
        return tuple(purse for scope in scopes if (purse := self.purses.get(scope)) is not None)

    def next_consultation(self, now: float) -> Consultation | None:
        """The first that may be asked now."""
        if not self.leader or self.draining:
            return None
        for consultation in self.wanted.values():
            opens = self._opens(consultation)
            if opens is not None and opens <= now and not self._awaits_funds(consultation):
                return consultation
        return None

    def _awaits_funds(self, consultation: Consultation) -> bool:
        """Agents at work have reserved all that is left, and may use less."""
        return any(purse.reserved and purse.used_up for purse in self.funds_of(consultation.role))

    @property
    def kinds(self) -> dict[str, None]:
        """Of all agents that the session uses."""
        asked = (self.consultant(role) for role in self.session.consultants)
        kinds = (*(lane.kind for lane in self.lanes.values()), *(kind_of(staff.agent) for staff in asked))
        return dict.fromkeys(kinds)

    def consultant(self, role: str) -> Staff:
        return staff(self.session, self.roles, TaskSpec("", "", role=role))

    @property
    def held_up(self) -> bool:
        """Nothing new is to start while a question is open."""
        return bool(self.halts) or (bool(self.open) and self.session.stop_on_escalation)

    def _waits_for_a_word(self, lane: Lane) -> bool:
        """A person is to say something about its agent or its budget."""
        hold = self.holds.get(lane.kind)
        if hold is not None and hold.until is None:
            return True
        return bool(self.asked) and any(purse.scope in self.asked for purse in lane.funds)

    def heads(self, now: float) -> list[Task]:
        """Of the lanes whose agents may work, in the order in which they should start."""
        if (
            not self.leader
            or self.draining
            or self.phase != "EXECUTING"
            or len(self.active) >= self.session.limits.jobs
            or self.held_up
        ):
            return []
        heads = [
            head
            for lane in self.lanes.values()
            if (head := lane.head(now)) and not self._waits_for_a_word(lane) and not self._rests(lane, now)
        ]
        return [self.tasks[head.task] for head in sorted(heads)] if heads else []

    def _rests(self, lane: Lane, now: float) -> bool:
        hold = self.holds.get(lane.kind)
        return hold is not None and (hold.forbids(now) or self._tries(lane.kind, hold))

    def _tries(self, kind: str, hold: Hold) -> bool:
        """After a hold that came again, one run tries whether it is over."""
        return hold.strikes >= CAUTIOUS and any(
            kind_of(attempt.agent) == kind for attempt in self.active.values() if attempt.phase != "judging"
        )

    def next_start(self, now: float) -> Task | None:
        """The task that should start next, if one may."""
        return next((task for task in self.heads(now) if shortage(self, task) is None), None)

    def next_timer(self) -> float | None:
        """When time alone will make something startable."""
        asked = (each for each in self.wanted.values() if not self._awaits_funds(each))
        moments = [m for each in asked if (m := self._opens(each)) is not None]
        # Where every slot is taken, one that comes free is what helps a task.
        full = len(self.active) >= self.session.limits.jobs
        for lane in () if full or self.held_up else self.lanes.values():
            hold = self.holds.get(lane.kind)
            if self._waits_for_a_word(lane):
                continue
            moment = lane.opens(hold.until if hold is not None else None)
            if moment is not None and not self._waits_for_a_run(lane, hold):
                moments.append(moment)
        return min(moments, default=None)

    def _waits_for_a_run(self, lane: Lane, hold: Hold | None) -> bool:
        """Time alone does not help: one of its kind is to end first, or gives back what it reserved."""
        if hold is not None and self._tries(lane.kind, hold):
            return True
        short = shortage(self, self.tasks[lane.first])
        return short is not None and bool(short.reserved)


def session_state(state: TeamState) -> SessionState:
    """The first that holds."""
    if state.phase in {"FAILED", "CANCELLED"}:
        return "FAILED" if state.phase == "FAILED" else "CANCELLED"
    if state.open:
        return "ESCALATING"
    if state.checking_whole or state.completing:
        return "REVIEWING"
    if state.tasks and state.unsettled == 0 and not state.active:
        return "COMPLETED"
    if state.active or state.consulting or (state.leader and (state.startable or state.askable)):
        return "EXECUTING"
    if state.phase in {"IDLE", "ANALYZING", "PLANNING"}:
        return "PLANNING"
    return "REVIEWING"
