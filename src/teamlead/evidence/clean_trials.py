"""Commands on clean copies of commits, remembered: the same command on the same files is run once."""

from pathlib import Path

import msgspec

from teamlead.evidence.clean_copies import CleanCopies, Memory
from teamlead.ports import CheckEnd


class Remembered(msgspec.Struct, frozen=True):
    tree: str
    command: str
    end: CheckEnd


class CleanTrials:
    """Implements `ports.Trials`."""

    def __init__(self, copies: CleanCopies, folder: Path) -> None:
        self._copies = copies
        self._memory = Memory(folder, Remembered)

    async def run(self, commit: str, command: str, timeout: float, *, repetition: int = 0) -> CheckEnd:  # noqa: ASYNC109 - the port's
        tree = await self._copies.workspace.tree(commit)
        key = self._copies.key(tree, command, str(repetition))
        async with self._memory.turn(key):
            found = self._memory.recall(key)
            if found and (found.tree, found.command) == (tree, command):
                return found.end
            end = await self._copies.check(commit, command, timeout, key)
            if end.exit_code is not None:
                self._memory.remember(key, Remembered(tree, command, end))
            return end
