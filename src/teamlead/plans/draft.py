"""A plan as read, before it is judged: everything still carries its line."""

from dataclasses import dataclass, field

from teamlead.markup.problems import Problem
from teamlead.markup.values import Labelled
from teamlead.plans.labels import Field


@dataclass(slots=True)
class DraftTask:
    id: str
    title: str
    line: int
    ticked: bool = False
    labels: dict[Field, Labelled] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """Text below the task that belongs to no label, as written."""


@dataclass(slots=True)
class Draft:
    source: str
    title: str
    text: str
    tasks: list[DraftTask] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    common: str = ""
    """What it says outside of its tasks."""
    hidden_lines: dict[int, None] = field(default_factory=dict)
    """From 0: those of hidden checks."""
