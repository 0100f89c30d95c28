"""Opinions that contradict each other: they are never merged, and a person has to decide."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from teamlead.core.model import Value
from teamlead.core.reports import Severity
from teamlead.forms.aggregation.opinions import Opinion
from teamlead.forms.aggregation.spots import Spot
from teamlead.forms.aggregation.weights import normalised

GRAVITY: dict[Severity | None, int] = {"critical": 3, "important": 2, "minor": 1, None: 0}


class Key(NamedTuple):
    """What makes two opinions speak of one issue: place and category; their words where one is missing."""

    place: Spot
    category: str
    words: str = ""


class Contradiction(Value, frozen=True):
    place: Spot
    reason: str
    opinions: tuple[Opinion, ...]


class Conflicts(NamedTuple):
    found: tuple[Contradiction, ...]
    apart: frozenset[Key]
    """Whose severities are too far apart to be merged."""
    contested: frozenset[Key]


def key_of(opinion: Opinion) -> Key:
    category = normalised(opinion.category)
    if category and opinion.place.line:
        return Key(opinion.place, category)
    return Key(opinion.place, category, normalised(opinion.text))


def conflicts_among(said: Sequence[Opinion], groups: Mapping[Key, Sequence[Opinion]]) -> Conflicts:
    """`groups`: what was said of each issue."""
    apart = [key for key, group in groups.items() if _far_apart(group)]
    found = [
        *(Contradiction(key.place, "severities far apart", tuple(groups[key])) for key in apart),
        *_opposites(said),
    ]
    contested = {key_of(opinion) for contradiction in found for opinion in contradiction.opinions}
    return Conflicts(tuple(sorted(found, key=_by_place)), frozenset(apart), frozenset(contested))


def _far_apart(group: Sequence[Opinion]) -> bool:
    grades = [GRAVITY[opinion.severity] for opinion in group if not opinion.clear]
    return bool(grades) and max(grades) - min(grades) >= GRAVITY["critical"] - GRAVITY["minor"]


def _opposites(said: Sequence[Opinion]) -> Iterator[Contradiction]:
    places: dict[Spot, list[Opinion]] = defaultdict(list)
    for opinion in said:
        if opinion.place.line:
            places[opinion.place].append(opinion)
    for place, at_place in places.items():
        grave = [o for o in at_place if GRAVITY[o.severity] >= GRAVITY["important"]]
        clear = [o for o in at_place if o.clear]
        opposed = (*_meeting(grave, clear), *_meeting(clear, grave))
        if len({(opinion.agent, opinion.source) for opinion in opposed}) > 1:
            yield Contradiction(place, "reported by one, cleared by another", opposed)


def _meeting(these: Sequence[Opinion], those: Sequence[Opinion]) -> Iterator[Opinion]:
    """Which of these speak of what those speak of. An opinion without a category speaks of everything."""
    categories = {normalised(opinion.category) for opinion in those}
    for opinion in these:
        category = normalised(opinion.category)
        if categories and (not category or not categories.isdisjoint({category, ""})):
            yield opinion


def _by_place(found: Contradiction) -> tuple[Spot, str, str]:
    return found.place, found.reason, normalised(found.opinions[0].category)
