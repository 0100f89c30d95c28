import asyncio
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.system.git import as_user
from teamlead.system.repository import Repository
from teamlead.workspaces import all_files, keeping
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.kept_work import Kept, kept_refs
from teamlead.workspaces.provisions import Provisions
from teamlead.workspaces.salvage import restore

Result = TypeVar("Result")
Opener = Callable[..., GitWorkspace]

KEPT = "refs/teamlead/kept/s1/task-1/1"


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


def prepared(workspace: GitWorkspace, base: str, attempt: int = 1) -> Path:
    return run(workspace.prepare("task-1", attempt, [base], "", fresh=True)).path


@pytest.fixture
def copy(workspace: GitWorkspace, base: str) -> Path:
    return prepared(workspace, base)


@pytest.fixture
def kept(repository: Repository) -> Callable[[], Kept]:
    def only() -> Kept:
        (found,) = kept_refs(repository.git())
        return found

    return only


def names(root: Path) -> list[str]:
    return git(root, "ls-tree", "-r", "--name-only", KEPT).splitlines()


def test_ignored_files_of_the_agents_making_are_kept(workspace: GitWorkspace, copy: Path, root: Path) -> None:
    (copy / "run.log").write_text("what happened")
    assert run(workspace.release("task-1")) == KEPT
    assert git(root, "show", f"{KEPT}:run.log") == "what happened"


def test_caches_go_with_the_copy_if_git_ignores_them(workspace: GitWorkspace, copy: Path, root: Path) -> None:
    (copy / ".gitignore").write_text("node_modules/\ncache/\n")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "own")
    for folder in ("node_modules", "cache", "__pycache__"):
        (copy / folder).mkdir()
        (copy / folder / "x").write_text("x")
    (copy / "cache/CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    assert run(workspace.release("task-1")) == KEPT
    assert "__pycache__/x" in names(root)
    assert not {"node_modules/x", "cache/x"} & {*names(root)}


def test_what_config_provided_is_not_kept_until_the_agent_changes_it(
    open_workspace: Opener, root: Path, base: str
) -> None:
    (root / ".env").write_text("SECRET=1")
    workspace = open_workspace(
        provisions=Provisions(post_create=("echo built > made.log", "echo x > made.txt"), copy=(".env",))
    )
    prepared(workspace, base)
    assert run(workspace.release("task-1")) == ""
    copy = prepared(workspace, base, 2)
    (copy / "made.log").write_text("changed")
    assert run(workspace.release("task-1")) == KEPT
    assert names(root) == [".gitignore", "README.md", "made.log", "src/app.py"]


def test_a_copy_with_more_ignored_files_than_allowed_stays(open_workspace: Opener, base: str) -> None:
    workspace = open_workspace(keep_ignored=1)
    copy = prepared(workspace, base)
    (copy / "large.log").write_bytes(b"x" * 1_000_001)
    assert run(workspace.release("task-1")) == str(copy)
    (copy / "large.log").write_bytes(b"x" * 1_000_000)
    assert run(workspace.release("task-1")) == KEPT


def test_pipes_and_sockets_hold_nothing_and_go(workspace: GitWorkspace, copy: Path) -> None:
    os.mkfifo(copy / "pipe")
    assert run(workspace.release("task-1")) == ""
    assert not copy.exists()


if os.geteuid() == 0:
    # Nobody else can make devices.
    def test_a_copy_with_a_device_stays(workspace: GitWorkspace, copy: Path) -> None:
        os.mknod(copy / "device", 0o20600, os.makedev(1, 3))
        assert run(workspace.release("task-1")) == str(copy)


def test_line_ends_are_kept_as_they_are_on_disk(
    workspace: GitWorkspace,
    copy: Path,
    repository: Repository,
    tmp_path: Path,
    kept: Callable[[], Kept],
) -> None:
    (copy / ".gitattributes").write_text("* text=auto\n")
    (copy / "dos.txt").write_bytes(b"a\r\nb\r\n")
    run(workspace.release("task-1"))
    back = restore(repository.git(), kept(), tmp_path / "back")
    assert (back.folder / "dos.txt").read_bytes() == b"a\r\nb\r\n"


def test_staged_content_and_every_side_of_a_conflict_come_back_beside_the_files(
    workspace: GitWorkspace, copy: Path, repository: Repository, tmp_path: Path, kept: Callable[[], Kept]
) -> None:
    (copy / "a.txt").write_text("only staged")
    git(copy, "add", "a.txt")
    (copy / "a.txt").unlink()
    git(copy, "checkout", "-q", "-b", "other")
    (copy / "README.md").write_text("theirs\n")
    git(copy, "commit", "-qm", "theirs", "README.md")
    git(copy, "checkout", "-q", "teamlead/s1/task-1")
    (copy / "README.md").write_text("ours\n")
    git(copy, "commit", "-qm", "ours", "README.md")
    as_user(copy, "cherry-pick", "--no-commit", "other", ok=(0, 1))
    git(copy, "branch", "-qD", "other")
    assert run(workspace.release("task-1")) == KEPT
    beside = restore(repository.git(), kept(), tmp_path / "back").beside
    assert beside is not None
    assert (beside / "staged/a.txt").read_text() == "only staged"
    sides = [(beside / f"conflicts/{side}/README.md").read_text() for side in (1, 2, 3)]
    assert sides == ["hello\n", "ours\n", "theirs\n"]


def test_a_commit_that_was_left_is_kept(workspace: GitWorkspace, copy: Path, root: Path) -> None:
    git(copy, "switch", "-q", "--detach")
    git(copy, "commit", "-q", "--allow-empty", "-m", "own")
    own = git(copy, "rev-parse", "HEAD")
    git(copy, "switch", "-q", "teamlead/s1/task-1")
    assert run(workspace.release("task-1")) == KEPT
    assert git(root, "for-each-ref", "--contains", own, "--format=%(refname)") == KEPT


def test_commits_outlive_a_copy_that_was_deleted_by_hand(
    workspace: GitWorkspace, copy: Path, root: Path
) -> None:
    git(copy, "switch", "-q", "--detach")
    git(copy, "commit", "-q", "--allow-empty", "-m", "own")
    own = git(copy, "rev-parse", "HEAD")
    copy.rename(root.parent / "taken")
    assert run(workspace.release("task-1")) == KEPT
    assert git(root, "for-each-ref", "--contains", own, "--format=%(refname)") == KEPT


def test_a_nested_repository_works_again_when_it_is_restored(
    workspace: GitWorkspace, copy: Path, repository: Repository, tmp_path: Path, kept: Callable[[], Kept]
) -> None:
    (copy / "inner").mkdir()
    git(copy / "inner", "init", "-q")
    git(copy / "inner", "commit", "-q", "--allow-empty", "-m", "inner work")
    run(workspace.release("task-1"))
    back = restore(repository.git(), kept(), tmp_path / "back").folder
    assert git(back / "inner", "log", "--format=%s") == "inner work"


def test_the_same_content_is_kept_once(
    workspace: GitWorkspace, copy: Path, base: str, kept: Callable[[], Kept]
) -> None:
    (copy / "a.txt").write_text("a")
    assert run(workspace.release("task-1")) == KEPT
    (prepared(workspace, base, 2) / "a.txt").write_text("a")
    assert run(workspace.release("task-1")) == KEPT
    assert kept().ref == KEPT


def test_a_release_that_is_asked_about_again_gives_the_same_answer(
    workspace: GitWorkspace, copy: Path
) -> None:
    (copy / "a.txt").write_text("a")
    assert run(workspace.release("task-1")) == KEPT
    assert run(workspace.release("task-1")) == KEPT


def test_a_file_that_changes_while_it_is_kept_is_kept_as_it_is_then(
    workspace: GitWorkspace, copy: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copy / "a.txt").write_text("first")
    real, changes = all_files.store, iter(["second"])

    def store_then_change(*arguments: Any) -> all_files.StoredTree:
        tree = real(*arguments)
        for text in changes:
            (copy / "a.txt").write_text(text)
        return tree

    monkeypatch.setattr(all_files, "store", store_then_change)
    assert run(workspace.release("task-1")) == KEPT
    assert git(root, "show", f"{KEPT}:a.txt") == "second"


def test_a_copy_that_never_rests_stays(
    workspace: GitWorkspace, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copy / "a.txt").write_text("")
    real = all_files.store

    def store_then_change(*arguments: Any) -> all_files.StoredTree:
        tree = real(*arguments)
        with (copy / "a.txt").open("a") as stream:
            stream.write("more")
        return tree

    monkeypatch.setattr(all_files, "store", store_then_change)
    assert run(workspace.release("task-1")) == str(copy)
    assert (copy / "a.txt").read_text() == "more" * keeping.TRIES


def test_what_cannot_be_read_back_does_not_count_as_kept(
    workspace: GitWorkspace, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copy / "a.txt").write_text("a")
    monkeypatch.setattr(
        "teamlead.workspaces.git_objects.existing", lambda git, names: dict.fromkeys(names, -1)
    )
    assert run(workspace.release("task-1")) == str(copy)
    assert (copy / "a.txt").read_text() == "a"


def test_the_trailers_tell_all_that_a_list_needs(
    workspace: GitWorkspace, copy: Path, kept: Callable[[], Kept]
) -> None:
    (copy / "a.txt").write_text("abc")
    run(workspace.release("task-1"))
    told = kept()
    assert (told.session, told.task, told.attempt, told.reason) == ("s1", "task-1", 1, "released")
    assert (told.files, told.size) == (1, 3)
