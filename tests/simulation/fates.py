"""What goes wrong in one run. Each draws its own mixture, so that faults that seldom meet do meet."""

from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

FateKind = Literal[
    "killed",
    "power cut",
    "taken over",
    "journal full",
    "journal full late",
    "short of room",
    "disk full",
    "stopped",
    "hurried",
]

KINDS: tuple[FateKind, ...] = (
    "killed",
    "killed",
    "killed",
    "power cut",
    "power cut",
    "taken over",
    "journal full",
    "journal full late",
    "short of room",
    "disk full",
    "stopped",
    "stopped",
    "hurried",
)
METHODS = (
    "commit",
    "prepare",
    "prepare",
    "start",
    "start",
    "collect",
    "integrate",
    "integrate",
    "release",
    "apply",
    "drop",
)
DAY = 86400.0
JUMPS = (-900.0, -60.0, -1.0, 1.0, 100.0, 3600.0, 3 * DAY)


class Fate(NamedTuple):
    """What ends a leader: at one of its steps, or at a moment if `step` is 0."""

    kind: FateKind
    step: int
    moment: float
    during: str
    """Only steps of this kind count; all if it is empty."""


@dataclass(frozen=True, slots=True)
class Weather:
    fates: tuple[Fate, ...]
    """Of the first leaders. The ones after them are left in peace."""
    jumps: tuple[tuple[float, float], ...]
    """Moments at which the wall clock jumps, and how far: what a suspended machine sees, too."""
    luck: float
    """The share of agents that do what they should."""
    trouble: float
    """The share of git calls that fail, before or after they did their work."""
    slow: float
    """The share of calls that take their time."""
    echoes: float
    """The share of facts that are told again later."""
    busy_people: bool
    """They ask for much, and at once; otherwise it may take them days."""
    chatty: float
    """The share of agents that say something while they work."""
    outages: float
    """The share of agents that are not served."""
    survivors: bool
    """Agents outlive a killed leader until they are recalled: there is no warden."""


def draw_weather(random: Random) -> Weather:
    deaths = random.choice((0, 1, 2, 2, 3, 5))
    jumps = random.choice((0, 1, 3, 6))
    soon = random.choice((60, 300, 2000))
    return Weather(
        fates=tuple(_fate(random) for _ in range(deaths)),
        jumps=tuple((random.random() * soon, random.choice(JUMPS)) for _ in range(jumps)),
        luck=random.choice((0.4, 0.7, 0.9, 1.0)),
        trouble=random.choice((0.0, 0.0, 0.03, 0.1, 0.25)),
        slow=random.choice((0.0, 0.1, 0.4)),
        echoes=random.choice((0.0, 0.0, 0.1)),
        busy_people=random.random() < 0.4,
        chatty=random.choice((0.0, 0.0, 0.3, 0.8)),
        outages=random.choice((0.0, 0.0, 0.05, 0.3)),
        survivors=random.random() < 0.7,
    )


class Breakdown(NamedTuple):
    """Something that all tasks need fails in the same way, for so many steps of the run."""

    what: str
    """agents, copies, judge or planner; empty: nothing does."""
    steps: int


def draw_breakdown(random: Random) -> Breakdown:
    what = random.choice(("", "", "", "", "agents", "copies", "judge", "planner"))
    return Breakdown(what, random.choice((40, 150, 600)))


def _fate(random: Random) -> Fate:
    during, longest = random.choice(((random.choice(METHODS), 8), ("", 10), ("", 60), ("", 240)))
    step = 0 if random.random() < 0.2 else 1 + int(random.random() * longest)
    return Fate(random.choice(KINDS), step, random.random() * 1500, during)
