"""Several agents' results as one: the same issue once, agreement counted, contradictions left to a person.

Nothing depends on the order of the results, and a result that comes twice counts once.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import Literal, NamedTuple

from teamlead.core.model import Value
from teamlead.core.reports import Result, ResultStatus, Severity
from teamlead.forms.opinions import Opinion, Spot, Weights, normalised, opinions

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


Status = Literal["SUCCESS", "PARTIAL", "FAILED"]
Next = Literal["proceed", "review", "handle-errors"]

NEXT: dict[Status, Next] = {"SUCCESS": "proceed", "PARTIAL": "review", "FAILED": "handle-errors"}
BONUS = 10
"""For an issue that several agents report."""
MOST = 100.0


class Report(NamedTuple):
    source: str
    """What it was read from."""
    result: Result


class CombinedIssue(Value, frozen=True, kw_only=True):
    """One issue, whoever reported it."""

    representative: Opinion
    """The one its agent is surest of."""
    severity: Severity
    """The gravest that anybody gave."""
    max: float
    combined: float
    """The weighted mean of its agents, with the bonus for their agreement."""
    agents: tuple[str, ...]
    opinions: tuple[Opinion, ...]
    contested: bool = False

    @property
    def rank(self) -> float:
        """The mean alone would lower a strong finding that a weak one agrees with."""
        return max(self.max, self.combined)


class Aggregate(Value, frozen=True):
    status: Status
    next: Next
    reports: tuple[Report, ...]
    entries: tuple[CombinedIssue, ...]
    """The surest first."""
    contradictions: tuple[Contradiction, ...]


def aggregate(reports: Iterable[Report], weights: Weights | None = None, *, missing: int = 0) -> Aggregate:
    """`missing`: results that were expected and cannot be used: without them nothing is a whole success."""
    told = tuple(sorted(dict.fromkeys(reports), key=_by_source))
    said = sorted({opinion for report in told for opinion in opinions(*report)}, key=_by_confidence)
    groups: dict[Key, list[Opinion]] = defaultdict(list)
    for opinion in said:
        if opinion.severity is not None:
            groups[key_of(opinion)].append(opinion)
    conflicts = conflicts_among(said, groups)
    entries = [
        _combined_issue(same, weights or Weights(), contested=key in conflicts.contested)
        for key, group in groups.items()
        for same in _parts(group, apart=key in conflicts.apart)
    ]
    status = _status([report.result.status for report in told], missing)
    return Aggregate(status, NEXT[status], told, tuple(sorted(entries, key=_by_rank)), conflicts.found)


def _status(each: Sequence[ResultStatus], missing: int) -> Status:
    if "FAILED" in each or not each:
        return "FAILED"
    return "PARTIAL" if missing or not {"PARTIAL", "IMPOSSIBLE"}.isdisjoint(each) else "SUCCESS"


def _parts(group: list[Opinion], *, apart: bool) -> Iterable[list[Opinion]]:
    """What may be merged. Opposite verdicts never are, nor severities that are too far apart."""
    parts: dict[tuple[bool, Severity | None], list[Opinion]] = defaultdict(list)
    for opinion in group:
        parts[opinion.clear, opinion.severity if apart else None].append(opinion)
    return parts.values()


def _combined_issue(same: list[Opinion], weights: Weights, *, contested: bool) -> CombinedIssue:
    """`same` has the surest first, so that the first of each agent is the one that counts."""
    first: dict[str, Opinion] = {}
    for opinion in same:
        first.setdefault(normalised(opinion.agent) or opinion.agent, opinion)
    best = same[0]
    return CombinedIssue(
        representative=best,
        severity=max((o.severity for o in same if o.severity is not None), key=GRAVITY.__getitem__),
        max=best.confidence,
        combined=_combined(list(first.values()), weights),
        agents=tuple(sorted(opinion.agent for opinion in first.values())),
        opinions=tuple(same),
        contested=contested,
    )


def _combined(each: list[Opinion], weights: Weights) -> float:
    if len(each) == 1:
        return each[0].confidence
    counts = [weights.of(opinion.agent, opinion.category) for opinion in each]
    if not any(counts):
        counts = [1.0] * len(each)
    mean = fsum(n * o.confidence for n, o in zip(counts, each, strict=True)) / fsum(counts)
    return min(MOST, mean + BONUS)


def _by_source(report: Report) -> tuple[str, str]:
    return report.source, repr(report.result)


def _by_confidence(opinion: Opinion) -> tuple[object, ...]:
    return (-opinion.confidence, -GRAVITY[opinion.severity], *_words(opinion))


def _by_rank(entry: CombinedIssue) -> tuple[object, ...]:
    return (-entry.rank, -GRAVITY[entry.severity], *_words(entry.representative))


def _words(opinion: Opinion) -> tuple[object, ...]:
    return (
        opinion.place,
        opinion.category,
        opinion.text,
        opinion.agent,
        opinion.source,
        opinion.evidence,
        opinion.suggestion,
    )
