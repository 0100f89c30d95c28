"""Commands on clean copies of commits, remembered: the same command on the same files is run once."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec

from teamlead.evidence.memory import Memory, digest
from teamlead.ports import CheckEnd, Checker, Workspace


class Remembered(msgspec.Struct, frozen=True):
    tree: str
    command: str
    end: CheckEnd


class CleanTrials:
    """Implements `ports.Trials`."""

    def __init__(
        self,
        workspace: Workspace,
        checker: Checker,
        folder: Path,
        *,
        first_slot: int,
        conditions: str = "",
        require_disk_space: Callable[[], None] = lambda: None,
    ) -> None:
        """`conditions`: what else a result depends on; under others it is not remembered."""
        self._workspace = workspace
        self._checker = checker
        self._memory = Memory(folder, Remembered)
        self._first_slot = first_slot
        self._conditions = conditions
        self._require_disk_space = require_disk_space
        self._running: dict[str, asyncio.Lock] = {}

    async def run(self, commit: str, command: str, timeout: float, *, repetition: int = 0) -> CheckEnd:  # noqa: ASYNC109 - the port's
        tree = await self._workspace.tree(commit)
        key = digest(tree, command, self._conditions, str(repetition))
        async with self._running.setdefault(key, asyncio.Lock()):
            end = self._recall(key, tree, command)
            if end is None:
                end = await self._try(commit, command, timeout, key)
                if end.exit_code is not None:
                    self._memory.remember(key, Remembered(tree, command, end))
            return end

    async def _try(self, commit: str, command: str, bound: float, key: str) -> CheckEnd:
        async with self._workspace.borrow(commit) as loan:
            log = loan.logs / f"{key}.txt"
            slot = self._first_slot + loan.number
            end = await self._checker.check(command, loan.path, log, bound, slot, room=loan.room)
        if end.exit_code != 0:
            self._require_disk_space()
        return end

    def _recall(self, key: str, tree: str, command: str) -> CheckEnd | None:
        found = self._memory.recall(key)
        return found.end if found and (found.tree, found.command) == (tree, command) else None
