"""What the engine is compared with: the least that a journaled run can be.

Plain asyncio, a semaphore, dependencies as counters, and one row a task, each in a transaction of its own.
"""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import apsw
from benchmarks.sessions import JOBS


def run_bare(path: Path, dependencies: Sequence[Sequence[int]], *, durable: bool, vfs: str = "") -> float:
    """Seconds it takes."""
    connection = apsw.Connection(str(path), vfs=vfs or None)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full" if durable else "normal")
    connection.execute("create table events(seq integer primary key, at real, kind text, body blob) strict")
    begun = time.perf_counter()
    asyncio.run(_bare(connection, dependencies))
    seconds = time.perf_counter() - begun
    connection.close()
    return seconds


async def _bare(connection: apsw.Connection, dependencies: Sequence[Sequence[int]]) -> None:
    places = asyncio.Semaphore(JOBS)
    unmet = [len(needed) for needed in dependencies]
    dependents: list[list[int]] = [[] for _ in dependencies]
    for number, needed in enumerate(dependencies):
        for dependency in needed:
            dependents[dependency].append(number)
    left = len(dependencies)
    over = asyncio.Event()
    running: set[asyncio.Task[None]] = set()

    def launch(number: int) -> None:
        task = asyncio.get_running_loop().create_task(work(number))
        running.add(task)
        task.add_done_callback(running.discard)

    async def work(number: int) -> None:
        nonlocal left
        async with places:
            await asyncio.sleep(0)
            body = f'{{"event":"TaskDone","task":"task-{number + 1}"}}'.encode()
            connection.execute(
                "insert into events(at, kind, body) values (?, ?, ?)", (time.time(), "TaskDone", body)
            )
        for dependent in dependents[number]:
            unmet[dependent] -= 1
            if not unmet[dependent]:
                launch(dependent)
        left -= 1
        if not left:
            over.set()

    for number, count in enumerate(unmet):
        if not count:
            launch(number)
    await over.wait()
