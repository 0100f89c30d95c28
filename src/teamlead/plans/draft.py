"""A plan as read, before it is judged: everything still carries its line."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from teamlead.errors import with_aside
from teamlead.plans.labels import Field

Severity = Literal["error", "warning"]


class Problem(NamedTuple):
    line: int
    severity: Severity
    message: str
    remedy: str

    def show(self, source: str) -> str:
        head = f"{source}:{self.line}: {self.severity}: {self.message}"
        # An example of several lines stands below the message; a hint stands behind it.
        return f"{head}\n{self.remedy}" if "\n" in self.remedy else with_aside(head, self.remedy)


class Value(NamedTuple):
    """What a label was given: text behind the colon or a nested bullet, or a block of code."""

    text: str
    line: int
    code: bool = False


@dataclass(slots=True)
class Labelled:
    """One label of one task with all its values."""

    line: int
    values: list[Value] = field(default_factory=list)


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
