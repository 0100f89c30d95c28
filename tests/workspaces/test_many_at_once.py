"""Sixteen copies at once, of one leader and of several: none fails for another's sake."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.system.git import as_user
from teamlead.system.repository import Repository
from teamlead.workspaces import copy_pool
from teamlead.workspaces.git_workspace import GitWorkspace

Result = TypeVar("Result")
Opener = Callable[..., GitWorkspace]

LEADER = """
import asyncio, sys
from pathlib import Path
from teamlead.system.git import read_settings
from teamlead.system.repository import discover
from teamlead.workspaces import copy_pool
from teamlead.workspaces.git_workspace import GitWorkspace

copy_pool.FEWEST_FILES = 0
root, session, base = sys.argv[1:]
repository = discover(Path(root))

async def task(workspace, name):
    copy = await workspace.prepare(name, 1, [base], "", fresh=True)
    (copy.path / f"{session}-{name}.txt").write_text("work")
    work = await workspace.collect(name, 1, copy.base, name, "")
    await workspace.integrate(name, work.commit, name)
    assert await workspace.release(name) == ""

async def main():
    copies = repository.state_dir / "copies" / session
    logs = repository.state_dir / "logs"
    settings = read_settings(repository.root)
    with GitWorkspace(repository, settings, session, base, copies=copies, logs=logs) as workspace:
        for round in range(2):
            await asyncio.gather(*(task(workspace, f"task-{round}-{number}") for number in range(4)))

asyncio.run(main())
"""


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


@pytest.fixture(autouse=True)
def small_copies_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy_pool, "FEWEST_FILES", 0)


def test_sixteen_copies_of_one_leader_are_made_and_released_at_once(
    workspace: GitWorkspace, repository: Repository, base: str
) -> None:
    tasks = [f"task-{number}" for number in range(16)]

    async def all_at_once() -> None:
        copies = await asyncio.gather(*(workspace.prepare(t, 1, [base], "", fresh=True) for t in tasks))
        assert len({copy.path for copy in copies}) == 16
        assert await asyncio.gather(*map(workspace.release, tasks)) == [""] * 16

    run(all_at_once())
    run(all_at_once())
    assert list((repository.state_dir / "copies").glob("*/*")) == []


def test_four_leaders_with_four_copies_each_do_not_disturb_each_other(
    repository: Repository, root: Path, base: str
) -> None:
    leaders = [
        subprocess.Popen(
            [sys.executable, "-c", LEADER, str(root), f"s{number}", base], stderr=subprocess.PIPE, text=True
        )
        for number in range(4)
    ]
    for leader in leaders:
        _, errors = leader.communicate()
        assert leader.returncode == 0, errors
    for number in range(4):
        merged = git(root, "ls-tree", "--name-only", f"teamlead/s{number}/integration").splitlines()
        assert len([name for name in merged if name.startswith(f"s{number}-task")]) == 8
        assert not [
            name for name in merged if name.startswith("s") and name[:3] not in {f"s{number}-", "src"}
        ]
    assert list((repository.state_dir / "copies").glob("*/*")) == []
    git(root, "fsck", "--strict", "--no-dangling")


@contextmanager
def half_registered(root: Path) -> Iterator[None]:
    """What another process has of a registration while it is about to write the rest."""
    folder = root / ".git/worktrees/half"
    folder.mkdir(parents=True)
    (folder / "gitdir").write_text(f"{root.parent}/half/.git\n")
    (folder / "commondir").touch()
    yield
    (folder / "commondir").unlink()
    (folder / "gitdir").unlink()
    folder.rmdir()


def test_a_working_tree_that_another_process_is_about_to_register_is_in_nobodys_way(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    with half_registered(root):
        copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
        assert git(copy, "status", "--porcelain") == ""
        assert run(workspace.release("task-1")) == ""
