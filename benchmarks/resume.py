"""How long a leader that was killed half-way takes to go on, against running the whole session.

`python -m benchmarks.resume [--size N] [--rounds N]`
"""

import argparse
from pathlib import Path
from statistics import median

from benchmarks.sessions import SHAPES, graph, new_session, run_session, session_of
from benchmarks.support import Goal, ratio, scratch, told

SHARE = {"chain": Goal(10, " %"), "fan": Goal(10, " %"), "layers": Goal(15, " %")}
SOON = Goal(100, " ms")


def measure(folder: Path, shape: str, size: int, rounds: int) -> None:
    spec = session_of(graph(shape, size))
    cold, until_first = [], []
    for number in range(rounds):
        cold.append(run_session(new_session(folder / f"{shape}-{number}", spec), durable=False).seconds)
        session = new_session(folder / f"{shape}-{number}-half", spec)
        before = run_session(session, durable=False, agents_until_killed=size // 2)
        assert before.end == "interrupted"
        done = {name for name, task in before.state.tasks.items() if task.state == "DONE"}
        after = run_session(session, durable=False)
        assert after.end == "finished"
        again = done.intersection(after.agents)
        assert not again, f"run again: {sorted(again)}"
        until_first.append(after.until_first)
    detail = f"{median(cold) * 1e3:.0f} ms the whole run; {len(done):,} tasks done before, none run again"
    share = ratio(until_first, cold) * 100
    told(f"{shape} of {size:,}: share of the run", share, SHARE[shape], detail)
    told(f"{shape} of {size:,}: until the first agent", median(until_first) * 1e3, SOON)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with scratch() as folder:
        for shape in SHAPES:
            measure(folder, shape, options.size, options.rounds)


if __name__ == "__main__":
    main()
