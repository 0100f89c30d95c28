"""Plays one seed again: `python -m tests.simulation SEED [-v]`. -v prints everything that happens."""

import argparse

from tests.core.oracle import LawBroken
from tests.simulation.simulation import simulate


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("-v", "--verbose", action="store_true", help="print everything that happens")
    options = parser.parse_args()
    try:
        ended = simulate(options.seed, trace=print if options.verbose else None)
    except LawBroken as error:
        raise SystemExit(str(error)) from None
    print(f"seed {options.seed}: {ended.end}, {ended.phase}, {ended.steps} steps, {ended.events} events")


if __name__ == "__main__":
    main()
