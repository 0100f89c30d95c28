"""What the leader costs for a task whose agent does nothing, against a bare SQLite journal.

`python -m benchmarks.engine [--size N] [--rounds N] [--large]`
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.bare import run_bare
from benchmarks.counting import Counting
from benchmarks.sessions import SHAPES, graph, new_session, run_session, session_of
from benchmarks.support import Goal, in_turns, ratio, scratch, told

from teamlead.core.model import TaskType

SMALL = 500
EFFECTS = {"implementation": 5, "investigation": 4}
"""prepare, run, collect, integrate, release; an investigation is not integrated."""


class Case(NamedTuple):
    folder: Path
    shape: str
    size: int
    durable: bool = False
    kind: TaskType = "implementation"

    def bare(self, number: int) -> float:
        path = self._place("bare", number).with_suffix(".db")
        return run_bare(path, graph(self.shape, self.size), durable=self.durable)

    def ours(self, number: int) -> float:
        session = new_session(
            self._place("ours", number), session_of(graph(self.shape, self.size), self.kind)
        )
        ran = run_session(session, durable=self.durable)
        assert ran.end == "finished", ran.end
        assert len(ran.agents) == self.size
        return ran.seconds

    def _place(self, who: str, number: int) -> Path:
        return self.folder / f"{who}-{self.kind}-{self.shape}-{self.size}-{self.durable}-{number}"


def compare(case: Case, rounds: int, goal: Goal | None) -> float:
    """Prints the ratio; returns the seconds a task takes."""
    bare, ours = in_turns(rounds, case.bare, case.ours)
    value = ratio(ours, bare)
    each = median(ours) / case.size
    theirs = median(bare) / case.size
    detail = (
        f"{each * 1e6:4.0f} µs against {theirs * 1e6:.0f} µs; {value / EFFECTS[case.kind]:.1f}x an effect"
    )
    told(f"{case.shape} of {case.size:,}, {case.kind}", value, goal, detail)
    return each


def normal(folder: Path, sizes: Sequence[int], rounds: int) -> None:
    print("\nsynchronous=NORMAL on both sides (CPU, mostly)")
    for shape in SHAPES:
        costs = []
        for size in sizes:
            fewer = max(1, min(rounds, rounds * 5 * SMALL // size))
            costs.append(compare(Case(folder, shape, size), fewer, Goal(3)))
        for size, cost in zip(sizes[1:], costs[1:], strict=True):
            told(f"{shape}: a task of {size:,} against one of {sizes[0]:,}", cost / costs[0], Goal(1.3))
        compare(Case(folder, shape, sizes[0], kind="investigation"), rounds, Goal(3))


def full(folder: Path, size: int, rounds: int) -> None:
    print("\nsynchronous=FULL on both sides (the disk, mostly)")
    for shape in SHAPES:
        compare(Case(folder, shape, size, durable=True), rounds, Goal(1.5) if shape == "chain" else None)


def syncs(folder: Path, size: int) -> None:
    print("\nwaits for the disk, synchronous=FULL")
    counter = Counting("counting")
    for shape in SHAPES:
        dependencies = graph(shape, size)
        counter.syncs = 0
        run_bare(folder / f"counted-{shape}.db", dependencies, durable=True, vfs="counting")
        bare = counter.syncs
        session = new_session(folder / f"counted-{shape}", session_of(dependencies))
        counter.syncs = 0
        run_session(session, durable=True, vfs="counting")
        goal = Goal(1.2, " a task")
        told(f"{shape} of {size:,}", counter.syncs / size, goal, f"bare: {bare / size:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10 * SMALL, help="tasks of the larger sessions")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--large", action="store_true", help="sessions of 50,000 tasks; takes minutes")
    options = parser.parse_args()
    small = min(SMALL, options.size)
    sizes = [small, *([options.size] if options.size > small else []), *([50_000] if options.large else [])]
    with scratch() as folder:
        normal(folder, sizes, options.rounds)
        full(folder, small, options.rounds)
        syncs(folder, small)


if __name__ == "__main__":
    main()
