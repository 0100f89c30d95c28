"""What a model answers that the lead consults. All frozen: its text is read and checked before it is one."""

from typing import Literal

from teamlead.core.model import TaskSpec, Value


class Fulfils(Value, frozen=True):
    """Where one sentence of the acceptance is fulfilled."""

    number: int
    """Of the sentence, from 1."""
    line: str = ""
    """`path:line`; empty where nothing was changed."""
    test: str = ""
    """That would fail without it; empty: none would."""


class PlannedFor(Value, frozen=True):
    """The answer to what code could not tell: whether the plan asks for what was found."""

    number: int
    """Of the question, from 1."""
    sentence: str = ""
    """That asks for it, word for word; empty: none does."""


class Remark(Value, frozen=True):
    says: str
    line: str = ""
    """`path:line`; empty: it names none."""

    @property
    def told(self) -> str:
        return f"{self.says} ({self.line})" if self.line else self.says


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
    fulfilled: tuple[Fulfils, ...] = ()
    answers: tuple[PlannedFor, ...] = ()
    objections: tuple[Remark, ...] = ()
    """What is wrong although all is fulfilled: named and never used, or contrary to the plan."""
    statements: tuple[Remark, ...] = ()
    """What the worker says about code, each with the line that bears it out."""

    @property
    def unplanned(self) -> tuple[int, ...]:
        """Numbers of questions about something that no sentence of the plan asks for."""
        return tuple(answer.number for answer in self.answers if not answer.sentence)

    @property
    def unfounded(self) -> tuple[str, ...]:
        """What the worker says of code, and no line bears out."""
        return tuple(remark.says for remark in self.statements if not remark.line)

    @property
    def objects(self) -> bool:
        return bool(self.objections or self.unplanned or self.unfounded)


class Example(Value, frozen=True, kw_only=True):
    """What a program must give by the words of a task, thought of by somebody who has not seen the work."""

    command: str
    file: str = ""
    """A new file that the command needs; empty: none."""
    text: str = ""
    """Of that file."""
    output: str | None = None
    """All that it must print; None: nothing is said of that."""
    exit_code: int = 0
    sentence: str = ""
    """Of the plan or the task, by which that must be."""


class Examples(Value, frozen=True, tag="examples", tag_field="answer"):
    examples: tuple[Example, ...]


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


Answer = Judgement | Examples | Proposal | Completion | Analysis | Draft | Quality
