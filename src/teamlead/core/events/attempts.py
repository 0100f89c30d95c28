"""What becomes of attempts, their copies and their work."""

from typing import Literal

from teamlead.core.events.base import Event
from teamlead.core.evidence.values import CheckResult, Proofs, Work
from teamlead.core.reports import Feedback, Result

AttemptOutcome = Literal[
    "accepted", "refused", "returned", "failed", "asked", "conflict", "interrupted", "lost", "stopped", "held"
]
"""refused: it ended well and its work did not hold. returned: what is objected to goes back to its agent,
once, and is no failure. failed: it did not end well. held: its agent's account or its budget had to wait,
which is nobody's failure."""


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


class ProvingBegan(Event, frozen=True):
    """Its checks have passed, and are not enough to count it as done."""

    task: str
    attempt: int
    examples: str = ""
    """The run that gave those which are tried on it; empty: its checks are run on variants of it."""


class ProvingEnded(Event, frozen=True):
    task: str
    attempt: int
    proofs: Proofs


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


class ConflictForeseen(Event, frozen=True):
    """What two attempts have changed so far does not merge; without paths: it does again."""

    task: str
    attempt: int
    other: str
    other_attempt: int
    paths: tuple[str, ...]


AttemptEvent = (
    AttemptStarted
    | CopyPrepared
    | WorkCollected
    | CheckFinished
    | ProvingBegan
    | ProvingEnded
    | WorkAccepted
    | WorkIntegrated
    | AttemptStopping
    | AttemptEnded
    | CopyRemoved
    | ConflictForeseen
)
