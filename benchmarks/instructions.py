"""How many instructions the leader spends on a task whose agent does nothing, whatever else the machine does.

`python -m benchmarks.instructions [--size N] [--shape SHAPE]`. It needs valgrind, which counts them.

Each figure is the difference of two sessions, one twice as long as the other: starting Python is in neither.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

from benchmarks.sessions import SHAPES, Session, graph, new_session, run_session, session_of
from benchmarks.support import Goal, scratch, told

from teamlead.journal import writer

COUNTING = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
WHOLE = {"chain": Goal(2800, " k"), "fan": Goal(2100, " k"), "layers": Goal(2800, " k")}
RESUMED = Goal(200, " k")
"""Thousands a task."""
TICK = 20e-6
"""Seconds: about what passes, without valgrind, from one look at the time to the next."""


def whole(shape: str, size: int, folder: Path) -> int:
    return counted(new_session(folder / f"{shape}-{size}", session_of(graph(shape, size))), 0)


def resumed(shape: str, size: int, folder: Path) -> int:
    """From opening a half-done session's journal to its first agent."""
    session = new_session(folder / f"{shape}-{size}-half", session_of(graph(shape, size)))
    run_session(session, durable=False, agents_until_killed=size // 2)
    return counted(session, 1)


def counted(session: Session, agents: int) -> int:
    child = [
        sys.executable,
        "-m",
        "benchmarks.instructions",
        "--play",
        str(session.folder),
        "--agents",
        str(agents),
    ]
    done = subprocess.run(
        [*COUNTING, *child],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    assert found, done.stderr
    return int(found[1].replace(",", ""))


class Ticking(asyncio.SelectorEventLoop):
    """Its time passes with its turns: what is done now and then is done as often on every machine."""

    ticks = 0

    def time(self) -> float:
        self.ticks += 1
        return self.ticks * TICK


class Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self) -> Ticking:
        return Ticking()


def steady() -> None:
    """The same is done every time. Under valgrind every disk seems slow, and commits would go to a thread."""
    asyncio.set_event_loop_policy(Policy())
    writer.SLOW = float("inf")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300, help="tasks of the shorter sessions")
    parser.add_argument("--shape", choices=SHAPES)
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--agents", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    steady()
    if options.play:
        run_session(Session(options.play), durable=False, agents_until_killed=options.agents)
        return
    size = options.size
    with scratch() as folder:
        for shape in [options.shape] if options.shape else SHAPES:
            more = whole(shape, 2 * size, folder) - whole(shape, size, folder)
            told(f"{shape}: a task", more / size / 1e3, WHOLE[shape])
            more = resumed(shape, 4 * size, folder) - resumed(shape, 2 * size, folder)
            told(f"{shape}: a task of a session that goes on", more / (2 * size) / 1e3, RESUMED)


if __name__ == "__main__":
    main()
