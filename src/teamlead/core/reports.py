"""What agents report in a fixed shape: feedback while they work, and the result they hand in. All frozen."""

from typing import Annotated, Literal

import msgspec

from teamlead.core.model import Value

Category = Literal["technical", "ambiguity", "scope", "dependency", "impossible"]
"""impossible: it cannot be done honestly as it is asked. To say so is a correct result, and no failure."""
RequestedAction = Literal["clarification", "replan", "escalate", "continue"]


class ImplementationFeedback(Value, frozen=True, tag="implementation", tag_field="kind"):
    result: Literal["success", "partial", "failed", "already_done"]
    """already_done: what is asked for was there before; `notes` say where that can be seen."""
    changes: tuple[str, ...] = ()
    notes: str = ""


class ExplorationFeedback(Value, frozen=True, tag="exploration", tag_field="kind"):
    findings: str
    recommendations: tuple[str, ...] = ()
    confidence: Literal["high", "medium", "low"] = "medium"


class DifficultyFeedback(Value, frozen=True, tag="difficulty", tag_field="kind"):
    """Something is in the agent's way."""

    issue: str
    attempts: tuple[str, ...] = ()
    """What it tried."""
    category: Category | None = None
    requested_action: RequestedAction | None = None
    """None: the category alone decides whom it concerns."""
    suggestion: str = ""
    paths: tuple[str, ...] = ()
    """What it would have to change besides its scope."""


Feedback = ImplementationFeedback | ExplorationFeedback | DifficultyFeedback


Severity = Literal["critical", "important", "minor"]

Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]


class Reference(Value, frozen=True):
    item: str
    place: str
    """`file:line`."""
    relevance: str = ""


class Issue(Value, frozen=True):
    text: str
    severity: Severity


class Blocker(Value, frozen=True):
    text: str
    resolution: str = ""


class Breakdown(Value, frozen=True):
    """What a confidence is made of: what was seen, and what was concluded from it."""

    verified: Percent
    inferred: Percent
    combined: Percent | None = None
    """As stated; it has to be the mean of the two."""

    @property
    def mean(self) -> float:
        return (self.verified + self.inferred) / 2


class Justification(Value, frozen=True):
    """Why a confidence is high."""

    score: Percent
    evidence_count: Annotated[int, msgspec.Meta(ge=0)]
    method: str
    blind_spots: str


class Checklist(Value, frozen=True):
    """What an agent has to have checked before it hands its result in."""

    references_valid: bool = False
    snippets_match: bool = False
    no_invented_paths: bool = False
    evidence_documented: bool = False


class Override(Value, frozen=True):
    """Why a soft rule was not kept."""

    rule: str
    reason: str


class ErrorReport(Value, frozen=True):
    """What went wrong, where the work failed."""

    type: str
    message: str
    location: str = ""
    recoverable: bool = False
    attempted: tuple[str, ...] = ()
    root_cause: str = ""
    recovery: tuple[str, ...] = ()


class Finding(Value, frozen=True):
    """One thing a reviewer found."""

    text: str
    category: str
    severity: Severity
    place: str
    """`file:line`."""
    evidence: str = ""
    suggestion: str = ""
    confidence: Percent | None = None


class CommandRun(Value, frozen=True):
    command: str
    outcome: str


class ExplorationFindings(Value, frozen=True, tag="exploration", tag_field="format"):
    entry_points: tuple[str, ...] = ()
    flow: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()


class DesignFindings(Value, frozen=True, tag="design", tag_field="format"):
    decision: str
    alternatives: tuple[str, ...] = ()
    trade_offs: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """To be changed."""


class ReviewFindings(Value, frozen=True, tag="review", tag_field="format"):
    findings: tuple[Finding, ...] = ()


class ImplementationFindings(Value, frozen=True, tag="implementation", tag_field="format"):
    files: tuple[str, ...] = ()
    """That were changed."""
    behaviour: str = ""
    tests: tuple[str, ...] = ()
    """That were added."""
    commands: tuple[CommandRun, ...] = ()


Details = ExplorationFindings | DesignFindings | ReviewFindings | ImplementationFindings


ResultStatus = Literal["SUCCESS", "PARTIAL", "FAILED", "IMPOSSIBLE", "ALREADY_DONE"]
"""IMPOSSIBLE: it cannot be done honestly as it is asked. ALREADY_DONE: it was there before."""


class Result(Value, frozen=True):
    """What an agent hands in when it has finished. Its shape; the rules it is held to are in `forms`."""

    status: ResultStatus
    summary: str
    findings: str
    references: tuple[Reference, ...]
    confidence: Percent
    confidence_reason: str
    issues: tuple[Issue, ...] = ()
    next_steps: tuple[str, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    agent: str = ""
    """The role, as its heading names it."""
    details: Details | None = None
    """The findings in the shape of the role, where it has one."""
    breakdown: Breakdown | None = None
    justification: Justification | None = None
    checklist: Checklist | None = None
    uncertainty: str = ""
    """What it is not sure of."""
    error: ErrorReport | None = None
    overrides: tuple[Override, ...] = ()
    tried: tuple[str, ...] = ()
    """Where it cannot be done."""

    @property
    def impossible(self) -> DifficultyFeedback | None:
        """What stands in the way of doing it honestly, where it says that something does."""
        if self.status != "IMPOSSIBLE":
            return None
        return DifficultyFeedback(
            "\n".join(dict.fromkeys((self.summary, *(blocker.text for blocker in self.blockers)))),
            self.tried,
            "impossible",
            suggestion="; ".join(blocker.resolution for blocker in self.blockers if blocker.resolution),
        )
