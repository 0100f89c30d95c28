"""Working copies and branches without git. Passes the same contract suite as the real workspace."""

import hashlib
import inspect
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.core.evidence.values import Found
from teamlead.core.model import Trespass
from teamlead.errors import Failed, MergeConflict, Refused
from teamlead.ports.rooms import Room
from teamlead.ports.workspace import NO_FILES, Applied, Copy, Loan
from teamlead.testing.commit_history import LINKED, History, Snapshot, changes


class Call(NamedTuple):
    method: str
    task: str = ""
    attempt: int = 0


Hook = Callable[[Call], Awaitable[None] | None]


class FakeCopy(NamedTuple):
    attempt: int
    """That it was made for."""
    base: str
    files: dict[str, bytes]
    """Used where copies are not on disk."""
    disregarded: dict[str, tuple[bytes | None, bytes | None]]
    """As long as a path has the first content, it counts as having the second, the agent's own."""
    kept: str = ""
    """What holds the work of the copy before it."""


class FakeWorkspace:
    """Implements `ports.workspace.Workspace`.

    With a `folder`, copies are real folders below it. Without, they are in memory; `write` and `read` reach
    them either way. It is the world: it survives the leader that used it.
    """

    def __init__(
        self,
        files: Mapping[str, str],
        *,
        base: str = "base",
        branch: str = "main",
        folder: Path | None = None,
    ) -> None:
        self.base = base
        self.history = History()
        self.history.commits[base] = Snapshot(_encoded(files), (), "first")
        self.branches: dict[str, str] = {branch: base}
        """The user's."""
        self.tasks: dict[str, str] = {}
        """The tip of each task's branch."""
        self.integration = base
        self.kept: list[str] = []
        """Work that no branch had when its copy went."""
        self.calls: list[Call] = []
        """In the order they came."""
        self.before: Hook | None = None
        """Asked at the start of each method of the port. It may wait, and it may raise."""
        self._folder = folder
        self.copies: dict[str, FakeCopy] = {}
        """By task."""
        self._collected: set[str] = set()
        """Tasks whose copy, as it is, was collected from."""
        self._trespasses: dict[str, tuple[str, ...]] = {}
        """Of the attempt under way, by task."""
        self.open_trespasses: dict[str, Trespass] = {}
        """What was changed in the user's repository and is not put right, by item."""
        self._applied: dict[tuple[str, str], Applied] = {}
        self.loans: dict[str, str] = {}
        self.laid_beside: dict[str, Mapping[str, str]] = {}
        """By the name of a loan."""
        """The commits of borrowed copies, by the name of their folder."""

    # For tests

    def files(self, commit: str) -> dict[str, str]:
        return {path: content.decode() for path, content in self._files(commit).items()}

    def write(self, task: str, path: str, text: str) -> None:
        """Writes a file, as an agent does in its copy."""
        if self._folder is None:
            self.copies[task].files[path] = text.encode()
            return
        place = self.path(task) / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    def read(self, task: str, path: str) -> str:
        """Reads a file in the copy; "" if there is none."""
        return self._held(task).get(path, b"").decode()

    def delete(self, task: str, path: str) -> None:
        if self._folder is None:
            del self.copies[task].files[path]
        else:
            (self.path(task) / path).unlink()

    def trespass(self, task: str, sentence: str) -> None:
        """Changes something, as an agent does outside of its copy."""
        self._trespasses[task] = (*self._trespasses.get(task, ()), sentence)

    def user_commits(self, branch: str, files: Mapping[str, str]) -> str:
        """Commits something, as the user does on a branch of theirs meanwhile."""
        tip = self.branches[branch]
        content = {**self._files(tip), **_encoded(files)}
        self.branches[branch] = self.history.add(Snapshot(content, (tip,), "the user's own"))
        return self.branches[branch]

    # The port

    def path(self, task: str) -> Path:
        return (self._folder or Path("/in/memory")) / task

    def room(self, task: str) -> Room | None:  # noqa: ARG002 - the port's
        return None

    async def prepare(
        self, task: str, attempt: int, bases: Sequence[str], fallback: str, *, fresh: bool
    ) -> Copy:
        await self._called("prepare", task, attempt)
        self._trespasses.pop(task, None)
        copy = self.copies.get(task)
        if copy and (not fresh or copy.attempt == attempt):
            return Copy(self.path(task), copy.base, copy.kept)
        earlier = self.tasks.get(task, "")
        if earlier and not fresh and self.history.commits[earlier].task == task:
            tip, base = earlier, self.history.commits[earlier].parents[0]
        else:
            tip = base = self._merge_bases(task, bases, fallback)
        kept = ""
        if copy and self._work(task) != self._files(copy.base):
            kept = self._keep(task)
        elif earlier and not self.history.contains(tip, earlier):
            kept = self._note_kept(task, earlier)
        self.tasks[task] = tip
        self._collected.discard(task)
        self.copies[task] = FakeCopy(attempt, base, dict(self._files(tip)), {}, kept)
        self._lay_out(task, self.copies[task].files)
        return Copy(self.path(task), base, kept)

    async def hand_over(self, task: str, files: Mapping[str, str]) -> None:
        await self._called("hand_over", task)
        for path, text in files.items():
            self.write(task, path, text)
            self.copies[task].disregarded[path] = (text.encode(), None)

    async def collect(self, task: str, attempt: int, base: str, title: str, summary: str) -> Found:
        await self._called("collect", task, attempt)
        trespasses = self._trespasses.get(task, ())
        if task in self.copies:
            held = self._work(task)
            self._collected.add(task)
            if held == self._files(base):
                self.tasks[task] = base
                return Found(commit="", trespasses=trespasses, tree=self._tree(base))
            message = f"{title}\n\n{summary}"
            self.tasks[task] = self.history.add(Snapshot(held, (base,), message, task, attempt))
        tip = self.tasks.get(task, self.base)
        found = self.history.commits[tip]
        # The copy may be gone because this was done before.
        if (found.task, found.attempt, found.parents) != (task, attempt, (base,)):
            raise Failed(f"there is no working copy at {str(self.path(task))!r} to collect from")
        changed = tuple(changes(self._files(base), found.files))
        return Found(commit=tip, changes=changed, trespasses=trespasses, tree=self._tree(tip))

    async def disregard(self, task: str) -> None:
        await self._called("disregard", task)
        if task not in self._collected:
            return
        now, own = self._work(task), self._files(self.tasks[task])
        for path in now.keys() | own.keys():
            if now.get(path) != own.get(path):
                self.copies[task].disregarded[path] = (now.get(path), own.get(path))

    async def integrate(self, task: str, commit: str, title: str) -> str:
        await self._called("integrate", task)
        if not self.history.contains(self.integration, commit):
            names = ("the work merged before", task)
            self.integration = self.history.merge(self.integration, commit, f"Merge {task}: {title}", names)
        return self.integration

    async def integration_tip(self) -> str:
        await self._called("integration_tip")
        return self.integration

    async def merged(self, task: str, attempt: int) -> str:
        await self._called("merged", task, attempt)
        tip = self.tasks.get(task, self.base)
        made = self.history.commits[tip]
        own = (made.task, made.attempt) == (task, attempt)
        return tip if own and self.history.contains(self.integration, tip) else ""

    async def release(self, task: str) -> str:
        await self._called("release", task)
        if task not in self.copies:
            return ""
        kept = ""
        if self._work(task) != self._files(self.tasks[task]):
            kept = self._keep(task)
        del self.copies[task]
        self._collected.discard(task)
        if self._folder is not None:
            shutil.rmtree(self.path(task))
        return kept

    async def look(self) -> tuple[Trespass, ...]:
        await self._called("look")
        return tuple(self.open_trespasses.values())

    async def tree(self, commit: str) -> str:
        await self._called("tree")
        return self._tree(commit)

    def _tree(self, commit: str) -> str:
        told = repr(sorted(self._files(commit).items()))
        return hashlib.sha1(told.encode(), usedforsecurity=False).hexdigest()

    async def snapshot(self, task: str) -> str:
        await self._called("snapshot", task)
        if task not in self.copies:
            return ""
        base, work = self.copies[task].base, self._work(task)
        return base if work == self._files(base) else self.history.add(Snapshot(work, (base,), "as it is"))

    async def try_merge(self, one: str, other: str) -> tuple[str, ...]:
        await self._called("try_merge")
        return tuple(self.history.conflicts(one, other))

    async def difference(self, before: str, after: str) -> str:
        await self._called("difference")
        changed = changes(self._files(before), self._files(after))
        return "".join(f"{change.path} +{change.added} -{change.deleted}\n" for change in changed)

    @asynccontextmanager
    async def borrow(
        self,
        commit: str,
        *,
        provided: bool = True,  # noqa: ARG002 - nothing is added here
        files: Mapping[str, str] = NO_FILES,
    ) -> AsyncIterator[Loan]:
        await self._called("borrow")
        number = next(number for number in count() if f"trial-{number}" not in self.loans)
        name = f"trial-{number}"
        self.loans[name], self.laid_beside[name] = commit, files
        try:
            laid = {path: text.encode() for path, text in files.items()}
            self._lay_out(name, {**self._files(commit), **laid})
            yield Loan(self.path(name), number, self.path(f"logs-{name}"))
        finally:
            self._take_back(name)

    async def tidy(self) -> None:
        await self._called("tidy")
        for name in list(self.loans):
            self._take_back(name)

    def _take_back(self, name: str) -> None:
        # Another leader may have tidied it away.
        self.loans.pop(name, None)
        if self._folder is not None:
            shutil.rmtree(self.path(name))

    async def roll_back(self) -> tuple[str, ...]:
        await self._called("roll_back")
        return ()

    async def applied(self, commit: str, branch: str) -> Applied | None:
        await self._called("applied")
        return self._applied_before(commit, branch)

    async def apply(self, commit: str, branch: str, *, squash: bool, sign: bool, message: str) -> Applied:  # noqa: ARG002 - nothing here can be signed
        await self._called("apply")
        if branch not in self.branches:
            raise Refused(f"the branch {branch!r} is gone")
        old = self.branches[branch]
        done = self._applied_before(commit, branch)
        if done:
            return done
        new = self._new_tip(old, commit, (f"the branch {branch!r}", message), squash=squash)
        self.branches[branch] = new
        applied = self._applied[commit, branch] = Applied(new, old, f"git branch -f {branch} {old}")
        return applied

    def _applied_before(self, commit: str, branch: str) -> Applied | None:
        done = self._applied.get((commit, branch))
        there = done and branch in self.branches and self.history.contains(self.branches[branch], done.commit)
        return done if there else None

    async def _called(self, *call: Any) -> None:
        self.calls.append(Call(*call))
        answer = self.before(self.calls[-1]) if self.before else None
        if inspect.isawaitable(answer):
            await answer

    def _files(self, commit: str) -> Mapping[str, bytes]:
        return self.history.commits[commit].files

    def _merge_bases(self, task: str, bases: Sequence[str], fallback: str) -> str:
        tip, *others = bases or (self.base,)
        for other in others:
            if self.history.contains(tip, other):
                continue
            if self.history.contains(other, tip):
                tip = other
                continue
            try:
                names = ("the dependencies before it", "a dependency")
                tip = self.history.merge(tip, other, f"Merge the dependencies of {task}", names)
            except MergeConflict:
                if fallback and all(self.history.contains(fallback, base) for base in bases):
                    return fallback
                raise
        return tip

    def _new_tip(self, old: str, commit: str, told: tuple[str, str], *, squash: bool) -> str:
        if self.history.contains(old, commit):
            return old
        if not squash and self.history.contains(commit, old):
            return commit
        merged = self.history.merge(old, commit, told[1], (told[0], "the session's work"))
        return self.history.add(Snapshot(self._files(merged), (old,), told[1])) if squash else merged

    def _keep(self, task: str) -> str:
        held = Snapshot(self._held(task), (self.tasks[task],), f"kept from {task}")
        return self._note_kept(task, self.history.add(held))

    def _note_kept(self, task: str, commit: str) -> str:
        self.kept.append(commit)
        return f"kept/{task}/{len(self.kept)}"

    def _work(self, task: str) -> dict[str, bytes]:
        """Returns what the copy holds of the agent's."""
        held = self._held(task)
        for path, (left, own) in self.copies[task].disregarded.items():
            if held.get(path) == left:
                held.pop(path, None)
                if own is not None:
                    held[path] = own
        return held

    def _held(self, task: str) -> dict[str, bytes]:
        if self._folder is None:
            return dict(self.copies[task].files)
        root = self.path(task)
        places = sorted(place for place in root.rglob("*") if place.is_symlink() or place.is_file())
        return {place.relative_to(root).as_posix(): _content(place) for place in places}

    def _lay_out(self, name: str, files: Mapping[str, bytes]) -> None:
        if self._folder is None:
            return
        shutil.rmtree(self.path(name), ignore_errors=True)
        self.path(name).mkdir(parents=True)
        for path, content in files.items():
            place = self.path(name) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if content.startswith(LINKED):
                place.symlink_to(content.removeprefix(LINKED).decode())
            else:
                place.write_bytes(content)


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in files.items()}


def _content(place: Path) -> bytes:
    return LINKED + str(place.readlink()).encode() if place.is_symlink() else place.read_bytes()
