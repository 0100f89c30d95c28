"""A task's way through git, against plain git doing the same, in a repository of 5,000 files.

`python -m benchmarks.copies [--files N] [--rounds N] [--parallel N]`

The way: a working copy is made, one file is changed and committed, the commit is merged, the copy goes.
"""

import argparse
import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Lock

from benchmarks.support import Goal, in_turns, ratio, scratch, told

from teamlead.system.git import read_settings
from teamlead.system.repository import claim, discover
from teamlead.workspaces.git_workspace import GitWorkspace

A_FOLDER = 50
CYCLE = Goal(0.5)
MERGE = Goal(0.25)


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def repository_of(folder: Path, files: int) -> Path:
    root = folder / "repository"
    root.mkdir(parents=True)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.com")
    for number in range(files):
        path = root / f"part-{number // A_FOLDER}" / f"file-{number % A_FOLDER}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"line of file {number}\n" * 50)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "first")
    git(root, "gc", "--quiet")
    return root


def edit(copy: Path, task: str) -> None:
    (copy / f"part-0/{task}.txt").write_text(f"the work of {task}\n")


class Plain:
    """What one would do by hand: worktree add, commit, merge in a checkout, worktree remove."""

    def __init__(self, root: Path, places: Path) -> None:
        self.root = root
        self.places = places
        self.merges: list[float] = []
        self._checkout = Lock()

    def cycle(self, task: str) -> None:
        copy = self.places / task
        self._add(task, copy)
        edit(copy, task)
        git(copy, "add", "--all")
        git(copy, "commit", "--quiet", "-m", task)
        with self._checkout:
            begun = time.perf_counter()
            git(self.root, "merge", "--quiet", "--no-ff", "--no-edit", task)
            self.merges.append(time.perf_counter() - begun)
        git(self.root, "worktree", "remove", str(copy))

    def _add(self, task: str, copy: Path) -> None:
        """Several at once trip over each other's half-written registrations: by hand one tries again."""
        while True:
            try:
                git(self.root, "worktree", "add", "--quiet", "-B", task, str(copy), "HEAD")
            except subprocess.CalledProcessError:
                continue
            return

    def parallel(self, tasks: list[str]) -> None:
        with ThreadPoolExecutor(len(tasks)) as threads:
            list(threads.map(self.cycle, tasks))


class Ours:
    def __init__(self, workspace: GitWorkspace, base: str) -> None:
        self.workspace = workspace
        self.base = base
        self.merges: list[float] = []

    async def _cycle(self, task: str) -> None:
        copy = await self.workspace.prepare(task, 1, [self.base], "", fresh=True)
        edit(copy.path, task)
        work = await self.workspace.collect(task, 1, copy.base, task, "")
        begun = time.perf_counter()
        self.base = await self.workspace.integrate(task, work.commit, task)
        self.merges.append(time.perf_counter() - begun)
        kept = await self.workspace.release(task)
        assert not kept, kept

    async def _all(self, tasks: list[str]) -> None:
        await asyncio.gather(*map(self._cycle, tasks))

    def cycle(self, task: str) -> None:
        asyncio.run(self._cycle(task))

    def parallel(self, tasks: list[str]) -> None:
        asyncio.run(self._all(tasks))


@contextmanager
def both(folder: Path, files: int) -> Iterator[tuple[Plain, Ours]]:
    """Each in a repository of its own, so that neither meets the other's branches."""
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    plain = Plain(repository_of(folder / "plain", files), folder / "copies")
    repository = claim(discover(repository_of(folder / "ours", files)))
    base = git(repository.root, "rev-parse", "HEAD")
    workspace = GitWorkspace(
        repository,
        read_settings(repository.root),
        "s1",
        base,
        copies=repository.state_dir / "copies" / "s1",
        logs=folder / "logs",
    )
    with workspace:
        yield plain, Ours(workspace, base)


def seconds(side: Plain | Ours, label: str, tasks: int) -> float:
    """Of one task's whole way."""
    names = [f"{label}-{number}" for number in range(tasks)]
    begun = time.perf_counter()
    if tasks == 1:
        side.cycle(names[0])
    else:
        side.parallel(names)
    return (time.perf_counter() - begun) / tasks


def compare(what: str, plain: Plain, ours: Ours, rounds: int, tasks: int) -> None:
    # The first round of ours finds no copy to use again.
    seconds(ours, f"first-{tasks}", tasks)
    plain.merges.clear()
    ours.merges.clear()
    mine, theirs = in_turns(
        rounds,
        lambda number: seconds(ours, f"{tasks}-{number}", tasks),
        lambda number: seconds(plain, f"{tasks}-{number}", tasks),
    )
    told(f"a task's way, {what}", ratio(mine, theirs), CYCLE, in_words(mine, theirs))
    if tasks == 1:
        told("a merge", ratio(ours.merges, plain.merges), MERGE, in_words(ours.merges, plain.merges))


def in_words(mine: list[float], theirs: list[float]) -> str:
    return f"{median(mine) * 1e3:.0f} ms against {median(theirs) * 1e3:.0f} ms of plain git"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--parallel", type=int, default=16)
    given = parser.parse_args()
    with scratch() as folder, both(folder, given.files) as (plain, ours):
        compare("one after another", plain, ours, given.rounds, 1)
        compare(f"{given.parallel} at once", plain, ours, max(1, given.rounds // 5), given.parallel)


if __name__ == "__main__":
    main()
