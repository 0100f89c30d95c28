import asyncio
import shlex
import subprocess
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.errors import MergeConflict, Refused
from teamlead.ports.workspace import Applied
from teamlead.system.git import as_user
from teamlead.workspaces.git_workspace import GitWorkspace

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


def git(folder: Path, *arguments: str) -> str:
    return as_user(folder, *arguments).text


def commit(folder: Path, name: str, content: str) -> str:
    (folder / name).write_text(content)
    git(folder, "add", name)
    git(folder, "commit", "-qm", f"user changes {name}")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def tip(workspace: GitWorkspace, base: str) -> str:
    """Integrated work: README.md changed, a.txt added."""
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "README.md").write_text("by the agent\n")
    (copy.path / "a.txt").write_text("a\n")
    work = run(workspace.collect("task-1", 1, base, "One", ""))
    return run(workspace.integrate("task-1", work.commit, "One"))


def approve(
    workspace: GitWorkspace, tip: str, *, branch: str = "main", squash: bool = False, sign: bool = False
) -> Applied:
    return run(
        workspace.apply(tip, branch, squash=squash, sign=sign, message="Approve the work\n\nAll of it.\n")
    )


def undo(applied: Applied) -> None:
    subprocess.run(shlex.split(applied.undo), check=True, capture_output=True)


def test_a_branch_that_did_not_move_is_fast_forwarded(
    workspace: GitWorkspace, root: Path, base: str, tip: str
) -> None:
    applied = approve(workspace, tip)
    assert git(root, "rev-parse", "main") == applied.commit == tip
    assert (root / "a.txt").read_text() == "a\n"
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "rev-parse", "refs/teamlead/approvals/s1/before-approval") == base


def test_a_branch_that_moved_is_merged_with(workspace: GitWorkspace, root: Path, tip: str) -> None:
    moved = commit(root, "b.txt", "b\n")
    applied = approve(workspace, tip)
    assert (
        git(root, "show", "-s", "--format=%P|%s|%an", "main")
        == f"{moved} {tip}|Approve the work|Ada Lovelace"
    )
    assert applied.before == moved
    assert ((root / "a.txt").read_text(), (root / "b.txt").read_text()) == ("a\n", "b\n")
    assert git(root, "status", "--porcelain") == ""


def test_a_conflict_with_the_branch_is_named_and_changes_nothing(
    workspace: GitWorkspace, root: Path, tip: str
) -> None:
    moved = commit(root, "README.md", "by the user\n")
    with pytest.raises(MergeConflict, match="'main'") as caught:
        approve(workspace, tip)
    assert caught.value.paths == ("README.md",)
    assert git(root, "rev-parse", "main") == moved
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("add", [False, True])
def test_changes_that_overlap_are_named_and_left_alone(
    workspace: GitWorkspace, root: Path, base: str, tip: str, add: bool
) -> None:
    (root / "README.md").write_text("not committed\n")
    if add:
        git(root, "add", "-A")
    with pytest.raises(Refused, match=r"README\.md"):
        approve(workspace, tip)
    assert git(root, "rev-parse", "main") == base
    assert (root / "README.md").read_text() == "not committed\n"


def test_an_untracked_file_in_the_way_is_named_and_left_alone(
    workspace: GitWorkspace, root: Path, tip: str
) -> None:
    (root / "a.txt").write_text("mine\n")
    with pytest.raises(Refused, match=r"a\.txt"):
        approve(workspace, tip)
    assert (root / "a.txt").read_text() == "mine\n"


def test_changes_elsewhere_stay_as_they_are(workspace: GitWorkspace, root: Path, tip: str) -> None:
    (root / "src/app.py").write_text("edited\n")
    (root / "staged.txt").write_text("staged\n")
    git(root, "add", "staged.txt")
    approve(workspace, tip)
    assert git(root, "status", "--porcelain").splitlines() == [" M src/app.py", "A  staged.txt"]
    assert (root / "a.txt").exists()


def test_changes_are_never_stashed_even_if_the_user_likes_that_elsewhere(
    workspace: GitWorkspace, root: Path, tip: str
) -> None:
    git(root, "config", "merge.autoStash", "true")
    (root / "README.md").write_text("not committed\n")
    with pytest.raises(Refused):
        approve(workspace, tip)
    assert git(root, "stash", "list") == ""


def test_a_branch_in_a_linked_working_tree_moves_there(
    workspace: GitWorkspace, root: Path, tmp_path: Path, base: str, tip: str
) -> None:
    linked = tmp_path / "linked"
    git(root, "worktree", "add", "-q", "-b", "side", str(linked), base)
    applied = approve(workspace, tip, branch="side")
    assert (linked / "a.txt").exists()
    assert git(linked, "status", "--porcelain") == ""
    assert git(root, "rev-parse", "main") == base
    undo(applied)
    assert not (linked / "a.txt").exists()


def test_what_was_applied_is_known_also_while_the_user_is_in_the_middle_of_something(
    workspace: GitWorkspace, root: Path, tip: str
) -> None:
    assert asyncio.run(workspace.applied(tip, "main")) is None
    applied = approve(workspace, tip)
    (root / ".git/MERGE_HEAD").write_text(f"{tip}\n")
    assert asyncio.run(workspace.applied(tip, "main")) == applied
    assert approve(workspace, tip) == applied


def test_a_branch_that_is_nowhere_checked_out_just_moves(
    workspace: GitWorkspace, root: Path, base: str, tip: str
) -> None:
    git(root, "branch", "side")
    applied = approve(workspace, tip, branch="side")
    assert git(root, "rev-parse", "side") == tip
    assert not (root / "a.txt").exists()
    undo(applied)
    assert git(root, "rev-parse", "side") == base


def test_a_working_tree_that_is_gone_does_not_count(
    workspace: GitWorkspace, root: Path, tmp_path: Path, tip: str
) -> None:
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    (tmp_path / "linked").rename(tmp_path / "elsewhere")
    approve(workspace, tip, branch="side")
    assert git(root, "rev-parse", "side") == tip


def start_conflict(root: Path, command: str) -> None:
    git(root, "switch", "-qc", "other")
    commit(root, "src/app.py", "theirs\n")
    git(root, "switch", "-q", "main")
    commit(root, "src/app.py", "ours\n")
    as_user(root, command, "other", ok=(1,))


@pytest.mark.parametrize("command", ["merge", "cherry-pick", "rebase"])
def test_nothing_moves_while_the_user_is_in_the_middle_of(
    command: str, workspace: GitWorkspace, root: Path, tip: str
) -> None:
    start_conflict(root, command)
    before = git(root, "rev-parse", "main"), git(root, "status", "--porcelain")
    with pytest.raises(Refused, match=command):
        approve(workspace, tip)
    assert (git(root, "rev-parse", "main"), git(root, "status", "--porcelain")) == before


def test_nothing_moves_during_a_bisection(workspace: GitWorkspace, root: Path, base: str, tip: str) -> None:
    commit(root, "b.txt", "b\n")
    commit(root, "c.txt", "c\n")
    git(root, "bisect", "start", "HEAD", base)
    with pytest.raises(Refused, match="bisection"):
        approve(workspace, tip)


def test_a_rebase_of_another_branch_does_not_matter(workspace: GitWorkspace, root: Path, tip: str) -> None:
    start_conflict(root, "rebase")
    git(root, "branch", "side", "HEAD^")
    approve(workspace, tip, branch="side")
    assert git(root, "merge-base", "--is-ancestor", tip, "side") == ""


def test_a_squash_is_one_commit_of_the_user(workspace: GitWorkspace, root: Path, base: str, tip: str) -> None:
    applied = approve(workspace, tip, squash=True)
    assert git(root, "show", "-s", "--format=%H|%P|%s", "main") == f"{applied.commit}|{base}|Approve the work"
    assert git(root, "diff", "--name-only", "main", tip) == ""
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("squash", [False, True])
def test_applying_twice_changes_nothing_also_after_the_user_went_on(
    workspace: GitWorkspace, root: Path, tip: str, squash: bool
) -> None:
    commit(root, "b.txt", "b\n")
    applied = approve(workspace, tip, squash=squash)
    head = commit(root, "c.txt", "c\n")
    assert approve(workspace, tip, squash=squash) == applied
    assert git(root, "rev-parse", "main") == head


def test_work_that_the_user_merged_by_hand_counts_as_applied(
    workspace: GitWorkspace, root: Path, tip: str
) -> None:
    git(root, "merge", "-q", tip)
    assert approve(workspace, tip).commit == git(root, "rev-parse", "main")


@pytest.mark.parametrize("squash", [False, True])
def test_the_undo_brings_the_branch_and_its_files_back(
    workspace: GitWorkspace, root: Path, tip: str, squash: bool
) -> None:
    moved = commit(root, "b.txt", "b\n")
    (root / "src/app.py").write_text("edited\n")
    undo(approve(workspace, tip, squash=squash))
    assert git(root, "rev-parse", "main") == moved
    assert not (root / "a.txt").exists()
    assert (root / "src/app.py").read_text() == "edited\n"
    approve(workspace, tip, squash=squash)
    assert (root / "a.txt").exists()


def test_a_branch_that_is_gone_is_refused(workspace: GitWorkspace, tip: str) -> None:
    with pytest.raises(Refused, match="'side' is gone"):
        approve(workspace, tip, branch="side")


def test_signing_is_done_with_the_program_of_the_user(
    workspace: GitWorkspace, root: Path, tmp_path: Path, base: str, tip: str
) -> None:
    program = tmp_path / "sign"
    program.write_text("#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho SIGNATURE-OF-ADA\n")
    program.chmod(0o755)
    git(root, "config", "--global", "gpg.program", str(program))
    approve(workspace, tip, sign=True)
    shown = git(root, "cat-file", "commit", "main")
    assert "SIGNATURE-OF-ADA" in shown
    assert git(root, "show", "-s", "--format=%P", "main") == f"{base} {tip}"


def test_a_signature_that_fails_moves_nothing(
    workspace: GitWorkspace, root: Path, base: str, tip: str
) -> None:
    git(root, "config", "--global", "gpg.program", "false")
    with pytest.raises(Refused, match="signed"):
        approve(workspace, tip, sign=True)
    assert git(root, "rev-parse", "main") == base
