"""Agents and models that are started."""

from teamlead.core.answers import Answer
from teamlead.core.events.base import Event
from teamlead.core.runs import Purpose, RunEnd


class RunWanted(Event, frozen=True):
    """A model is to be asked, as soon as its kind of agent may be used and a seat is free."""

    run: str
    purpose: Purpose
    task: str = ""
    attempt: int = 0
    escalation: str = ""
    """The record that its answer is to close."""
    about: str = ""
    """What it is asked."""
    problem: str = ""
    """What was wrong with its last answer."""
    tries: int = 0
    """How often it gave no answer, or none that could be read."""


class RunStarted(Event, frozen=True):
    """A model is asked. An attempt's own run starts with it."""

    run: str
    task: str
    agent: str
    commit: str
    """What it looks at."""
    model: str = ""
    effort: str = ""


class RunEnded(Event, frozen=True):
    """An agent or a model has ended."""

    run: str
    task: str
    end: RunEnd
    answer: Answer | None = None
    """Of a model that was asked."""
    problem: str = ""
    """What was wrong with its answer."""


RunEvent = RunWanted | RunStarted | RunEnded
