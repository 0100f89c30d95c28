"""What becomes of tasks."""

from typing import Literal

from teamlead.core.causes import Cause
from teamlead.core.events.base import Event
from teamlead.core.model import Excerpt, TaskSpec
from teamlead.core.recovery import Step

BlockReason = Literal[
    "QUESTION", "FAILED", "CONFLICT", "BUDGET", "PLANNER", "ADVICE", "PROPOSAL", "CHECK", "DECISION"
]
"""CHECK: one of its checks cannot be run, and a person is asked about that. DECISION: its work is done, and a
person is to accept it.

PLANNER, ADVICE: a model is asked about it, and no person. PROPOSAL: a person decides about a plan."""


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
    before: str = ""
    """How one knows that what it asks for was there before; empty: it was not."""


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


class ScopeEnlarged(Event, frozen=True):
    task: str
    paths: tuple[str, ...]
    by: str


TaskEvent = (
    TaskAdded
    | TaskReplaced
    | TaskSkipped
    | TaskBlocked
    | TaskUnblocked
    | TaskAdvised
    | TaskRetried
    | GapNoted
    | ExemptionUsed
    | TaskDone
    | TaskReopened
    | TaskPaused
    | TaskResumed
    | TaskReassigned
    | ScopeEnlarged
)
