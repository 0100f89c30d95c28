"""A team as its preset describes it. All frozen."""

from typing import Literal

from teamlead.core.model import TaskForm, Tool, Value
from teamlead.core.transitions import StagePhase


class Member(Value, frozen=True):
    name: str
    role: str
    agent: str = ""
    """The program; empty: whichever the settings or the session say."""
    function: str = ""
    """Of the engine, in the place of an agent."""
    line: int = 0


class Part(Value, frozen=True):
    """What one member does in one stage."""

    member: str
    instructions: str = ""
    form: TaskForm | Literal[""] = ""
    """Empty: its role's."""
    writes: tuple[str, ...] | None = None
    """Path patterns it may change; None: the preset does not say."""
    outputs: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    model: str = ""
    tools: tuple[Tool, ...] | None = None
    """Of those that its role has; None: all of them."""
    after: tuple[str, ...] = ()
    """Members of the same stage that have to be done before."""
    approved_by_user: bool = False


class Reopening(Value, frozen=True):
    """When a critical finding stands, the stages to do again."""

    stages: tuple[str, ...]
    times: int


class Stage(Value, frozen=True):
    name: str
    phase: StagePhase
    parts: tuple[Part, ...]
    parallel: bool = False
    """Its members work at the same time, not one after the other."""
    after: tuple[str, ...] = ()
    reopens: Reopening | None = None
    line: int = 0


class FindingCard(Value, frozen=True):
    """A file of findings, and what stands in it."""

    name: str
    sections: tuple[str, ...]


class Preset(Value, frozen=True):
    name: str
    description: str
    keywords: tuple[str, ...]
    members: tuple[Member, ...]
    stages: tuple[Stage, ...]
    """In the order in which they are carried out; without those that only the lead or the user has."""
    cards: tuple[FindingCard, ...] = ()
    text: str = ""
    """As it is written."""
    source: str = ""
