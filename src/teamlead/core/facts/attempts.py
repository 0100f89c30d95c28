"""Of attempts: their copies, runs, work, checks and merges."""

from teamlead.core.answers import Answer
from teamlead.core.evidence.values import CheckResult, Examined, Found, Proofs
from teamlead.core.facts.base import Fact
from teamlead.core.model import Excerpt
from teamlead.core.runs import RunEnd


class CopyReady(Fact, frozen=True):
    task: str
    attempt: int
    base: str
    """The commit the copy started from, after merging its dependencies."""
    kept: str = ""
    """A ref that holds what an earlier copy of the task held and no branch does."""


class CopyConflict(Fact, frozen=True):
    """The dependencies of a task cannot be merged with each other."""

    task: str
    attempt: int
    paths: tuple[str, ...]


class RunOver(Fact, frozen=True):
    """Nothing of this run is alive any more."""

    run: str
    end: RunEnd
    answer: Answer | None = None
    """Of a model that was asked. None: it gave none that can be read."""
    problem: str = ""
    """What was wrong with its answer, for it to know."""


class WorkFound(Fact, frozen=True):
    """What the attempt left in its copy."""

    task: str
    attempt: int
    found: Found
    examined: Examined = Examined()


class CheckEnded(Fact, frozen=True):
    task: str
    attempt: int
    result: CheckResult


class WorkProved(Fact, frozen=True):
    task: str
    attempt: int
    proofs: Proofs
    examples: str = ""
    """The run whose examples were tried; empty: its checks were run on variants of it."""


class Merged(Fact, frozen=True):
    task: str
    attempt: int
    commit: str
    tip: str
    """The integration branch after the merge."""


class MergeRefused(Fact, frozen=True):
    task: str
    attempt: int
    tip: str
    paths: tuple[str, ...]
    detail: str = ""
    """Both sides, for the next prompt."""


class EffectFailed(Fact, frozen=True):
    """Git or the machine would not do what a task needed."""

    task: str
    attempt: int
    what: str
    reason: str


class RunQuiet(Fact, frozen=True):
    """Confirmed: nothing of this run is alive any more, nor of its attempt, if it works on one."""

    run: str


class CopyReleased(Fact, frozen=True):
    task: str
    kept: str = ""
    """A ref or a place that holds work which is not on a branch; empty if there is none."""
    stayed: str = ""
    """The place of a copy that an earlier release had to leave there, and that is gone now."""


class ConflictSeen(Fact, frozen=True):
    """What two attempts at work have changed so far does not merge."""

    task: str
    attempt: int
    other: str
    """Empty: what was merged since it began."""
    other_attempt: int
    paths: tuple[str, ...]
    """Empty: it merges again."""


class AnswerOverdue(Fact, frozen=True):
    """A member that was asked to leave has not answered in its time."""

    task: str
    attempt: int
    request: str


class LeadRead(Fact, frozen=True):
    """The lead is about to put these lines into the prompt of an attempt."""

    task: str
    attempt: int
    excerpts: tuple[Excerpt, ...]


AttemptFact = (
    CopyReady
    | CopyConflict
    | RunOver
    | WorkFound
    | CheckEnded
    | WorkProved
    | Merged
    | MergeRefused
    | EffectFailed
    | RunQuiet
    | CopyReleased
    | ConflictSeen
    | LeadRead
    | AnswerOverdue
)
