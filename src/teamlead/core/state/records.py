"""What the state of a session is made of. Only `core.evolve` changes these objects."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from teamlead.core.answers import Completion, Judgement
from teamlead.core.causes import Cause
from teamlead.core.events import (
    AttemptOutcome,
    BlockReason,
    Departure,
    EscalationAnswered,
    EscalationKind,
    EscalationTarget,
    MessageType,
    RuleChecked,
)
from teamlead.core.evidence.bisection import WholeCheck
from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.evidence.values import CheckResult, Proofs, Work
from teamlead.core.facts import WorkStatus
from teamlead.core.model import Concern, Excerpt, Person, Question, TaskSpec
from teamlead.core.recovery import Step
from teamlead.core.reports import DifficultyFeedback, Feedback, Result
from teamlead.core.runs import Run
from teamlead.core.state.budget import Purse
from teamlead.core.state.lanes import Lane
from teamlead.core.state.stages import Stage
from teamlead.core.transitions import AttemptPhase, EscalationState, Phase, TaskState

Decision = Literal["accept", "continue", "replan", "escalate", "skip"]

NOTHING = Work()


@dataclass(slots=True, eq=False)
class Attempt:
    number: int
    slot: int
    """The number of its copy among those in use: for ports and databases."""
    run: Run
    bases: tuple[str, ...]
    fallback: str
    fresh: bool
    started_at: float
    guided: int = 0
    """How much of the task's guidance its prompt holds."""
    told: int = 0
    """How much of what people told the task was said before its work was judged."""
    phase: AttemptPhase = "preparing"
    phase_since: float = 0.0
    due: str = ""
    """The key of what its phase asks of the outside, or asked last."""
    base: str = ""
    progress: str = ""
    """What it last reported while it worked; the others up to its result are its own word, too."""
    word: WorkStatus | None = None
    note: str = ""
    said: int = 0
    """How often it has spoken."""
    feedback: Feedback | None = None
    difficulties: tuple[DifficultyFeedback, ...] = ()
    """All that it reported, the latest of many: what it says later does not make them go away."""
    result: Result | None = None
    work: Work = NOTHING
    """What it left in its copy: see `core.attempts.proof` for all that speaks for and against it."""
    questions: tuple[str, ...] = ()
    """The escalations that it raised itself, or that its work raised."""
    lent: tuple[Excerpt, ...] = ()
    """What the lead read for it, because the agent that should have done so failed."""
    waived: bool = False
    """A person had said that what may be objected to is accepted."""
    judgement: Judgement | None = None
    judged_by: str = ""
    """The run that gave it."""
    unjudged: bool = False
    """Its judge could not be read."""
    score: int | None = None
    """Of a plan that it proposes; None: nobody has reviewed it."""
    checks: list[CheckResult] = field(default_factory=list)
    proofs: Proofs | None = None
    """None: nothing was run besides its checks."""
    tests: str = ""
    """The run of its tester, who writes tests without seeing its work; empty: there is none."""
    examples: str = ""
    """The run of its judge that thought of inputs before it saw its work; empty: none has."""
    trying: str = ""
    """Which of the two its work is tried with, or was last."""
    outcome: AttemptOutcome | None = None
    reasons: tuple[str, ...] = ()
    ended_at: float | None = None
    decision: Decision | None = None
    """What the lead made of it; None while that is open, and where the session ended over it."""
    decided_because: str = ""

    @property
    def owes_fresh_copy(self) -> bool:
        """It was to begin anew, and its copy was never made: so the next one has to."""
        return self.fresh and not self.base


@dataclass(slots=True, eq=False)
class Task:
    spec: TaskSpec
    order: int
    since: float
    stage: Stage
    lane: Lane
    """Where it waits to start."""
    funds: tuple[Purse, ...] = ()
    """What its runs are paid from."""
    planned: bool = False
    """A model wrote what it says."""
    state: TaskState = "READY"
    version: int = 1
    """Counts its states."""
    depends_on: list["Task"] = field(default_factory=list)
    dependents: list["Task"] = field(default_factory=list)
    unmet: int = 0
    """How many dependencies still hold it back."""
    attempts: list[Attempt] = field(default_factory=list)
    live: Attempt | None = None
    confirms: bool = False
    """It was reopened with what it was built on: that its work still holds is enough."""
    accepted: Attempt | None = None
    """The one that counts, which need not be the last."""
    failures: int = 0
    """Since the last time a person said something about it."""
    conflicts: int = 0
    returned: bool = False
    """What was objected to has gone back to its agent once."""
    waived: bool = False
    """A person accepts what may be objected to."""
    approved: str | None = None
    """What work holds that a person has accepted; empty: it changed nothing. None: they accepted none."""
    not_before: float = 0.0
    fresh: bool = False
    """The next attempt starts from the integration branch."""
    guidance: list[tuple[str, str]] = field(default_factory=list)
    """What was asked, and what a person answered."""
    advice: list[tuple[str, str]] = field(default_factory=list)
    """That of its guidance which is a person's own words: whatever takes its place is told it, too."""
    told: list["Message"] = field(default_factory=list)
    """What people told it of their own accord."""
    blocked: BlockReason | None = None
    paused: str = ""
    """Who wants nobody to work on it for now."""
    gap: Step | None = None
    """How the plan goes on without it, where its agent failed for good."""
    detail: str = ""
    skipped_by_person: bool = False
    cause: Cause | None = None
    """What it is blocked by, where others may have met the same."""
    replaced_by: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    """The commits its dependents build on."""
    kept: str = ""
    blamed: int = 0
    """How often a check of the whole plan failed because of it."""
    ticket: int = 0
    """Its place in its lane; entries with another ticket are stale. 0: it has none."""
    member: "Member" = field(init=False)
    """Who works on it."""

    def __post_init__(self) -> None:
        self.member = Member(self.spec.id, self)

    @property
    def commit(self) -> str:
        """The accepted work; empty if there is none."""
        return self.accepted.work.commit if self.accepted else ""

    @property
    def counts(self) -> Attempt | None:
        """The one that tells what it came to: one that was accepted, or as long as none was, the last."""
        return self.accepted or (self.attempts[-1] if self.attempts else None)

    @property
    def taken(self) -> list[Attempt]:
        """Those whose work was accepted: also what was merged before it was done again."""
        return [attempt for attempt in self.attempts if attempt.outcome == "accepted"]

    @property
    def must_change(self) -> bool:
        return self.spec.needs_change and not self.confirms

    @property
    def instead(self) -> str:
        """For those who turn to a task that was replaced."""
        return f"in its place: {', '.join(self.replaced_by)}" if self.replaced_by else ""


NOBODY = Concern("")


@dataclass(slots=True, eq=False)
class Escalation:
    id: str
    target: EscalationTarget
    kind: EscalationKind
    cause: str
    """By which an equal one is recognised; empty: none is."""
    reason: str
    tasks: dict[str, Concern]
    """That it is about and that wait for it; none: it is about the session as a whole."""
    question: Question | None
    state: EscalationState
    raised_at: float
    resolved_at: float | None = None
    resolution: str = ""
    by: str = ""
    who: Person | None = None
    """The person who answered it."""
    call: str = ""
    parked: bool = False
    """Who asked was told to end its turn."""
    parts: list[tuple[float, EscalationAnswered]] = field(default_factory=list)
    """What it was answered with for some of its tasks, and when."""

    @property
    def asker(self) -> Concern:
        """The first task that it is about: whose own question it is, where it has no cause."""
        return next(iter(self.tasks.values()), NOBODY)

    @property
    def options(self) -> tuple[str, ...]:
        """Of all its tasks. What one of them cannot be answered with, it is not."""
        asked = (self.question, *(each.question for each in self.tasks.values()))
        return tuple(dict.fromkeys(option for each in asked if each for option in each.options))

    def question_of(self, task: str) -> Question | None:
        return self.tasks[task].question or self.question


COUNTED: frozenset[EscalationKind] = frozenset(
    {
        "failed",
        "conflict",
        "scope",
        "technical",
        "dependency",
        "contradiction",
        "impossible",
        "already-done",
    }
)


def counts_towards_limit(kind: EscalationKind) -> bool:
    """What an agent asks of its own accord does not use up the user's patience with the lead."""
    return kind in COUNTED


@dataclass(slots=True, eq=False)
class Hold:
    """Why and until when nothing of one kind of agent starts. It stays until one of them ends well.

    So with whatever else fails for several tasks in the same way: it stays until its question is closed.
    """

    until: float | None
    """None: until a person says so."""
    reason: str
    strikes: int
    since: float
    raised: int
    """How many events the session had by then: what began before it says nothing new about it."""
    cause: str = ""
    """Of the question whose answer ends it."""

    def forbids(self, now: float) -> bool:
        return self.until is None or self.until > now


MACHINE = "machine"
"""Held in the place of all kinds of agents, and of checks: none can be started for now."""


@dataclass(slots=True, eq=False)
class Message:
    id: str
    sender: str
    recipient: str
    text: str
    sent_at: float
    type: MessageType = "message"
    summary: str = ""
    attempt: int = 0
    """Of its recipient, which alone may get it; 0: the next one may, too."""
    request: str = ""
    """The one that it answers."""
    approve: bool | None = None


@dataclass(slots=True, eq=False)
class Leaver:
    """A member that was at work when its session ended."""

    attempt: int
    requests: list[str] = field(default_factory=list)
    """To leave: one, and one more if it was silent."""
    approved: bool | None = None
    """None: it has not answered."""
    reason: str = ""
    """In its own words."""
    stopped: bool = False
    """It is ended, whatever it does."""
    how: Departure | None = None
    """None: something of it may be alive."""
    left_at: float | None = None


@dataclass(slots=True, eq=False)
class Leaving:
    """How the team leaves of a session that has ended."""

    since: float
    at_once: bool
    """Nobody is asked: they are ended."""
    leavers: dict[str, Leaver] = field(default_factory=dict)
    """Those that were at work."""
    rules: tuple[RuleChecked, ...] = ()
    deleted_at: float | None = None


@dataclass(slots=True, eq=False)
class Member:
    """Who works in the session: messages, a conversation and a home are its own, whichever run it is at.

    Each task has a member of its own, of its own name: nobody joins by an event.
    """

    name: str
    """Also of the home in which its programs keep what they remember."""
    task: Task
    unread: tuple[str, ...] = ()
    """Messages that it has not seen."""
    leaver: Leaver | None = None
    """None: nobody wants it to leave before its task is settled."""


@dataclass(slots=True, eq=False)
class PhaseEntry:
    phase: Phase
    entered_at: float
    reason: str
    who: Person | None = None
    """The person who wanted it, where one did."""


@dataclass(slots=True, eq=False)
class TriedCheck:
    """A check that is tried on the base before agents work."""

    command: str
    tasks: dict[str, None] = field(default_factory=dict)
    """That name it themselves."""
    turn: int = 0
    """How often a person wanted it again."""
    obstacle: Obstacle | None = None


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
    who: Person | None = None


class PlanFile(NamedTuple):
    """The plan that was made, as a file."""

    path: str
    digest: str
    """Of its content as it was written."""
