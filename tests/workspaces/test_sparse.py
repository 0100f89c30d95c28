"""Copies that hold only the scope of their task."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.core.policy.scope import in_scope
from teamlead.system.git import as_user
from teamlead.system.repository import Repository
from teamlead.workspaces import copy_pool
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.sparse import patterns

Result = TypeVar("Result")
Opener = Callable[..., GitWorkspace]
FILES = (
    "top.txt",
    "src/app.py",
    "src/auth/login.py",
    "src/auth/deep/er.py",
    "src/authors.txt",
    "docs/guide.md",
    "docs/api/guide.md",
    "odd [x]/a b.txt",
    "odd x/a b.txt",
)


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


@pytest.fixture
def base(root: Path) -> str:
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{name}\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "more")
    return git(root, "rev-parse", "HEAD")


def on_disk(copy: Path) -> set[str]:
    return {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file() and path.name != ".git"}


@pytest.mark.parametrize(
    "scope",
    [
        ("src/auth/",),
        ("src/auth",),
        ("./src/app.py", "docs/"),
        ("src/*.txt",),
        ("**/guide.md",),
        ("docs/**/guide.md",),
        ("docs/**",),
        ("src/au**py",),
        ("odd [x]/",),
        ("odd [x]/a b.txt",),
        ("sr?/app.py",),
        ("nowhere/",),
    ],
)
def test_a_copy_holds_its_scope_and_the_files_at_the_root(
    open_workspace: Opener, root: Path, base: str, scope: tuple[str, ...]
) -> None:
    copy = run(open_workspace(scope=scope).prepare("task-1", 1, [base], "", fresh=True)).path
    tracked = set(git(root, "ls-tree", "-r", "-z", "--name-only", base).split("\0")) - {""}
    needed = {name for name in tracked if "/" not in name or in_scope(name, scope)}
    assert needed <= on_disk(copy) < tracked
    assert git(copy, "status", "--porcelain") == ""


@pytest.mark.parametrize("scope", [(), ("**",), (".",), ("src/", "./")])
def test_a_scope_of_everything_makes_a_whole_copy(scope: tuple[str, ...]) -> None:
    assert patterns(scope) == ()


def test_what_is_left_out_is_not_deleted_by_the_work(open_workspace: Opener, root: Path, base: str) -> None:
    workspace = open_workspace(scope=("src/auth/",))
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    (copy / "src/auth/login.py").write_text("changed\n")
    (copy / "src/auth/deep/er.py").unlink()
    work = run(workspace.collect("task-1", 1, base, "Work", ""))
    assert {change.path for change in work.changes} == {"src/auth/login.py", "src/auth/deep/er.py"}
    assert git(root, "show", f"{work.commit}:docs/guide.md") == "docs/guide.md"


def test_an_agents_own_commit_deletes_nothing_that_is_left_out(open_workspace: Opener, base: str) -> None:
    workspace = open_workspace(scope=("src/auth/",))
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    (copy / "src/auth/login.py").write_text("changed\n")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "own")
    assert git(copy, "diff", "--name-only", "HEAD~1", "HEAD") == "src/auth/login.py"
    work = run(workspace.collect("task-1", 1, base, "Work", ""))
    assert [change.path for change in work.changes] == ["src/auth/login.py"]


def test_a_file_written_where_one_is_left_out_is_found(open_workspace: Opener, base: str) -> None:
    workspace = open_workspace(scope=("src/auth/",))
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    (copy / "docs").mkdir()
    (copy / "docs/guide.md").write_text("out of scope\n")
    work = run(workspace.collect("task-1", 1, base, "Work", ""))
    assert [change.path for change in work.changes] == ["docs/guide.md"]


def test_work_is_found_without_our_index(open_workspace: Opener, base: str) -> None:
    workspace = open_workspace(scope=("src/auth/",))
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    (copy / "src/auth/login.py").write_text("changed\n")
    (copy.parent / ".task-1/index").write_text("broken")
    work = run(workspace.collect("task-1", 1, base, "Work", ""))
    assert [change.path for change in work.changes] == ["src/auth/login.py"]


def test_the_users_configuration_stays_as_it_is(open_workspace: Opener, root: Path, base: str) -> None:
    before = (root / ".git/config").read_bytes(), sorted((root / ".git/info").iterdir())
    workspace = open_workspace(scope=("src/auth/",))
    run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    run(workspace.collect("task-1", 1, base, "Work", ""))
    assert run(workspace.release("task-1")) == ""
    assert ((root / ".git/config").read_bytes(), sorted((root / ".git/info").iterdir())) == before


def test_sparse_and_whole_copies_do_not_serve_each_other(
    open_workspace: Opener, repository: Repository, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_pool, "FEWEST_FILES", 0)
    whole, limited = open_workspace("whole"), open_workspace("limited", scope=("src/auth/",))
    run(limited.prepare("task-1", 1, [base], "", fresh=True))
    assert run(limited.release("task-1")) == ""
    assert not copy_pool.folder(repository).exists()
    run(whole.prepare("task-1", 1, [base], "", fresh=True))
    assert run(whole.release("task-1")) == ""
    copy = run(limited.prepare("task-2", 1, [base], "", fresh=True)).path
    assert not (copy / "docs").exists()
    assert [place.name for place in copy_pool.folder(repository).iterdir()] == ["1"]


def test_unfinished_work_in_a_sparse_copy_is_kept_with_nothing_deleted(
    open_workspace: Opener, root: Path, base: str
) -> None:
    workspace = open_workspace(scope=("src/auth/",))
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path
    (copy / "src/auth/new.py").write_text("new\n")
    ref = run(workspace.release("task-1"))
    assert git(root, "diff", "--name-status", base, ref) == "A\tsrc/auth/new.py"
