"""A preset as read, before it is judged: everything still carries its line."""

from dataclasses import dataclass, field

from teamlead.markup.problems import Problem, Severity
from teamlead.markup.values import Labelled
from teamlead.teams.cards import Card
from teamlead.teams.labels import Field, Policy


@dataclass(slots=True)
class DraftMember:
    card: Card
    line: int
    labels: dict[tuple[Field, str], Labelled] = field(default_factory=dict)
    """By label and the stage that it is limited to, as written; empty: to none."""
    notes: list[str] = field(default_factory=list)
    """Text that belongs to no label: its instructions go on with it."""


@dataclass(slots=True)
class DraftStage:
    name: str
    phase: str
    """In brackets behind the name; empty: the name says it."""
    line: int
    members: str
    """Who is named, as written."""
    after: list[str] | None
    """The stages it depends on; None: it does not say, and follows the one before it."""
    parallel: bool
    policies: dict[Policy, Labelled] = field(default_factory=dict)


@dataclass(slots=True)
class DraftCard:
    name: str
    line: int
    sections: list[str]


@dataclass(slots=True)
class Draft:
    members: list[DraftMember] = field(default_factory=list)
    stages: list[DraftStage] = field(default_factory=list)
    cards: list[DraftCard] = field(default_factory=list)
    sections: dict[str, int] = field(default_factory=dict)
    """The lines of those that are there."""
    problems: list[Problem] = field(default_factory=list)

    def say(self, line: int, message: str, remedy: str, severity: Severity = "error") -> None:
        self.problems.append(Problem(line, severity, message, remedy))
