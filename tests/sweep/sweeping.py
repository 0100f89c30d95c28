"""Recording the points that a life reaches, and living it again with faults at them."""

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from tests.sweep.laws import Result, broken_laws, result
from tests.sweep.world import World, new_world

from teamlead.core.events import AttemptEnded, AttemptOutcome


class Life(NamedTuple):
    """One that was not disturbed."""

    template: Path
    given: dict[str, Any]
    result: Result
    outcomes: Counter[AttemptOutcome]
    """Of its attempts."""
    points: list[list[str]]
    """Of each act, in the order they were reached: NAME#K."""
    runs: list[str]
    """Who was started, in that order: tasks, and those whom the lead consulted."""


class Verdict(NamedTuple):
    struck: int
    """How many commands were killed."""
    problems: list[str]


def undisturbed(template: Path, **given: Any) -> Life:
    with new_world(template, **given) as world:
        files = [world.place / f"points-{act}" for act in range(4)]
        world.live({act: f"record {file}" for act, file in enumerate(files)})
        assert broken_laws(world) == [], world.story()
        points = [_numbered(file.read_text().splitlines()) for file in files if file.exists()]
        outcomes = Counter(event.outcome for event in world.events() if isinstance(event, AttemptEnded))
        runs = [line.split()[0] for line in world.marked("runs")]
        return Life(template, given, result(world), outcomes, points, runs)


def disturbed(life: Life, faults: Mapping[int, str], *, same_end: bool = True, **given: Any) -> Verdict:
    """Lives it again with these faults, by the number of the act; the end has to be the same."""
    with new_world(life.template, **{**life.given, **given}) as world:
        try:
            world.live(faults)
            problems = [*broken_laws(world), *(_differences(world, life.result) if same_end else [])]
        except AssertionError as error:
            problems = [str(error)]
        if problems:
            problems.append(world.story())
        return Verdict(world.struck, problems)


def killed(life: Life, act: int, point: str) -> Verdict:
    """Lives it again with a kill at this point.

    Two lives differ a little in how often they come to a point: where this one is not met, one that comes
    earlier in the same place is, and where none is, the last commit before it, which every life has.
    """
    name, _, number = point.partition("#")
    times = int(number)
    verdict = disturbed(life, {act: f"kill {point}"})
    while not verdict.struck and times > 1 and not verdict.problems:
        times //= 2
        verdict = disturbed(life, {act: f"kill {name}#{times}"})
    if not verdict.struck and not verdict.problems:
        earlier = takewhile(point.__ne__, life.points[act])
        commits = sum(reached.startswith("journal commit: before#") for reached in earlier)
        verdict = disturbed(life, {act: f"kill journal commit: before#{max(commits, 1)}"})
    return verdict


def share_of(points: Iterable[str], share: int, shares: int) -> list[str]:
    """By name: it does not matter then that two recordings differ a little in their length."""
    return [point for point in points if zlib.crc32(point.encode()) % shares == share]


def distinct(points: list[str]) -> list[str]:
    """Without those that come right after another one's end: nothing has happened in between.

    Agents are at work before a result is written, so that one stays.
    """
    before = ["", *points]
    return [
        point
        for earlier, point in zip(before, points, strict=False)
        if not (": after#" in earlier and ": before#" in point) or point.startswith("file result.json")
    ]


def spread(points: list[str], most: int) -> list[str]:
    """Of each kind of point the first, the last and some in between: `most` of them."""
    kinds: dict[str, list[str]] = {}
    for point in points:
        kinds.setdefault(point.partition("#")[0], []).append(point)
    return [
        kind[at * (len(kind) - 1) // (most - 1)] if len(kind) > most else kind[at]
        for kind in kinds.values()
        for at in range(min(most, len(kind)))
    ]


def _numbered(names: list[str]) -> list[str]:
    counts: Counter[str] = Counter()
    numbered = []
    for name in names:
        counts[name] += 1
        numbered.append(f"{name}#{counts[name]}")
    return numbered


def _differences(world: World, wanted: Result) -> list[str]:
    found = result(world)
    return [
        f"{name} is {got!r}, undisturbed {want!r}"
        for name, got, want in zip(Result._fields, found, wanted, strict=True)
        if got != want
    ]
