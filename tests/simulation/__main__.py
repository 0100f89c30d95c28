"""Plays one seed again: `python -m tests.simulation SEED [-v] [--core]`."""

import argparse

from tests.core.oracle import LawBroken
from tests.simulation.core import simulate_core
from tests.simulation.simulation import simulate


def _play_core(seed: int, *, verbose: bool) -> None:
    world = simulate_core(seed)
    for at, event in world.log if verbose else ():
        print(f"{at:.3f} {event}")
    print(f"seed {seed}: {world.state.phase}, {len(world.log)} events")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("-v", "--verbose", action="store_true", help="print everything that happens")
    parser.add_argument("--core", action="store_true", help="a run of the core alone")
    options = parser.parse_args()
    try:
        if options.core:
            _play_core(options.seed, verbose=options.verbose)
            return
        ended = simulate(options.seed, trace=print if options.verbose else None)
    except LawBroken as error:
        raise SystemExit(str(error)) from None
    print(f"seed {options.seed}: {ended.end}, {ended.phase}, {ended.steps} steps, {ended.events} events")


if __name__ == "__main__":
    main()
