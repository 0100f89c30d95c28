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


Answer = Judgement | Proposal | Completion | Analysis
