"""What has happened. Events are written once and readable for ever.

A change of shape gets a new `VERSIONS` entry and an upgrade in `journal.codec`; a field may be added with a
default.

`LAZY` events may ride on a later commit: if a power cut takes them, looking at the world finds them again.
All others are on disk before anything acts on them.
"""

from typing import Literal

from teamlead.core.answers import Answer
from teamlead.core.causes import Cause
from teamlead.core.evidence.bisection import WholeCheck
from teamlead.core.evidence.values import CheckResult, Work
from teamlead.core.facts import WorkStatus
from teamlead.core.model import (
    Concern,
    Dimension,
    Excerpt,
    Member,
    Person,
    Question,
    SessionSpec,
    TaskSpec,
    Trespass,
    Value,
)
from teamlead.core.recovery import Step
from teamlead.core.reports import Feedback, Result
from teamlead.core.runs import Purpose, RunEnd
from teamlead.core.transitions import Phase

AttemptOutcome = Literal[
    "accepted", "refused", "returned", "failed", "asked", "conflict", "interrupted", "lost", "stopped", "held"
]
"""refused: it ended well and its work did not hold. returned: what is objected to goes back to its agent,
once, and is no failure. failed: it did not end well. held: its agent's account or its budget had to wait,
which is nobody's failure."""

BlockReason = Literal["QUESTION", "FAILED", "CONFLICT", "BUDGET", "PLANNER", "ADVICE", "PROPOSAL"]
"""PLANNER, ADVICE: a model is asked about it, and no person. PROPOSAL: a person decides about a plan."""

EscalationTarget = Literal["user", "planner", "logicValidator", "externalAdvisor"]

EscalationKind = Literal[
    "question",
    "failed",
    "conflict",
    "limit",
    "agent",
    "budget",
    "permission",
    "whole",
    "scope",
    "technical",
    "dependency",
    "contradiction",
    "plan",
    "completion",
    "rounds",
    "proposal",
]
"""proposal: a plan that the planner made, or that it could not make."""


TrespassEnd = Literal["put back", "accepted", "gone"]
"""accepted: the user takes it for their own. gone: it was as before when somebody looked."""


class Event(Value, frozen=True, tag=True, tag_field="event", kw_only=True):
    who: Person | None = None
    """The person whose wish caused it, where one did."""


class SessionOpened(Event, frozen=True):
    spec: SessionSpec


class PhaseChanged(Event, frozen=True):
    phase: Phase
    reason: str


class LeaderStarted(Event, frozen=True):
    epoch: int
    holder: str


class LeaderStopping(Event, frozen=True):
    reason: str


class LeaderStopped(Event, frozen=True):
    reason: str


class TaskAdded(Event, frozen=True):
    spec: TaskSpec
    by: str
    before: tuple[str, ...] = ()
    """Tasks that wait for it from now on."""
    planned: bool = False
    """A model wrote it."""


class TaskReplaced(Event, frozen=True):
    task: str
    by_tasks: tuple[str, ...]
    reason: str


class TaskSkipped(Event, frozen=True):
    task: str
    reason: str
    by: str


class TaskBlocked(Event, frozen=True):
    task: str
    reason: BlockReason
    detail: str
    cause: Cause | None = None
    """Why, where that may be no fault of its own."""


class TaskUnblocked(Event, frozen=True):
    task: str
    guidance: str
    """What the person said; goes into the next prompt."""
    waived: bool = False
    """What may be objected to is accepted from now on."""


class TaskAdvised(Event, frozen=True):
    """A question was answered, and the task goes on as it did."""

    task: str
    question: str
    answer: str
    own: bool = False
    """In a person's own words."""


class TaskRetried(Event, frozen=True):
    """The task runs again, not before a moment."""

    task: str
    not_before: float
    fresh: bool
    """On a new copy from the integration branch, after a conflict."""


class GapNoted(Event, frozen=True):
    """The plan goes on without an agent's work, since it failed for good, or with a part of it."""

    task: str
    step: Step
    warning: str


class WarningNoted(Event, frozen=True):
    """Something that the session lacks."""

    warning: str
    task: str = ""


class ExemptionUsed(Event, frozen=True):
    """The lead did something itself that is an agent's work, within what it is exempted from."""

    task: str
    attempt: int
    exemption: str
    excerpts: tuple[Excerpt, ...] = ()


class TaskDone(Event, frozen=True):
    task: str
    commit: str
    """Empty where there was nothing to merge."""
    attempt: int = 0
    """Whose work counts; 0: the last one's."""


class TaskReopened(Event, frozen=True):
    """It runs again, from the merged work."""

    task: str
    reason: str
    own: bool = False
    """As with advice."""
    follows: str = ""
    """The tasks that it was built on, where it runs again only because they do: its work may still hold."""
    bounded: bool = False
    """Nobody asked for it: it counts towards how often that may be."""


class AttemptStarted(Event, frozen=True):
    task: str
    attempt: int
    bases: tuple[str, ...]
    fallback: str
    fresh: bool
    agent: str
    model: str = ""
    effort: str = ""


class CopyPrepared(Event, frozen=True):
    task: str
    attempt: int
    base: str
    kept: str = ""
    """Where the work of the copy before it is, if no branch holds it."""


class WorkCollected(Event, frozen=True):
    task: str
    attempt: int
    work: Work
    result: Result | None = None
    """As read from the agent's last words, where it handed none in while it worked; so with `feedback`."""
    feedback: Feedback | None = None


class CheckFinished(Event, frozen=True):
    task: str
    attempt: int
    result: CheckResult


class WorkAccepted(Event, frozen=True):
    task: str
    attempt: int
    judged: str = ""
    """The consultation whose verdict on the same work holds for it, too."""


class WorkIntegrated(Event, frozen=True):
    task: str
    attempt: int
    commit: str
    tip: str


class AttemptStopping(Event, frozen=True):
    """It keeps its slot until its end is confirmed."""

    task: str
    attempt: int
    reason: str


class AttemptEnded(Event, frozen=True):
    task: str
    attempt: int
    outcome: AttemptOutcome
    reasons: tuple[str, ...] = ()
    judged: str = ""
    """As with accepted work."""
    unjudged: bool = False
    """Its judge could not be read, which says nothing about it."""


class CopyRemoved(Event, frozen=True):
    task: str
    kept: str = ""
    stayed: str = ""
    """Where it had been kept in place before."""


class EscalationRaised(Event, frozen=True):
    id: str
    target: EscalationTarget
    kind: EscalationKind
    reason: str
    tasks: tuple[Concern, ...] = ()
    """None: it is about the session as a whole."""
    question: Question | None = None
    cause: str = ""
    """The same for the same: an equal question of its kind is this one. Empty: it is equal to no other."""
    held: bool = False
    """Beyond the number of questions the user agreed to: shown, but not asked yet."""
    call: str = ""
    """The agent's own id for the question."""


class EscalationJoined(Event, frozen=True):
    """The same is to be decided for another task."""

    id: str
    task: Concern


class EscalationLeft(Event, frozen=True):
    """It is not about this task any more. With the last of its tasks it is withdrawn."""

    id: str
    task: str
    reason: str


class EscalationAnswered(Event, frozen=True):
    """For these of its tasks: it stays open for the others."""

    id: str
    tasks: tuple[str, ...]
    resolution: str
    by: str


class EscalationReleased(Event, frozen=True):
    """A held question is asked after all."""

    id: str


class EscalationResolved(Event, frozen=True):
    id: str
    resolution: str
    by: str


class EscalationWithdrawn(Event, frozen=True):
    id: str
    reason: str


class QuestionsAllowed(Event, frozen=True):
    more: int


class QuestionParked(Event, frozen=True):
    """The agent that asked was told to end its turn: it is resumed with the answer."""

    task: str
    attempt: int
    escalation: str


class AgentHeld(Event, frozen=True):
    """Nothing of this kind of agent starts; or nothing that needs what else is held so."""

    kind: str
    """An agent kind, the machine, or the thing of a `Cause`."""
    until: float | None
    """None: until a person says so."""
    reason: str
    strikes: int = 0
    """How many times in a row."""
    cause: str = ""
    """Of the question whose answer ends it, where several tasks met the same."""


class AgentReleased(Event, frozen=True):
    kind: str


class BudgetRaised(Event, frozen=True):
    """By its original amount."""

    scope: str
    """See `core.state.budget`."""
    of: tuple[Dimension, ...] = ()
    """What was short; empty: all that has a limit."""


class ProgressReported(Event, frozen=True):
    task: str
    attempt: int
    text: str


class FeedbackReported(Event, frozen=True):
    task: str
    attempt: int
    feedback: Feedback


class ResultReported(Event, frozen=True):
    task: str
    attempt: int
    result: Result


class TaskNoted(Event, frozen=True):
    """An agent's own word about its task."""

    task: str
    attempt: int
    status: WorkStatus
    note: str = ""


class MessageSent(Event, frozen=True):
    id: str
    sender: str
    """A task, "user" or "lead"."""
    recipient: str
    """A task, a role, "all" or "lead"."""
    text: str


class MessagesRead(Event, frozen=True):
    task: str
    attempt: int
    messages: tuple[str, ...]


class RunWanted(Event, frozen=True):
    """A model is to be asked, as soon as its kind of agent may be used and a seat is free."""

    run: str
    purpose: Purpose
    task: str = ""
    attempt: int = 0
    escalation: str = ""
    """The record that its answer is to close."""
    about: str = ""
    """What it is asked."""
    problem: str = ""
    """What was wrong with its last answer."""
    tries: int = 0
    """How often it gave no answer, or none that could be read."""


class RunStarted(Event, frozen=True):
    """A model is asked. An attempt's own run starts with it."""

    run: str
    task: str
    agent: str
    commit: str
    """What it looks at."""
    model: str = ""
    effort: str = ""


class RunEnded(Event, frozen=True):
    """An agent or a model has ended."""

    run: str
    task: str
    end: RunEnd
    answer: Answer | None = None
    """Of a model that was asked."""
    problem: str = ""
    """What was wrong with its answer."""


class PlanDiscussed(Event, frozen=True):
    """Whether a person is asked to accept the plan that is made."""

    wanted: bool


class PlanFiled(Event, frozen=True):
    """The plan that was made stands in a file, which the user may edit."""

    path: str
    digest: str


class TaskPaused(Event, frozen=True):
    task: str
    by: str


class TaskResumed(Event, frozen=True):
    """Somebody wants it to go on: it is not paused, waits for no moment, and its failures are forgotten."""

    task: str
    by: str
    advice: str = ""


class TaskReassigned(Event, frozen=True):
    task: str
    agent: str
    model: str
    by: str


class MemberJoined(Event, frozen=True):
    """An agent that the session has not had in this role."""

    member: Member


class ScopeEnlarged(Event, frozen=True):
    task: str
    paths: tuple[str, ...]
    by: str


class ConflictForeseen(Event, frozen=True):
    """What two attempts have changed so far does not merge; without paths: it does again."""

    task: str
    attempt: int
    other: str
    other_attempt: int
    paths: tuple[str, ...]


class PersonNotified(Event, frozen=True):
    about: str
    problem: str = ""


class CompletionAccepted(Event, frozen=True):
    """A person takes the merged work for all that was wanted."""

    tip: str
    by: str


class TrialStarted(Event, frozen=True):
    """A check of the whole plan runs, on the merged work or on a part of it."""

    tip: str
    command: str
    where: str


class WholeChecked(Event, frozen=True):
    tip: str
    checks: tuple[WholeCheck, ...]


class WholeAccepted(Event, frozen=True):
    """A person wants the merged work as it is, although a check fails."""

    tip: str
    by: str


class WholeRepeated(Event, frozen=True):
    """A person wants it to be checked once more."""

    tip: str


class TrespassFound(Event, frozen=True):
    """Something was changed in the user's repository, not by them as far as one can tell."""

    trespass: Trespass


class TrespassSettled(Event, frozen=True):
    item: str
    how: TrespassEnd
    by: str = ""
    """Empty: nobody said so."""


class ApprovalRequested(Event, frozen=True):
    commit: str
    by: str
    squash: bool = False
    sign: bool = False


class ApprovalApplied(Event, frozen=True):
    commit: str
    branch: str
    before: str
    undo: str


class ApprovalRefused(Event, frozen=True):
    reason: str


AnyEvent = (
    SessionOpened
    | PhaseChanged
    | LeaderStarted
    | LeaderStopping
    | LeaderStopped
    | TaskAdded
    | TaskReplaced
    | TaskSkipped
    | TaskBlocked
    | TaskUnblocked
    | TaskAdvised
    | TaskRetried
    | GapNoted
    | WarningNoted
    | ExemptionUsed
    | TaskDone
    | TaskReopened
    | AttemptStarted
    | CopyPrepared
    | WorkCollected
    | CheckFinished
    | WorkAccepted
    | WorkIntegrated
    | AttemptStopping
    | AttemptEnded
    | CopyRemoved
    | EscalationRaised
    | EscalationJoined
    | EscalationLeft
    | EscalationAnswered
    | EscalationReleased
    | EscalationResolved
    | EscalationWithdrawn
    | QuestionsAllowed
    | QuestionParked
    | AgentHeld
    | AgentReleased
    | BudgetRaised
    | ProgressReported
    | FeedbackReported
    | ResultReported
    | TaskNoted
    | MessageSent
    | MessagesRead
    | RunWanted
    | RunStarted
    | RunEnded
    | PlanDiscussed
    | PlanFiled
    | TaskPaused
    | TaskResumed
    | TaskReassigned
    | MemberJoined
    | ScopeEnlarged
    | ConflictForeseen
    | PersonNotified
    | CompletionAccepted
    | TrialStarted
    | WholeChecked
    | WholeAccepted
    | WholeRepeated
    | TrespassFound
    | TrespassSettled
    | ApprovalRequested
    | ApprovalApplied
    | ApprovalRefused
)

LAZY = frozenset(
    {CopyPrepared, RunEnded, WorkCollected, CheckFinished, WorkAccepted, CopyRemoved, PhaseChanged}
)

VERSIONS: dict[str, int] = {}
"""The current version of each event whose shape has changed; all others are at 1."""


class Recorded(Value, frozen=True):
    """An event in its place in the journal."""

    seq: int
    at: float
    event: AnyEvent
