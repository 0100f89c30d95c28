"""What agents report in a fixed shape: feedback while they work, and the result they hand in. All frozen."""

from typing import Annotated, Literal

import msgspec

from teamlead.core.model import Value


class ImplementationFeedback(Value, frozen=True, tag="implementation", tag_field="kind"):
    result: Literal["success", "partial", "failed"]
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
    category: Literal["technical", "ambiguity", "scope", "dependency"] = "technical"
    requested_action: Literal["clarification", "replan", "escalate", "continue"] = "continue"
    suggestion: str = ""


Feedback = ImplementationFeedback | ExplorationFeedback | DifficultyFeedback


class Reference(Value, frozen=True):
    item: str
    place: str
    """`file:line`."""
    relevance: str = ""


class Issue(Value, frozen=True):
    text: str
    severity: Literal["critical", "important", "minor"]


class Blocker(Value, frozen=True):
    text: str
    resolution: str = ""


class Result(Value, frozen=True):
    status: Literal["SUCCESS", "PARTIAL", "FAILED"]
    summary: str
    findings: str
    references: tuple[Reference, ...]
    confidence: Annotated[int, msgspec.Meta(ge=0, le=100)]
    confidence_reason: str
    issues: tuple[Issue, ...] = ()
    next_steps: tuple[str, ...] = ()
    blockers: tuple[Blocker, ...] = ()
