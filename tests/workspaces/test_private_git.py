"""A copy has a git directory of its own: useful to its agent, harmless to the user, believed by nobody."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.system.git import as_user
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.kept_work import kept_refs

Result = TypeVar("Result")
Opener = Callable[..., GitWorkspace]


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


def prepare(workspace: GitWorkspace, base: str) -> Path:
    return run(workspace.prepare("task-1", 1, [base], "", fresh=True)).path


def collect(workspace: GitWorkspace, base: str) -> str:
    return run(workspace.collect("task-1", 1, base, "One", "")).commit


def git_dir(copy: Path) -> Path:
    return copy.with_name(f".{copy.name}") / "git"


def everything(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted((root / ".git").rglob("*"))
        if path.is_file()
    }


def test_the_users_refs_can_be_read_in_a_copy(workspace: GitWorkspace, root: Path, base: str) -> None:
    git(root, "tag", "-m", "a release", "v1")
    git(root, "branch", "topic")
    git(root, "pack-refs", "--all")
    git(root, "branch", "loose")
    git(root, "update-ref", "refs/remotes/origin/main", base)
    copy = prepare(workspace, base)
    for name in ("main", "topic", "loose", "v1^{commit}", "origin/main"):
        assert git(copy, "rev-parse", name) == base
    assert git(copy, "describe") == "v1"
    assert git(copy, "branch", "--show-current") == "teamlead/s1/task-1"


def test_nothing_that_git_does_in_a_copy_reaches_the_users_repository(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = prepare(workspace, base)
    before = everything(root)
    (copy / "new.txt").write_text("new")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "own")
    git(copy, "branch", "-f", "main")
    git(copy, "tag", "mine")
    git(copy, "config", "core.hooksPath", "/nowhere")
    (copy / "new.txt").write_text("newer")
    git(copy, "stash")
    git(copy, "-c", "gc.pruneExpire=now", "gc", "--quiet", "--prune=now")
    assert everything(root) == before


def test_the_user_commits_as_themselves_and_ignores_what_they_ignore(
    workspace: GitWorkspace, root: Path, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / ".git/info/exclude").write_text("private/\n")
    copy = prepare(workspace, base)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    (copy / "private").mkdir()
    (copy / "private/notes").write_text("mine")
    (copy / "new.txt").write_text("new")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "own")
    assert (
        git(copy, "show", "--format=%an <%ae>", "--name-only") == "Ada Lovelace <ada@example.org>\n\nnew.txt"
    )


def test_the_agents_own_commits_are_kept_in_the_users_repository(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = prepare(workspace, base)
    (copy / "new.txt").write_text("first version")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "own")
    own = git(copy, "rev-parse", "HEAD")
    (copy / "new.txt").write_text("second version")
    commit = collect(workspace, base)
    assert git(root, "show", f"{commit}:new.txt") == "second version"
    assert git(root, "show", "refs/teamlead/kept/s1/task-1/attempt-1:new.txt") == "first version"
    assert git(root, "rev-parse", "refs/teamlead/kept/s1/task-1/attempt-1") == own
    assert git(copy, "rev-parse", "HEAD") == commit
    assert git(copy, "status", "--porcelain") == ""


def test_a_branch_that_the_agent_packed_is_kept_when_its_copy_goes(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = prepare(workspace, base)
    git(copy, "checkout", "-qb", "idea")
    (copy / "idea.txt").write_text("an idea")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "idea")
    idea = git(copy, "rev-parse", "HEAD")
    git(copy, "checkout", "-q", "teamlead/s1/task-1")
    git(copy, "pack-refs", "--all")
    (git_dir(copy) / "logs/HEAD").unlink()
    (git_dir(copy) / "logs/refs/heads/idea").unlink()
    kept = run(workspace.release("task-1"))
    assert git(root, "merge-base", "--is-ancestor", idea, kept) == ""
    assert git(root, "show", f"{idea}:idea.txt") == "an idea"


def test_what_was_only_staged_is_kept(workspace: GitWorkspace, root: Path, base: str) -> None:
    copy = prepare(workspace, base)
    (copy / "new.txt").write_text("staged")
    git(copy, "add", "new.txt")
    (copy / "new.txt").write_text("on disk")
    run(workspace.release("task-1"))
    (kept,) = kept_refs(workspace._session.git, "refs/teamlead/kept/s1")
    assert git(root, "show", f"{kept.commit}:new.txt") == "on disk"
    assert git(root, "show", f"{kept.beside}:staged/new.txt") == "staged"


def leads_out(place: Path, name: str, target: Path) -> None:
    path = place / name
    if path.is_dir():
        path.rename(path.with_name(f"{path.name}.was"))
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize(
    "name",
    ["HEAD", "config", "index", "refs", "refs/heads", "refs/heads/teamlead", "objects/info", "packed-refs"],
)
def test_the_lead_follows_no_link_that_an_agent_put_there(
    workspace: GitWorkspace, base: str, tmp_path: Path, name: str
) -> None:
    copy = prepare(workspace, base)
    (copy / "new.txt").write_text("new")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "own")
    folder = (git_dir(copy) / name).is_dir()
    victim = tmp_path / "victim"
    victim.mkdir() if folder else victim.write_text("precious")
    leads_out(git_dir(copy), name, victim)
    assert collect(workspace, base)
    run(workspace.release("task-1"))
    assert list(victim.iterdir()) == [] if folder else victim.read_text() == "precious"


def test_settings_and_hooks_of_an_agent_do_not_run_when_a_person_calls_git_in_the_copy(
    workspace: GitWorkspace, base: str, tmp_path: Path
) -> None:
    copy = prepare(workspace, base)
    sprung = tmp_path / "sprung"
    git(copy, "config", "core.fsmonitor", f"touch {sprung}; false")
    git(copy, "config", "alias.st", f"!touch {sprung}")
    hook = git_dir(copy) / "hooks/post-checkout"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    hook.chmod(0o755)
    (copy / "new.txt").write_text("new")
    assert collect(workspace, base)
    git(copy, "-c", "core.hooksPath=hooks", "status")
    assert not sprung.exists()
    assert not hook.exists()


def test_a_repository_that_borrows_objects_itself_can_have_copies(
    open_workspace: Opener, root: Path, base: str
) -> None:
    store = root / ".git/objects"
    lender = root.parent / "lender"
    store.rename(lender)
    (store / "info").mkdir(parents=True)
    (store / "pack").mkdir()
    (store / "info/alternates").write_text("../../../lender\n")
    copy = prepare(open_workspace(), base)
    assert git(copy, "log", "--format=%H") == base


def test_a_damaged_object_of_an_agent_is_not_taken_over_and_its_work_is(
    workspace: GitWorkspace, root: Path, base: str
) -> None:
    copy = prepare(workspace, base)
    (copy / "new.txt").write_text("new")
    git(copy, "add", "-A")
    git(copy, "commit", "-qm", "own")
    tree = git(copy, "rev-parse", "HEAD^{tree}")
    (copy / "new.txt").write_text("newer")
    git(copy, "commit", "-qam", "again")
    damaged = git_dir(copy) / "objects" / tree[:2] / tree[2:]
    damaged.chmod(0o644)
    damaged.write_bytes(b"rubbish")
    commit = collect(workspace, base)
    assert git(root, "show", f"{commit}:new.txt") == "newer"
    assert git(root, "fsck", "--strict") == ""
    # What cannot be kept whole stays.
    assert run(workspace.release("task-1")) == str(copy)
