"""How the benchmarks measure, compare and print."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple


@contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="teamlead-benchmark-") as folder:
        yield Path(folder)


class Goal(NamedTuple):
    most: float
    unit: str = "x"


def told(what: str, value: float, goal: Goal | None = None, detail: str = "") -> bool:
    """Prints one figure; returns whether it meets its goal."""
    met = goal is None or value <= goal.most
    number = f"{value:8.2f}{goal.unit if goal else 'x':3}"
    verdict = "" if goal is None else f"  {'PASS' if met else 'SHORT'} (goal {goal.most:g}{goal.unit})"
    print(f"{what:44}{number}{verdict:24}{detail}", flush=True)
    return met


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Of rounds taken in turns: the median of the ratios, so that a slow moment hits both sides."""
    return median(a / b for a, b in zip(ours, theirs, strict=True))


def in_turns(rounds: int, *measures: Callable[[int], float]) -> list[list[float]]:
    """One list of values for each measure. They take turns, so that they share a busy machine's moods."""
    values: list[list[float]] = [[] for _ in measures]
    for number in range(rounds):
        for measure, found in zip(measures, values, strict=True):
            found.append(measure(number))
    return values
