"""The negative control of checks: does one that passes fail where the code is garbage?

A check may test something else than the copy that it runs in: a package that was installed from another
checkout, or as a copy of its files; and the checkout, where the copy does not lie in its place. Such a check
passes whatever an agent does. So once for each check, session and project it is run on a clean copy with
garbage in it.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from teamlead.evidence.garbling import Garbled, choose, garble
from teamlead.evidence.memory import Memory, digest
from teamlead.evidence.weakening.files_of_tests import read_files
from teamlead.ports import Checker, Workspace
from teamlead.system.disk import storing
from teamlead.system.git import Git, Result


class Controlled(msgspec.Struct, frozen=True):
    command: str
    unseen: tuple[str, ...]


class CleanControl:
    """Implements `ports.NegativeControl`."""

    def __init__(
        self,
        git: Git,
        workspace: Workspace,
        checker: Checker,
        folder: Path,
        *,
        first_slot: int,
        conditions: str = "",
        require_disk_space: Callable[[], None] = lambda: None,
    ) -> None:
        """`conditions`: what else a result depends on; under others it is not remembered."""
        self._git = git
        self._workspace = workspace
        self._checker = checker
        self._memory = Memory(folder, Controlled)
        self._first_slot = first_slot
        self._conditions = conditions
        self._require_disk_space = require_disk_space
        self._running: dict[str, asyncio.Lock] = {}

    async def unseen(self, command: str, base: str, commit: str, timeout: float) -> tuple[str, ...]:  # noqa: ASYNC109 - the port's
        chosen = await asyncio.to_thread(self._choose, command, base, commit)
        if chosen is None:
            return ()
        key = digest(command, chosen.project, self._conditions)
        async with self._running.setdefault(key, asyncio.Lock()):
            known = self._memory.recall(key)
            if known is None or known.command != command:
                known = Controlled(command, await self._try(command, commit, chosen.paths, timeout, key))
                self._memory.remember(key, known)
            return known.unseen

    def _choose(self, command: str, base: str, commit: str) -> Garbled | None:
        changed = self._git.run("diff-tree", "-r", "-z", "--no-renames", "--name-only", base, commit)
        tracked = self._git.run("ls-tree", "-r", "-z", "--name-only", commit)
        return choose(command, _names(changed), _names(tracked), partial(read_files, self._git, commit))

    async def _try(
        self, command: str, commit: str, paths: Sequence[str], bound: float, key: str
    ) -> tuple[str, ...]:
        """What it did not see."""
        async with self._workspace.borrow(commit) as loan:
            with storing(loan.path):
                garbled = await asyncio.to_thread(garble, loan.path, paths)
            log = loan.logs / f"{key}.txt"
            slot = self._first_slot + loan.number
            end = await self._checker.check(command, loan.path, log, bound, slot, room=loan.room)
        if end.exit_code != 0:
            self._require_disk_space()
        return garbled if end.exit_code == 0 else ()


def _names(told: Result) -> list[str]:
    """But for those that no journal could hold."""
    names = (path.decode("utf-8", "replace") for path in told.fields)
    return [name for name in names if "\ufffd" not in name]
