"""The stages of a session as they are now. Only `core.evolve` changes them."""

from dataclasses import dataclass, field

from teamlead.core.model import StageSpec
from teamlead.core.state.lanes import Lane
from teamlead.core.transitions import StageState


@dataclass(slots=True, eq=False)
class Stage:
    spec: StageSpec
    order: int
    state: StageState = "waiting"
    commit: str = ""
    """What it opened on: its tasks without dependencies start from there."""
    tasks: list[str] = field(default_factory=list)
    unsettled: int = 0
    to_merge: int = 0
    """Of these, those whose work is merged."""
    reopenings: int = 0
    """Tasks that were reopened and nobody had asked for it."""
    sent_back: int = 0
    """How often it had earlier stages mend what it found."""
    taken: tuple[str, ...] = ()
    """What is missing there, or was found, and a person goes on with."""
    closings: int = 0
    found: tuple[str, ...] = ()
    """What its members handed in until it closed last, a line each."""
    lanes: list[Lane] = field(default_factory=list)
    """Where its tasks wait to start."""
