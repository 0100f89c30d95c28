"""A copy that nobody has notes of any more does not go without what it holds."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from teamlead.errors import Refused
from teamlead.ports.leadership import Epoch
from teamlead.system.git import as_user, read_settings
from teamlead.system.repository import Repository
from teamlead.workspaces.fence import Fence
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.leftovers import clear_away, copies_of
from teamlead.workspaces.session import Session


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


@pytest.fixture
def copy(open_workspace: Callable[..., GitWorkspace], base: str) -> Path:
    """With a commit of the agent's own, that no ref of the user's repository reaches."""
    workspace = open_workspace()
    path = asyncio.run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    (path / "new.txt").write_text("new\n")
    git(path, "checkout", "-q", "--detach")
    git(path, "add", "-A")
    git(path, "commit", "-qm", "own")
    for note in ("copy.json", "index"):
        (private(path) / note).unlink()
    return path


def private(copy: Path) -> Path:
    return copy.with_name(f".{copy.name}")


def clear(repository: Repository, copy: Path) -> str:
    settings = read_settings(repository.root)
    fence = Fence(repository.git(settings), "s1", Epoch(2), repository.state_dir / "acting.lock")
    fence.put_up()
    session = Session(
        repository=repository,
        settings=settings,
        id="s1",
        base_commit="",
        copies=copy.parent,
        logs=copy.parent,
        fence=fence,
    )
    (found,) = copies_of(session)
    try:
        return clear_away(found)
    finally:
        fence.take_down()


def test_commits_that_only_the_copy_had_are_kept(repository: Repository, root: Path, copy: Path) -> None:
    own = git(copy, "rev-parse", "HEAD")
    kept = clear(repository, copy)
    assert git(root, "rev-parse", f"{kept}^1") == own
    assert git(root, "show", f"{kept}:new.txt") == "new"
    assert not copy.exists()


def test_a_copy_whose_git_directory_is_broken_as_well_is_kept_by_its_files(
    repository: Repository, root: Path, copy: Path
) -> None:
    (private(copy) / "git/HEAD").unlink()
    kept = clear(repository, copy)
    assert git(root, "show", f"{kept}:new.txt") == "new"
    assert not copy.exists()


def test_a_copy_of_which_nobody_can_tell_what_it_stood_on_stays(
    repository: Repository, root: Path, copy: Path
) -> None:
    git(root, "branch", "-D", "teamlead/s1/task-1")
    with pytest.raises(Refused, match=r"which commit '.*task-1' stood on"):
        clear(repository, copy)
    assert (copy / "new.txt").read_text() == "new\n"
