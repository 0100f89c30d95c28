"""Commands on clean copies of commits, remembered: the same command on the same files is run once.

There is a folder for each session and kind, with a file for each result. It only saves time: a file that
cannot be read counts as none.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from teamlead.ports.checking import CheckEnd, Checker
from teamlead.ports.workspace import Workspace
from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing

LONGEST = 24 * 3600.0
"""Seconds for which one session believes another."""

Kind = TypeVar("Kind", bound=msgspec.Struct)


class CleanCopies(NamedTuple):
    """Runs a command where nothing of an agent's is beside it."""

    workspace: Workspace
    checker: Checker
    first_slot: int
    conditions: str = ""
    """What else a result depends on; under others it is not remembered."""
    require_disk_space: Callable[[], None] = lambda: None

    def key(self, *parts: str) -> str:
        """Returns what a result is remembered by."""
        return sha256(msgspec.json.encode((*parts, self.conditions))).hexdigest()[:32]

    async def check(
        self,
        commit: str,
        command: str,
        timeout: float,  # noqa: ASYNC109 - a bound on the command, not on this call
        key: str,
        *,
        prepare: Callable[[Path], None] = lambda _: None,
        environment: Mapping[str, str] = {},
    ) -> CheckEnd:
        """Runs the command. `prepare`: what is done to the copy before, in a thread."""
        async with self.workspace.borrow(commit) as loan:
            with storing(loan.path):
                await asyncio.to_thread(prepare, loan.path)
            log = loan.logs / f"{key}.txt"
            slot = self.first_slot + loan.number
            end = await self.checker.check(
                command, loan.path, log, timeout, slot, room=loan.room, environment=environment
            )
        if end.exit_code != 0:
            self.require_disk_space()
        return end


class Memory(Generic[Kind]):
    def __init__(self, folder: Path, kind: type[Kind]) -> None:
        self._folder = folder
        self._kind = kind
        self._turns: dict[str, asyncio.Lock] = {}

    def turn(self, key: str) -> asyncio.Lock:
        """Is held by one who finds a result out: whoever comes meanwhile waits, and finds it remembered."""
        return self._turns.setdefault(key, asyncio.Lock())

    def recall(self, key: str) -> Kind | None:
        try:
            return msgspec.json.decode(self._place(key).read_bytes(), type=self._kind)
        except (OSError, msgspec.DecodeError):
            return None

    def remember(self, key: str, value: Kind) -> None:
        with storing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self._place(key), msgspec.json.encode(value))

    def _place(self, key: str) -> Path:
        return self._folder / f"{key}.json"


class Remembered(msgspec.Struct, frozen=True):
    tree: str
    command: str
    end: CheckEnd
    at: float = 0.0
    surroundings: str = ""


class Earlier:
    """What other sessions of the repository found out: what passed, within a day, under equal conditions.

    What failed may have been mended since by what nobody sees here, such as a program that was installed.
    """

    def __init__(self, folder: Path, surroundings: Callable[[str], str], clock: Callable[[], float]) -> None:
        """`surroundings`: of a command, what else its result depends on."""
        self._folder = folder
        self._memory = Memory(folder, Remembered)
        self._surroundings = surroundings
        self._clock = clock

    async def surroundings(self, command: str) -> str:
        told = await asyncio.to_thread(self._surroundings, command)
        return sha256(told.encode()).hexdigest()

    def recall(self, key: str, tree: str, command: str, surroundings: str) -> CheckEnd | None:
        found = self._memory.recall(key)
        if found is None or not 0 <= self._clock() - found.at < LONGEST:
            return None
        same = (found.tree, found.command, found.surroundings) == (tree, command, surroundings)
        return found.end if same else None

    def remember(self, key: str, tree: str, command: str, surroundings: str, end: CheckEnd) -> None:
        if end.exit_code == 0:
            self._forget_old()
            # Its log goes with its session.
            told = end._replace(log="", earlier=True)
            self._memory.remember(key, Remembered(tree, command, told, self._clock(), surroundings))

    def _forget_old(self) -> None:
        for path in self._folder.glob("*.json"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > LONGEST:
                    path.unlink()


class CleanTrials:
    """Implements `ports.checking.Trials`."""

    def __init__(self, copies: CleanCopies, folder: Path, earlier: Earlier | None = None) -> None:
        self._copies = copies
        self._memory = Memory(folder, Remembered)
        self._earlier = earlier

    async def run(
        self,
        commit: str,
        command: str,
        timeout: float,  # noqa: ASYNC109 - the port's
        *,
        repetition: int = 0,
        environment: Mapping[str, str] = {},
        afresh: bool = False,
    ) -> CheckEnd:
        tree = await self._copies.workspace.tree(commit)
        extra = (f"{name}={value}" for name, value in sorted(environment.items()))
        key = self._copies.key(tree, command, str(repetition), *extra)
        async with self._memory.turn(key):
            found = self._memory.recall(key)
            if not afresh and found and (found.tree, found.command) == (tree, command):
                return found.end._replace(remembered=True)
            earlier = None if repetition or environment else self._earlier
            surroundings = await earlier.surroundings(command) if earlier is not None else ""
            if earlier is not None and not afresh:
                known = earlier.recall(key, tree, command, surroundings)
                if known is not None:
                    return known._replace(remembered=True)
            end = await self._copies.check(commit, command, timeout, key, environment=environment)
            if end.exit_code is not None:
                self._memory.remember(key, Remembered(tree, command, end))
                if earlier is not None:
                    earlier.remember(key, tree, command, surroundings, end)
            return end
