"""A run: an agent or a model that is started for something.

What for: to work on an attempt, or to be asked about one, about a question, or about the whole plan. All runs
wait, start, are paid, are held and end by the same rules; what their end means depends on what they were for.
"""

from dataclasses import dataclass
from typing import Literal

from teamlead.core.answers import Answer
from teamlead.core.model import Question, Usage, Value

AgentStatus = Literal[
    "ok", "error", "timeout", "interrupted", "lost", "limit", "unavailable", "denied", "budget"
]
"""interrupted: the lead ended it. lost: its leader died and there is no result. limit: its account may not be
used for a while. unavailable: its service did not answer as it should. denied: its account or its model is
not to be had, and no waiting helps. budget: it was ended at the limit of what it may spend."""

NOT_SERVED = frozenset({"limit", "unavailable", "denied"})

Purpose = Literal[
    "work", "tests", "examples", "judge", "quality", "replan", "review", "complete", "validate", "advise"
]
"""work: on an attempt. tests, examples: what programs must give once a task is done, by a tester, by a judge.
judge: an attempt's work. quality: a plan that an attempt proposes. replan: a task that failed. review: a plan
whose tasks fail. complete: whether the merged work fulfils the instruction. validate, advise: what to do with
a difficulty."""

BLIND: frozenset[Purpose] = frozenset({"tests", "examples"})
"""Whoever is asked for these sees nothing of the work, nor of who does it."""

Consultant = Literal["judge", "planner", "validator", "advisor", "tester"]

ROLE_OF: dict[Purpose, Consultant] = {
    "tests": "tester",
    "examples": "judge",
    "judge": "judge",
    "quality": "planner",
    "replan": "planner",
    "review": "planner",
    "complete": "planner",
    "validate": "validator",
    "advise": "advisor",
}
"""Of models that the lead consults. Who works on an attempt has the role of its task."""


class RunEnd(Value, frozen=True):
    """How a run ended, as its program told."""

    status: AgentStatus
    summary: str = ""
    detail: str = ""
    """Why it was not ok."""
    question: Question | None = None
    usage: Usage = Usage()
    """Of this run alone, also where it continued a conversation."""
    tool_calls: int | None = None
    """None: its program does not tell."""
    turns: int = 0
    conversation: str = ""
    """By which a later run can continue this one; empty: it cannot."""
    reset_at: float | None = None
    """With "limit": when the account may be used again, if the agent said so."""
    denials: tuple[str, ...] = ()
    """What it tried and was not allowed to do, the first of them."""
    report: str = ""
    """Its last words in full, where the summary is only a part of them. No journal holds them."""

    @property
    def unpriced(self) -> bool:
        """It has cost something that nobody told. One that was not served at all has not."""
        served = self.status not in NOT_SERVED or self.turns or self.usage != Usage()
        return self.usage.cost_usd is None and bool(served)


def name_of(purpose: Purpose, task: str) -> str:
    """Whose runs count on: the task's own, or a role's, for one task or for the whole plan."""
    if purpose == "work":
        return task
    return f"{task}-{ROLE_OF[purpose]}" if task else ROLE_OF[purpose]


def run_id(name: str, number: int) -> str:
    return f"{name}-{number}"


@dataclass(slots=True, eq=False)
class Run:
    id: str
    """Its name and a running number."""
    number: int
    purpose: Purpose
    role: str
    task: str
    """Empty: it is about the whole plan."""
    attempt: int
    """Of its task; 0: about none."""
    agent: str
    model: str
    effort: str
    wanted_at: float
    escalation: str = ""
    about: str = ""
    problem: str = ""
    """What was wrong with the answer before, for it to know."""
    tries: int = 0
    commit: str = ""
    """What its borrowed copy holds; empty: it has its attempt's own copy."""
    began: int = 0
    """How many events the session had by then."""
    started_at: float | None = None
    """None: it waits for that."""
    ended_at: float | None = None
    seconds: float = 0.0
    """That it was at work."""
    end: RunEnd | None = None
    """None: it runs, or nobody knows how it ended."""
    answer: Answer | None = None

    @property
    def name(self) -> str:
        return name_of(self.purpose, self.task)

    @property
    def status(self) -> AgentStatus | None:
        return self.end.status if self.end else None

    @property
    def summary(self) -> str:
        return self.end.summary if self.end else ""

    @property
    def usage(self) -> Usage:
        return self.end.usage if self.end else Usage()

    @property
    def tool_calls(self) -> int | None:
        return self.end.tool_calls if self.end else None

    @property
    def turns(self) -> int:
        return self.end.turns if self.end else 0

    @property
    def conversation(self) -> str:
        return self.end.conversation if self.end else ""

    @property
    def denials(self) -> tuple[str, ...]:
        return self.end.denials if self.end else ()

    @property
    def unpriced(self) -> bool:
        return self.end is not None and self.end.unpriced
