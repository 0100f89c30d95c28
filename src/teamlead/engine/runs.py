"""A run of an agent in this process, as whoever wants it to end sees it."""

import asyncio
from dataclasses import dataclass, field

from teamlead.ports import RunHandle


@dataclass(slots=True)
class Run:
    handle: RunHandle | None = None
    stop_after: float | None = None
    """Seconds of grace, once somebody wants it to end."""
    reachable: asyncio.Event = field(default_factory=asyncio.Event)
    """It runs, or it never will."""
    over: asyncio.Event = field(default_factory=asyncio.Event)


async def end(run: Run, grace: float) -> None:
    run.stop_after = grace
    if run.handle is not None:
        await run.handle.cancel(grace)
    await run.over.wait()


async def end_all(runs: list[Run], grace: float) -> None:
    """All are tried."""
    for problem in await asyncio.gather(*(end(run, grace) for run in runs), return_exceptions=True):
        if problem is not None:
            raise problem


def folder_of(name: str, number: int) -> str:
    """Below the folder of all attempts."""
    return f"{name}-{number}"
