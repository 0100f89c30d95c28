import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.errors import Failed, GitFailed, Refused
from teamlead.ports.leadership import Epoch
from teamlead.system.git import as_user, read_settings
from teamlead.system.repository import Repository
from teamlead.workspaces import copy_folder
from teamlead.workspaces.fence import Fence
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions
from teamlead.workspaces.releasing import clear_away, copies_of
from teamlead.workspaces.session_refs import Session

Result = TypeVar("Result")

KEPT = "refs/teamlead/kept/s1/task-1/1"


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


@pytest.fixture
def copy(workspace: GitWorkspace, base: str) -> Path:
    return run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path


def own_commit(copy: Path) -> None:
    (copy / "a.txt").write_text("a")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "own")
    git(copy, "switch", "-q", "--detach")
    git(copy, "branch", "-f", "teamlead/s1/task-1", "HEAD^")


def own_history_that_ends_where_it_began(copy: Path) -> None:
    own_commit(copy)
    git(copy, "revert", "--no-edit", "HEAD")


def staged(copy: Path) -> None:
    (copy / "a.txt").write_text("a")
    git(copy, "add", "a.txt")


def deleted(copy: Path) -> None:
    (copy / "README.md").unlink()


def nested(copy: Path) -> None:
    (copy / "inner").mkdir()
    git(copy / "inner", "init", "-q")


def without_branch(copy: Path) -> None:
    git(copy, "switch", "-q", "--detach")
    git(copy, "branch", "-qD", "teamlead/s1/task-1")


def replaced(copy: Path) -> None:
    (copy / ".git").unlink()
    git(copy, "init", "-q")


def unreadable(copy: Path) -> None:
    (Path(git(copy, "rev-parse", "--absolute-git-dir")) / "HEAD").write_text("rubbish")


DIRTY = [
    own_commit,
    own_history_that_ends_where_it_began,
    staged,
    deleted,
    nested,
    replaced,
]


@pytest.mark.parametrize("state", DIRTY, ids=lambda state: state.__name__)
def test_what_is_on_no_branch_is_kept_and_the_copy_goes(
    state: Callable[[Path], None], workspace: GitWorkspace, copy: Path, root: Path
) -> None:
    state(copy)
    assert run(workspace.release("task-1")) == KEPT
    assert not copy.parent.exists()
    assert git(root, "for-each-ref", "--format=%(refname)", "refs/teamlead/kept/") == KEPT
    assert git(root, "fsck", "--strict") == ""


def test_a_copy_without_its_branch_goes_if_it_holds_nothing_else(workspace: GitWorkspace, copy: Path) -> None:
    without_branch(copy)
    assert run(workspace.release("task-1")) == ""
    assert not copy.exists()


def test_work_is_kept_although_the_copy_stands_nowhere(workspace: GitWorkspace, copy: Path) -> None:
    (copy / "new.txt").write_text("new")
    unreadable(copy)
    assert run(workspace.release("task-1")) == KEPT
    assert not copy.exists()


def test_a_copy_that_git_cannot_remove_stays_and_is_reported(
    workspace: GitWorkspace, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise GitFailed("it cannot be removed")

    monkeypatch.setattr(copy_folder, "sweep", refuse)
    files = sorted(str(path) for path in copy.rglob("*") if ".git" not in path.parts)
    assert run(workspace.release("task-1")) == str(copy)
    assert sorted(str(path) for path in copy.rglob("*") if ".git" not in path.parts) == files


def test_commits_of_the_agent_that_were_collected_do_not_hold_the_copy(
    workspace: GitWorkspace, copy: Path, base: str
) -> None:
    own_commit(copy)
    run(workspace.collect("task-1", 1, base, "One", ""))
    assert run(workspace.release("task-1")) == ""


def test_nothing_of_a_released_copy_is_left(workspace: GitWorkspace, copy: Path) -> None:
    run(workspace.release("task-1"))
    assert not copy.parent.exists()


def cut_short(copy: Path) -> None:
    record = copy.parent / ".task-1/copy.json"
    record.write_text(record.read_text().replace('"releasing":false', '"releasing":true'))


def test_a_removal_cut_short_is_finished(workspace: GitWorkspace, copy: Path) -> None:
    cut_short(copy)
    (copy / "README.md").unlink()
    (copy / ".git").unlink()
    assert run(workspace.release("task-1")) == ""
    assert not copy.exists()


def test_a_removal_cut_short_keeps_a_file_that_was_not_there(
    workspace: GitWorkspace, copy: Path, root: Path
) -> None:
    cut_short(copy)
    (copy / "new.txt").write_text("new")
    assert run(workspace.release("task-1")) == KEPT
    assert git(root, "show", f"{KEPT}:new.txt") == "new"


def test_a_task_can_start_again_after_a_removal_cut_short(
    workspace: GitWorkspace, copy: Path, base: str
) -> None:
    cut_short(copy)
    (copy / "README.md").unlink()
    assert run(workspace.prepare("task-1", 2, [base], "", fresh=False)).path == copy
    assert (copy / "README.md").exists()


def test_a_copy_deleted_by_hand_is_forgotten(workspace: GitWorkspace, copy: Path, root: Path) -> None:
    copy.rename(root.parent / "taken")
    assert run(workspace.release("task-1")) == ""
    assert not copy.parent.exists()


def test_a_copy_that_was_never_finished_is_removed(
    open_workspace: Callable[..., GitWorkspace], base: str
) -> None:
    broken = open_workspace(provisions=Provisions(post_create=("touch made; false",)))
    with pytest.raises(Failed):
        run(broken.prepare("task-1", 1, [base], "", fresh=True))
    assert run(broken.release("task-1")) == ""
    assert not broken.path("task-1").exists()


@pytest.fixture
def unnoted(open_workspace: Callable[..., GitWorkspace], base: str) -> Path:
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


def private(unnoted: Path) -> Path:
    return unnoted.with_name(f".{unnoted.name}")


def clear(repository: Repository, unnoted: Path) -> str:
    settings = read_settings(repository.root)
    fence = Fence(repository.git(settings), "s1", Epoch(2), repository.state_dir / "acting.lock")
    fence.put_up()
    session = Session(
        repository=repository,
        settings=settings,
        id="s1",
        base_commit="",
        copies=unnoted.parent,
        logs=unnoted.parent,
        fence=fence,
    )
    (found,) = copies_of(session)
    try:
        return clear_away(found)
    finally:
        fence.take_down()


def test_commits_that_only_the_copy_had_are_kept(repository: Repository, root: Path, unnoted: Path) -> None:
    own = git(unnoted, "rev-parse", "HEAD")
    kept = clear(repository, unnoted)
    assert git(root, "rev-parse", f"{kept}^1") == own
    assert git(root, "show", f"{kept}:new.txt") == "new"
    assert not unnoted.exists()


def test_a_copy_whose_git_directory_is_broken_as_well_is_kept_by_its_files(
    repository: Repository, root: Path, unnoted: Path
) -> None:
    (private(unnoted) / "git/HEAD").unlink()
    kept = clear(repository, unnoted)
    assert git(root, "show", f"{kept}:new.txt") == "new"
    assert not unnoted.exists()


def test_a_copy_of_which_nobody_can_tell_what_it_stood_on_stays(
    repository: Repository, root: Path, unnoted: Path
) -> None:
    git(root, "branch", "-D", "teamlead/s1/task-1")
    with pytest.raises(Refused, match=r"which commit '.*task-1' stood on"):
        clear(repository, unnoted)
    assert (unnoted / "new.txt").read_text() == "new\n"
