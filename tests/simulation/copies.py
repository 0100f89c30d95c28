"""Working copies and branches, and a ledger of every byte that an agent wrote and did not take back."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tests.core.oracle import law as promise
from tests.simulation.line import Line

from teamlead.core.evidence.values import Found
from teamlead.core.model import Trespass
from teamlead.errors import Failed, GitFailed, StaleLeader
from teamlead.ports.rooms import Room
from teamlead.ports.workspace import NO_FILES, Applied, Copy, Loan

if TYPE_CHECKING:
    from tests.simulation.world import World

GIVEN_UP = 5.0
"""Seconds that git goes on when nobody wants its result any more."""
STORING = {"prepare", "collect", "disregard", "integrate", "release", "apply"}
INTERRUPTED = {"prepare", "collect"}
"""Somebody may give up the task meanwhile."""
MOVING = {"integrate", "apply"}
"""They move a branch that others look at, and fail only if they did not."""

OFTEN = {"apply": 4, "prepare": 2}
"""What fails more often than the rest: it is called more seldom, or more depends on it."""

Result = TypeVar("Result")
Act = Callable[[], Coroutine[Any, Any, Result]]


@lru_cache
def path_of(task: str) -> Path:
    return Path("/copies") / task


class Copies:
    """What agents do in their copies. The bytes at stake must be found again, whatever becomes of a copy."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._stakes: dict[str, dict[tuple[str, bytes], None]] = {}

    def has(self, task: str) -> bool:
        return task in self._world.workspace.copies

    def read(self, task: str, path: str) -> str:
        return self._world.workspace.read(task, path)

    def write(self, task: str, path: str, text: str) -> None:
        self._forget(task, path)
        self._world.workspace.write(task, path, text)
        self._stakes.setdefault(task, {})[path, text.encode()] = None

    def tidy(self, task: str) -> None:
        """A good agent takes back what was refused."""
        for path in (f"elsewhere-{task}", "src/.gitattributes"):
            if path in self._world.workspace.copies[task].files:
                self._forget(task, path)
                self._world.workspace.delete(task, path)

    def undo(self, task: str) -> None:
        workspace = self._world.workspace
        copy = workspace.copies[task]
        base = workspace.history.commits[copy.base].files
        for path in list(copy.files):
            if copy.files[path] != base.get(path):
                self._forget(task, path)
                workspace.delete(task, path)
        for path, content in base.items():
            if path not in copy.files:
                workspace.write(task, path, content.decode())

    def _forget(self, task: str, path: str) -> None:
        held = self._world.workspace.copies[task].files.get(path)
        if held is not None:
            self._stakes.get(task, {}).pop((path, held), None)

    def nothing_lost(self, task: str = "") -> None:
        """Every byte at stake is in a copy, or in what a ref names."""
        for name in [task] if task else self._stakes:
            at_stake = self._stakes.get(name, {}).keys()
            if at_stake:
                lost = at_stake - self._found(name)
                promise(not lost, f"of {name} these bytes are gone: {sorted(lost)}")

    def _found(self, task: str) -> set[tuple[str, bytes]]:
        workspace = self._world.workspace
        copy = workspace.copies.get(task)
        found = set(copy.files.items()) if copy else set()
        tips = [workspace.tasks.get(task, ""), workspace.integration, *workspace.kept]
        history = workspace.history
        for name in history.reachable(tip for tip in tips if tip):
            found.update(history.commits[name].files.items())
        return found


class WorkspaceOnLine:
    """Implements `ports.workspace.Workspace` for one leader: slow, failing, and fenced by its epoch."""

    def __init__(self, world: "World", line: Line) -> None:
        self._world = world
        self._line = line
        self._real = world.workspace

    def path(self, task: str) -> Path:
        return path_of(task)

    def room(self, task: str) -> Room | None:
        return None

    async def prepare(
        self, task: str, attempt: int, bases: Sequence[str], fallback: str, *, fresh: bool
    ) -> Copy:
        async def act() -> Copy:
            before = self._real.copies.get(task)
            copy = await self._real.prepare(task, attempt, bases, fallback, fresh=fresh)
            if self._real.copies[task] is not before:
                promise(task not in self._world.agents.in_copy, f"{task} gets a new copy under its agent")
                self._world.copies.nothing_lost(task)
            return copy

        self._world.truth.decided(task, attempt, "gets a copy")
        return await self._call("prepare", task, act)

    async def hand_over(self, task: str, files: Mapping[str, str]) -> None:
        await self._call("hand_over", task, lambda: self._real.hand_over(task, files))

    async def collect(self, task: str, attempt: int, base: str, title: str, summary: str) -> Found:
        self._quiet(task, "collected")
        self._world.truth.decided(task, attempt, "is collected")
        return await self._call(
            "collect", task, lambda: self._real.collect(task, attempt, base, title, summary)
        )

    async def disregard(self, task: str) -> None:
        await self._call("disregard", task, lambda: self._real.disregard(task))

    async def integrate(self, task: str, commit: str, title: str) -> str:
        async def act() -> str:
            before = self._real.integration
            tip = await self._real.integrate(task, commit, title)
            if tip != before:
                self._world.truth.merged(task, commit)
            return tip

        self._quiet(task, "merged")
        return await self._call("integrate", task, act)

    async def integration_tip(self) -> str:
        return await self._call("integration_tip", "", self._real.integration_tip)

    async def merged(self, task: str, attempt: int) -> str:
        return await self._call("merged", task, lambda: self._real.merged(task, attempt))

    async def look(self) -> tuple[Trespass, ...]:
        return await self._call("look", "", self._real.look)

    async def release(self, task: str) -> str:
        async def act() -> str:
            await self._world.people.want_it_again(task)
            self._line.step("release")
            self._quiet(task, "released")
            kept = await self._real.release(task)
            self._world.copies.nothing_lost(task)
            return kept

        self._quiet(task, "released")
        return await self._call("release", task, act)

    async def tree(self, commit: str) -> str:
        return await self._call("tree", "", lambda: self._real.tree(commit))

    async def snapshot(self, task: str) -> str:
        return await self._call("snapshot", task, lambda: self._real.snapshot(task))

    async def try_merge(self, one: str, other: str) -> tuple[str, ...]:
        return await self._call("try_merge", "", lambda: self._real.try_merge(one, other))

    async def difference(self, before: str, after: str) -> str:
        return await self._call("difference", "", lambda: self._real.difference(before, after))

    @asynccontextmanager
    async def borrow(
        self, commit: str, *, provided: bool = True, files: Mapping[str, str] = NO_FILES
    ) -> AsyncIterator[Loan]:
        async def act() -> AbstractAsyncContextManager[Loan]:
            return self._real.borrow(commit, provided=provided, files=files)

        async with await self._call("borrow", "", act) as loan:
            yield loan

    async def tidy(self) -> None:
        if self._real.loans:
            await self._call("tidy", "", self._real.tidy)

    async def roll_back(self) -> tuple[str, ...]:
        return await self._call("roll_back", "", self._real.roll_back)

    async def applied(self, commit: str, branch: str) -> Applied | None:
        return await self._call("applied", "", lambda: self._real.applied(commit, branch))

    async def apply(self, commit: str, branch: str, *, squash: bool, sign: bool, message: str) -> Applied:
        async def act() -> Applied:
            promise(self._world.truth.approved, "the work is applied before the approval is on disk")
            applied = await self._real.apply(commit, branch, squash=squash, sign=sign, message=message)
            self._world.truth.main = self._real.branches[branch]
            return applied

        return await self._call("apply", "", act)

    def _quiet(self, task: str, what: str) -> None:
        if not self._line.cut and not self._line.stale:
            promise(task not in self._world.agents.in_copy, f"{task} is {what}, and its agent is alive")

    async def _call(self, method: str, task: str, act: Act[Result]) -> Result:
        world, line = self._world, self._line
        line.step(method)
        world.count(method, task)
        with world.at_work(line, method, task):
            await self._wait(method, task, act)
            if line.stale:
                raise StaleLeader("s-1")
            return await self._act(method, task, act)

    async def _wait(self, method: str, task: str, act: Act[object]) -> None:
        world, line = self._world, self._line
        try:
            if method in INTERRUPTED:
                await world.people.wait_no_longer(task)
            await world.pause(line)
        except asyncio.CancelledError:
            # git runs in a thread: what was given up may be done all the same.
            if not line.cut and not line.stale and world.random.random() < 0.5:
                await asyncio.sleep(world.random.choice((0.0, GIVEN_UP)))
                if not line.cut and not line.stale:
                    await act()
            raise

    async def _act(self, method: str, task: str, act: Act[Result]) -> Result:
        world, line, random = self._world, self._line, self._world.random
        if method in STORING:
            line.store(task)
        if method == "prepare" and world.broken("copies"):
            raise Failed("the post_create command ended with 1")
        troubled = not world.calm and random.random() < world.weather.trouble * OFTEN.get(method, 1)
        if troubled and (method in MOVING or random.random() < 0.5):
            raise GitFailed(f"git would not {method}")
        result = await act()
        if troubled:
            raise GitFailed(f"git did {method}, and died")
        line.step(method)
        return result
