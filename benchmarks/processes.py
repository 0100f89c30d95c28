"""Starting a program under supervision, against plain asyncio doing the same.

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

PROGRAMS = {
    "/bin/true": (["/bin/true"], Goal(2.5), 1),
    "an agent that takes 1 s": (["/bin/sleep", "1"], Goal(1.05), 20),
}
"""What is run, its goal, and how much fewer rounds it gets."""


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    asyncio.run(measure(parser.parse_args().rounds))


if __name__ == "__main__":
    main()
