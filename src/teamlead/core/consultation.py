"""One question to a model that is not at work on a task: what for, in which role, and what came of it."""

from dataclasses import dataclass
from typing import Literal

from teamlead.core.answers import Answer
from teamlead.core.facts import AgentStatus
from teamlead.core.model import Usage

Purpose = Literal["judge", "replan", "review", "complete", "validate", "advise"]
"""judge: an attempt's work. replan: a task that failed. review: a plan whose tasks fail. complete: whether
the merged work fulfils the instruction. validate, advise: what to do about a difficulty."""

Consultant = Literal["judge", "planner", "validator", "advisor"]

ROLE_OF: dict[Purpose, Consultant] = {
    "judge": "judge",
    "replan": "planner",
    "review": "planner",
    "complete": "planner",
    "validate": "validator",
    "advise": "advisor",
}


def name_of(purpose: Purpose, task: str) -> str:
    """Whose answers count on: the role, for one task or for the whole plan."""
    return f"{task}-{ROLE_OF[purpose]}" if task else ROLE_OF[purpose]


@dataclass(slots=True, eq=False)
class Consultation:
    id: str
    """Its name and a running number."""
    number: int
    purpose: Purpose
    task: str
    """Empty: about the whole plan."""
    attempt: int
    escalation: str
    about: str
    problem: str
    tries: int
    wanted_at: float
    agent: str = ""
    model: str = ""
    effort: str = ""
    commit: str = ""
    started_at: float | None = None
    began: int = 0
    """How many events the session had by then."""
    ended_at: float | None = None
    status: AgentStatus | None = None
    answer: Answer | None = None
    usage: Usage = Usage()
    turns: int = 0
    unpriced: bool = False
    """It has cost something that nobody told."""

    @property
    def agent_seconds(self) -> float:
        return (self.ended_at or 0.0) - (self.started_at or 0.0) if self.ended_at else 0.0

    @property
    def name(self) -> str:
        return name_of(self.purpose, self.task)

    @property
    def role(self) -> Consultant:
        return ROLE_OF[self.purpose]
