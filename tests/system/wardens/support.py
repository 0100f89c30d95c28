"""Programs that are started under a warden, and what is alive of them."""

import asyncio
import contextlib
import os
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from teamlead.system.processes import Process, ProcessEnd, spawn
from teamlead.system.program_streams import Lines

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
HERE = Path(__file__).parent
TREE = str(HERE / "nasty_tree.py")
LEADER = str(HERE / "nasty_leader.py")
PATIENCE = 60


class Tree:
    """Processes that carry the same word in their environment or their arguments."""

    def __init__(self) -> None:
        self._word = str(uuid.uuid4())
        self.env = {"PATH": os.environ["PATH"], "NASTY": self._word}

    def alive(self) -> dict[int, str]:
        """Pids, and what each calls itself."""
        found = {}
        for entry in Path("/proc").iterdir():
            # A zombie shows neither, a process that ends meanwhile has no entry.
            with contextlib.suppress(OSError):
                if entry.name.isdecimal() and self._has_word(entry):
                    found[int(entry.name)] = (entry / "comm").read_text().strip()
        return found

    def _has_word(self, process: Path) -> bool:
        # Of each thread: a process whose first one has ended looks like a zombie, and may be alive.
        for path in (*process.glob("task/*/environ"), process / "cmdline"):
            with contextlib.suppress(OSError):
                if self._word.encode() in path.read_bytes():
                    return True
        return False


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Said:
    """What a program has printed."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self.lines: list[bytes] = []
        self.sink = Lines(self._add)

    def _add(self, line: bytes) -> None:
        self.lines.append(line)
        self._news.set()

    async def first(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._news.wait()


async def start(
    tree: Tree,
    *argv: str,
    hard_timeout: float = 0.0,
    idle_timeout: float = 0.0,
    kept: int | None = None,
) -> Process:
    """Returns when it has printed a line."""
    said = Said()
    process = await spawn(
        argv,
        cwd=Path("/"),
        env=tree.env,
        stdout=said.sink,
        hard_timeout=hard_timeout,
        idle_timeout=idle_timeout,
        kept=kept,
    )
    await said.first()
    return process


async def start_nasty(
    tree: Tree, *orders: str, hard_timeout: float = 0.0, idle_timeout: float = 0.0
) -> Process:
    return await start(
        tree, sys.executable, TREE, *orders, hard_timeout=hard_timeout, idle_timeout=idle_timeout
    )


async def ended(process: Process) -> ProcessEnd:
    async with asyncio.timeout(PATIENCE):
        return await process.wait()
