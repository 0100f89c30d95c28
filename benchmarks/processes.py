"""Starting a program under supervision, against plain asyncio doing the same; what the wardens weigh.

`python -m benchmarks.processes [--rounds N]`
"""

import argparse
import asyncio
import os
import time
from pathlib import Path
from statistics import median

from benchmarks.support import Goal, ratio, told

from teamlead.system.output import Lines
from teamlead.system.processes import spawn
from teamlead.system.wards import supported

PROGRAMS = {
    "/bin/true": (["/bin/true"], Goal(2.5), 1),
    "an agent that takes 1 s": (["/bin/sleep", "1"], Goal(1.05), 20),
}
"""What is run, its goal, and how much fewer rounds it gets."""
NURSERY = Goal(16, " MB")
WARDEN = Goal(2, " MB")


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
    asyncio.run(measure(parser.parse_args().rounds))
    if supported():
        asyncio.run(weigh(16))


if __name__ == "__main__":
    main()
