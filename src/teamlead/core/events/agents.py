"""What kinds of agents may do: whether they work at all, and what may be spent on them."""

from teamlead.core.events.base import Event
from teamlead.core.model import Dimension


class AgentHeld(Event, frozen=True):
    """Nothing of this kind of agent starts; or nothing that needs what else is held so."""

    kind: str
    """An agent kind, the machine, or the thing of a `Cause`."""
    until: float | None
    """None: until a person says so."""
    reason: str
    strikes: int = 0
    """How many times in a row."""
    cause: str = ""
    """Of the question whose answer ends it, where several tasks met the same."""


class AgentReleased(Event, frozen=True):
    kind: str


class BudgetRaised(Event, frozen=True):
    """By its original amount."""

    scope: str
    """See `core.state.budget`."""
    of: tuple[Dimension, ...] = ()
    """What was short; empty: all that has a limit."""


class JudgeReplaced(Event, frozen=True):
    """A person wants another agent to judge what is still to be judged, or nobody."""

    agent: str
    """Empty: nobody judges any more."""


AgentEvent = AgentHeld | AgentReleased | BudgetRaised | JudgeReplaced
