"""A look into copies in which agents are at work: what it finds, and that nobody can tell it was there."""

import asyncio
import hashlib
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.workspaces.conftest import Opener, write

from teamlead.errors import GitFailed, TeamleadError
from teamlead.system.git import as_user
from teamlead.system.repository import Repository
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions

Result = TypeVar("Result")
LINES = "".join(f"line {number}\n" for number in range(40))


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


def copy_of(workspace: GitWorkspace, task: str, base: str) -> Path:
    return run(workspace.prepare(task, 1, [base], "", fresh=False)).path


def foreseen(workspace: GitWorkspace) -> tuple[str, ...]:
    return run(workspace.try_merge(run(workspace.snapshot("task-1")), run(workspace.snapshot("task-2"))))


def everything(*folders: Path) -> dict[str, str]:
    """Each file below, git's own too."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


@pytest.fixture
def two(workspace: GitWorkspace, root: Path) -> tuple[Path, Path]:
    write(root, {"long.txt": LINES})
    (root / "picture.bin").write_bytes(bytes(range(256)))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    base = git(root, "rev-parse", "HEAD")
    return copy_of(workspace, "task-1", base), copy_of(workspace, "task-2", base)


def test_edits_of_other_parts_of_one_file_do_not_conflict(
    workspace: GitWorkspace, two: tuple[Path, Path]
) -> None:
    one, other = two
    (one / "long.txt").write_text(LINES.replace("line 3\n", "line three\n"))
    (other / "long.txt").write_text(LINES.replace("line 33\n", "line thirty-three\n"))
    assert foreseen(workspace) == ()
    (other / "long.txt").write_text(LINES.replace("line 3\n", "line 3!\n"))
    assert foreseen(workspace) == ("long.txt",)


def test_binary_files_deleted_ones_and_files_that_became_folders_conflict(
    workspace: GitWorkspace, two: tuple[Path, Path]
) -> None:
    one, other = two
    (one / "picture.bin").write_bytes(b"\0one")
    (other / "picture.bin").write_bytes(b"\0other")
    (one / "README.md").unlink()
    (other / "README.md").write_text("hello again\n")
    (one / "place").write_text("a file\n")
    write(other, {"place/inside.txt": "a folder\n"})
    found = foreseen(workspace)
    assert {"picture.bin", "README.md"} <= {*found}
    assert any(path.startswith("place") for path in found)


def test_nothing_changes_in_the_repository_or_in_a_copy(
    workspace: GitWorkspace, two: tuple[Path, Path], root: Path
) -> None:
    one, other = two
    write(one, {"long.txt": "mine\n", "new.txt": "new\n"})
    write(other, {"long.txt": "theirs\n"})
    git(one, "add", "long.txt")
    git(other, "commit", "-qam", "its own")
    before = everything(root, one, other)
    assert foreseen(workspace) == ("long.txt",)
    assert everything(root, one, other) == before


def test_a_copy_with_a_lock_and_an_unfinished_merge_is_looked_at_and_left_so(
    workspace: GitWorkspace, two: tuple[Path, Path], root: Path
) -> None:
    one, other = two
    (one / "long.txt").write_text("mine\n")
    git(one, "commit", "-qam", "mine")
    git(one, "checkout", "-q", "--detach", "HEAD^")
    (one / "long.txt").write_text("also mine\n")
    git(one, "commit", "-qam", "also mine")
    with pytest.raises(TeamleadError):
        git(one, "merge", "-q", "teamlead/s1/task-1")
    registration = Path(git(one, "rev-parse", "--absolute-git-dir"))
    (registration / "index.lock").touch()
    (other / "long.txt").write_text("theirs\n")
    before = everything(root, one, other)
    assert (registration / "MERGE_HEAD").exists()
    assert foreseen(workspace) == ("long.txt",)
    assert everything(root, one, other) == before


def test_a_broken_index_of_an_agent_hides_nothing(workspace: GitWorkspace, two: tuple[Path, Path]) -> None:
    one, other = two
    Path(git(one, "rev-parse", "--absolute-git-dir"), "index").write_bytes(b"broken")
    git(other, "update-index", "--assume-unchanged", "long.txt")
    write(one, {"long.txt": "mine\n"})
    write(other, {"long.txt": "theirs\n"})
    assert foreseen(workspace) == ("long.txt",)


def test_what_the_configuration_provides_is_nobodys_change(
    open_workspace: Opener, root: Path, base: str
) -> None:
    write(root, {"local.cfg": "mine\n"})
    workspace = open_workspace(provisions=Provisions(copy=("local.cfg",)))
    one, other = copy_of(workspace, "task-1", base), copy_of(workspace, "task-2", base)
    assert run(workspace.snapshot("task-1")) == base
    write(one, {"local.cfg": "one\n", "README.md": "one\n"})
    write(other, {"README.md": "other\n"})
    for _ in range(2):
        assert foreseen(workspace) == ("README.md",)


def test_a_file_left_out_of_a_sparse_copy_is_not_a_deleted_one(
    open_workspace: Opener, root: Path, base: str
) -> None:
    workspace = open_workspace(scope=("docs/",))
    copy = copy_of(workspace, "task-1", base)
    assert not (copy / "src/app.py").exists()
    assert run(workspace.snapshot("task-1")) == base
    write(copy, {"docs/a.md": "a\n"})
    commit = run(workspace.snapshot("task-1"))
    tip = run(workspace.integrate("task-2", run(_collected(workspace, base)), "Change the app"))
    assert run(workspace.try_merge(commit, tip)) == ()


async def _collected(workspace: GitWorkspace, base: str) -> str:
    copy = await workspace.prepare("task-2", 1, [base], "", fresh=False)
    write(copy.path, {"src/app.py": "other\n"})
    return (await workspace.collect("task-2", 1, base, "Change the app", "")).commit


def test_a_copy_made_anew_is_seen_as_it_is_now(workspace: GitWorkspace, base: str) -> None:
    write(copy_of(workspace, "task-1", base), {"a.txt": "a\n"})
    assert run(workspace.snapshot("task-1")) != base
    run(workspace.prepare("task-1", 2, [base], "", fresh=True))
    assert run(workspace.snapshot("task-1")) == base


def test_what_cannot_be_read_hides_nothing_else(workspace: GitWorkspace, two: tuple[Path, Path]) -> None:
    one, other = two
    (one / "nested").mkdir()
    git(one / "nested", "init", "-q")
    write(one, {"long.txt": "mine\n"})
    write(other, {"long.txt": "theirs\n"})
    assert foreseen(workspace) == ("long.txt",)


def test_looks_at_a_copy_that_is_written_and_taken_away_meanwhile_end(
    workspace: GitWorkspace, two: tuple[Path, Path]
) -> None:
    """Each gives a commit, nothing, or an error of ours: never anything else."""
    one, _ = two
    over = threading.Event()

    def agent() -> None:
        number = 0
        while not over.is_set():
            number += 1
            path = one / f"file-{number % 7}.txt"
            path.unlink(missing_ok=True) if number % 3 == 0 else path.write_text(f"{number}\n" * 500)

    async def story() -> list[str]:
        writing = asyncio.get_running_loop().run_in_executor(None, agent)
        found = []
        for _ in range(10):
            try:
                found.append(await workspace.snapshot("task-1"))
            except TeamleadError:
                found.append("")
        over.set()
        await writing
        found.append(await workspace.snapshot("task-1"))
        await workspace.release("task-1")
        return [*found, await workspace.snapshot("task-1")]

    found = run(story())
    assert found[-1] == ""
    assert len(found[-2]) == 40


def test_nothing_of_it_is_left_and_an_earlier_leader_left_nothing_that_lasts(
    open_workspace: Opener, repository: Repository, base: str
) -> None:
    place = repository.state_dir / "logs/trial_merge"
    write(place, {"objects/aa/torn": "by a leader that was killed", "task-1.index.lock": ""})
    with open_workspace() as workspace:
        assert not place.exists()
        write(copy_of(workspace, "task-1", base), {"a.txt": "a\n"})
        assert run(workspace.snapshot("task-1")) != base
        assert place.exists()
    assert not place.exists()


def test_a_commit_that_is_gone_is_an_error_of_ours(workspace: GitWorkspace, base: str) -> None:
    with pytest.raises(GitFailed):
        run(workspace.try_merge(base, "0" * 40))
