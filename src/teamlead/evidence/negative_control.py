"""The negative control of checks: does one that passes fail where the code is garbage?

A check may test something else than the copy that it runs in: a package that was installed from another
checkout, or as a copy of its files; and the checkout, where the copy does not lie in its place. Such a check
passes whatever an agent does. So once for each check, session and project it is run on a clean copy with
garbage in it.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from teamlead.evidence.clean_copies import CleanCopies, Memory
from teamlead.evidence.garbling import Garbled, choose, garble
from teamlead.evidence.weakening.files_of_tests import read_files
from teamlead.system.git import Git, Result


class Controlled(msgspec.Struct, frozen=True):
    command: str
    unseen: tuple[str, ...]


class CleanControl:
    """Implements `ports.NegativeControl`."""

    def __init__(self, git: Git, copies: CleanCopies, folder: Path) -> None:
        self._git = git
        self._copies = copies
        self._memory = Memory(folder, Controlled)

    async def unseen(self, command: str, base: str, commit: str, timeout: float) -> tuple[str, ...]:  # noqa: ASYNC109 - the port's
        chosen = await asyncio.to_thread(self._choose, command, base, commit)
        if chosen is None:
            return ()
        key = self._copies.key(command, chosen.project)
        async with self._memory.turn(key):
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
        garbled: list[str] = []
        end = await self._copies.check(
            commit, command, bound, key, prepare=lambda root: garbled.extend(garble(root, paths))
        )
        return tuple(garbled) if end.exit_code == 0 else ()


def _names(told: Result) -> list[str]:
    """But for those that no journal could hold."""
    names = (path.decode("utf-8", "replace") for path in told.fields)
    return [name for name in names if "\ufffd" not in name]
