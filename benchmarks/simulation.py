"""How many simulated sessions one core plays in a minute: ten tasks each, faults included.

`python -m benchmarks.simulation [--runs N]`
"""

import argparse
import time
from collections.abc import Callable

from benchmarks.support import Goal, told
from tests.simulation.core import simulate_core
from tests.simulation.simulation import simulate

CORE = Goal(2.0, " ms")
"""30,000 runs a minute."""
ENGINE = Goal(4.0, " ms")
"""15,000 runs a minute."""


def measure(what: str, play: Callable[[int], object], runs: int, goal: Goal) -> None:
    play(0)
    started = time.process_time()
    for seed in range(1, runs + 1):
        play(seed)
    each = (time.process_time() - started) / runs
    told(what, each * 1e3, goal, f"{60 / each:,.0f} runs a minute of one core")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    options = parser.parse_args()
    measure("a run of the core alone", simulate_core, options.runs, CORE)
    measure("a run of the real leader", simulate, options.runs, ENGINE)


if __name__ == "__main__":
    main()
