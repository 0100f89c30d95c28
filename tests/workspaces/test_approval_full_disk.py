"""An approval in the user's own tree, when its disk fills up in the middle."""

import os
import shutil
from pathlib import Path

import pytest
from tests.workspaces.test_approval import approve, commit, git, run, tip

from teamlead.errors import DiskUnusable, Refused
from teamlead.system.git import as_user
from teamlead.workspaces import approval
from teamlead.workspaces.git_workspace import GitWorkspace

__all__ = ["tip"]


@pytest.fixture
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """While this file exists, git's merges stop half-way, as they do on a full disk."""
    real, folder, switch = shutil.which("git"), tmp_path / "bin", tmp_path / "full"
    folder.mkdir()
    switch.touch()
    (folder / "git").write_text(
        f"""#!/bin/sh
case "$*" in
*"merge --ff-only"*) if [ -e {switch} ]; then
    printf by > README.md
    : > a.txt
    rm -f "name with space"
    echo "error: unable to write file a.txt: No space left on device" >&2
    exit 1
  fi ;;
esac
exec {real} "$@"
"""
    )
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return switch


def test_what_a_full_disk_left_half_written_is_put_back(
    workspace: GitWorkspace, root: Path, base: str, tip: str, full: Path
) -> None:
    (root / "src/app.py").write_text("my own change\n")
    with pytest.raises(DiskUnusable, match="No space left on device"):
        approve(workspace, tip)
    assert git(root, "rev-parse", "main") == base
    assert git(root, "status", "--porcelain") == " M src/app.py"
    assert (root / "README.md").read_text() == "hello\n"

    full.unlink()
    assert approve(workspace, tip).commit == tip
    assert (root / "a.txt").read_text() == "a\n"
    assert (root / "src/app.py").read_text() == "my own change\n"


def test_without_putting_back_it_would_be_taken_for_the_users_change(
    workspace: GitWorkspace, root: Path, tip: str, full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(approval, "_put_back", lambda *_: None)
    with pytest.raises(DiskUnusable):
        approve(workspace, tip)
    full.unlink()
    with pytest.raises(Refused, match=r"your changes in .* overlap"):
        approve(workspace, tip)


@pytest.mark.parametrize("mine", ["README.md", "a.txt"])
def test_nothing_is_put_back_over_a_change_of_the_users(
    workspace: GitWorkspace, root: Path, tip: str, full: Path, mine: str
) -> None:
    """Such a merge would be refused; a disk that fails before git looks must not change that."""
    (root / mine).write_text("mine\n")
    with pytest.raises(DiskUnusable):
        approval.fast_forward(root, git(root, "rev-parse", "main"), tip)
    untouched = {"README.md": "by", "a.txt": ""}
    assert (root / mine).read_text() == untouched[mine], "what the disk did is all that was done"


def test_what_cannot_be_put_back_is_named_with_its_remedy(
    workspace: GitWorkspace, root: Path, tip: str, full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(tree: Path, *arguments: str, **options: object) -> object:
        if "checkout" in arguments:
            raise DiskUnusable("still full")
        return as_user(tree, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(approval, "as_user", failing)
    with pytest.raises(DiskUnusable, match="could not be put back: still full") as caught:
        approve(workspace, tip)
    assert f"git -C {root} checkout" in caught.value.remedy


def test_a_file_that_git_ignores_is_not_overwritten(workspace: GitWorkspace, root: Path, base: str) -> None:
    copy = run(workspace.prepare("task-1", 1, [base], "", fresh=True))
    (copy.path / "debug.log").write_text("theirs\n")
    as_user(copy.path, "add", "-f", "debug.log")
    work = run(workspace.collect("task-1", 1, base, "One", ""))
    tip = run(workspace.integrate("task-1", work.commit, "One"))
    (root / "debug.log").write_text("mine\n")
    with pytest.raises(Refused, match=r"overlap with the work: debug\.log"):
        approve(workspace, tip)
    assert (root / "debug.log").read_text() == "mine\n"


def test_a_merge_that_deletes_and_renames_is_put_back_whole(
    workspace: GitWorkspace, root: Path, full: Path
) -> None:
    old = commit(root, "name with space", "1\n")
    git(root, "checkout", "-qb", "other")
    git(root, "mv", "name with space", "other name")
    git(root, "rm", "-q", "src/app.py")
    git(root, "commit", "-qm", "moves")
    new = git(root, "rev-parse", "HEAD")
    git(root, "checkout", "-q", "main")
    with pytest.raises(DiskUnusable):
        approval.fast_forward(root, old, new)
    assert (root / "name with space").read_text() == "1\n"
    assert sorted(git(root, "status", "--porcelain").splitlines()) == [" M README.md", "?? a.txt"], (
        "only what the merge had no business with"
    )
