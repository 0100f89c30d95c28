"""Starting a program under supervision, against plain asyncio doing the same; what the wardens weigh.

And how soon a nasty tree is gone, all of it, after a cancel and after the leader was killed.

`python -m benchmarks.processes [--rounds N]`
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.support import Goal, ratio, told

from teamlead.system.processes import Process, spawn
from teamlead.system.program_streams import Lines
from teamlead.system.warden_client import supported
from teamlead.system.wardens import marks

PROGRAMS = {
    "/bin/true": (["/bin/true"], Goal(2.5), 1),
    "an agent that takes 1 s": (["/bin/sleep", "1"], Goal(1.05), 20),
}
"""What is run, its goal, and how much fewer rounds it gets."""
NURSERY = Goal(16, " MB")
WARDEN = Goal(2, " MB")
GONE = Goal(1, " s")
TREE = """
(setsid sleep 60 &); setsid sh -c 'sleep 60 & sleep 60' & trap '' TERM INT
for i in 1 2 3 4 5 6 7 8; do sh -c '(setsid sleep 60 &) ; sleep 60' & done; echo; wait
"""
"""Twenty-one processes: other sessions, forked twice, deaf to signals."""
LEADER = """
import asyncio, os, sys
from benchmarks.processes import start_tree
asyncio.run(start_tree(lambda: print(".", flush=True)))
"""


async def supervised(argv: list[str]) -> float:
    begun = time.perf_counter()
    process = await spawn(argv, cwd=Path("/"), env=os.environ, stdout=Lines(lambda _: None))
    end = await process.wait()
    assert end.exit_code == 0
    return time.perf_counter() - begun


async def plain(argv: list[str]) -> float:
    begun = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *argv,
        cwd="/",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    await process.communicate()
    assert process.returncode == 0
    return time.perf_counter() - begun


async def measure(rounds: int) -> None:
    for what, (argv, goal, fewer) in PROGRAMS.items():
        ours, theirs = [], []
        for _ in range(max(1, rounds // fewer)):
            theirs.append(await plain(argv))
            ours.append(await supervised(argv))
        detail = f"{median(ours) * 1e3:.2f} ms against {median(theirs) * 1e3:.2f} ms of plain asyncio"
        told(what, ratio(ours, theirs), goal, detail)


async def start_tree(ready: Callable[[], None]) -> Process:
    """Calls back when the tree is there; returns when it has ended."""
    mark = os.environ.get("BENCHMARK", "")
    process = await spawn(
        ["/bin/sh", "-c", TREE],
        cwd=Path("/"),
        env=os.environ,
        stdout=Lines(lambda _: ready()),
        mark=mark,
    )
    if mark:
        await process.wait()
    return process


async def cancelled() -> float:
    ready = asyncio.Event()
    process = await start_tree(ready.set)
    await ready.wait()
    begun = time.perf_counter()
    await process.cancel(0)
    return time.perf_counter() - begun


def leader_killed() -> float:
    mark = marks.new()
    argv = [sys.executable, "-c", LEADER]
    env = {**os.environ, "BENCHMARK": mark}
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE) as leader:
        assert leader.stdout
        leader.stdout.read(1)
        begun = time.perf_counter()
        leader.kill()
        while marks.send(mark, 0):
            pass
        return time.perf_counter() - begun


def tell_ends(what: str, times: list[float]) -> None:
    told(f"nothing is alive after {what}", max(times), GONE, f"at most; median {median(times):.3f} s")


def memory(pid: int, kinds: tuple[str, ...]) -> float:
    """In megabytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()[1:]
    return sum(int(line.split()[1]) for line in lines if line.startswith(kinds)) / 1024


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[1])


async def weigh(count: int) -> None:
    argv = ["/bin/sleep", "60"]
    running = [
        await spawn(argv, cwd=Path("/"), env=os.environ, stdout=Lines(lambda _: None)) for _ in range(count)
    ]
    wardens = [parent(process.pid) for process in running]
    nursery = parent(wardens[0])
    told("memory of the nursery", memory(nursery, ("Rss:",)), NURSERY, "resident, once")
    own = [memory(pid, ("Private_Dirty:", "Private_Clean:")) for pid in wardens]
    told("memory of a warden", median(own), WARDEN, f"of its own, median of {count}")
    for process in running:
        await process.cancel(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    asyncio.run(measure(rounds))
    if supported():
        asyncio.run(weigh(16))
        tell_ends("a cancel", [asyncio.run(cancelled()) for _ in range(max(1, rounds // 5))])
        tell_ends("the leader was killed", [leader_killed() for _ in range(max(1, rounds // 5))])


if __name__ == "__main__":
    main()
