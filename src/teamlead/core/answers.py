"""What a model answers that the lead consults. All frozen: its text is read and checked before it is one."""

from typing import Literal

from teamlead.core.model import TaskSpec, Value


class Judgement(Value, frozen=True, tag="judgement", tag_field="answer"):
    """Whether an attempt's work fulfils its task, where code alone cannot tell."""

    success: bool
    reason: str
    missing: tuple[str, ...] = ()
    """Requirements that are not fulfilled."""
    should_continue: bool = False
    should_replan: bool = False
    already_satisfied: bool = False
    """What is asked for was there before."""
    contradictions: tuple[str, ...] = ()
    """Requirements that cannot all be fulfilled."""


class Proposal(Value, frozen=True, tag="proposal", tag_field="answer"):
    """Tasks in the place of others. Their ids and dependencies are the answer's own."""

    tasks: tuple[TaskSpec, ...]
    reason: str = ""
    questions: tuple[str, ...] = ()
    """What only a person can say."""


class Completion(Value, frozen=True, tag="completion", tag_field="answer"):
    """Whether the merged work fulfils the whole instruction."""

    fulfilled: bool
    reason: str
    missing: tuple[str, ...] = ()
    tasks: tuple[TaskSpec, ...] = ()
    """That would fulfil it."""


class Analysis(Value, frozen=True, tag="analysis", tag_field="answer"):
    """What is behind a difficulty, and what to do about it."""

    root_cause: str
    recommendation: str
    confidence: Literal["high", "medium", "low"]
    requires_user_decision: bool = False
    reasoning: str = ""
    contradiction: str = ""
    """Between requirements, if it found one."""


class Draft(Value, frozen=True, tag="draft", tag_field="answer"):
    """A plan as the planner proposes it."""

    tasks: tuple[TaskSpec, ...] = ()
    title: str = ""
    questions: tuple[str, ...] = ()
    """What only a person can say."""
    problems: tuple[str, ...] = ()
    """What is wrong with it in the form of a plan."""
    words: str = ""
    """Its last words, at most so much of them that a later prompt can repeat."""


class Criterion(Value, frozen=True):
    criterion: str
    met: bool
    why: str = ""


class Quality(Value, frozen=True, tag="quality", tag_field="answer"):
    """What a reviewing model says of a plan, criterion by criterion."""

    critical: tuple[Criterion, ...]
    important: tuple[Criterion, ...] = ()
    nice: tuple[Criterion, ...] = ()


Answer = Judgement | Proposal | Completion | Analysis | Draft | Quality
