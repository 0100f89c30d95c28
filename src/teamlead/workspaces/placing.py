"""Putting a copy's folder in its place: registered with git, and filled with the files of a commit."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from teamlead.errors import Failed, GitFailed
from teamlead.system.repository import locked
from teamlead.workspaces import pool
from teamlead.workspaces.copies import CopyFolder, Record


def clear(copy: CopyFolder) -> None:
    """Makes room. Only what was never handed out, or was kept before, is removed."""
    if in_the_way(copy.path) and copy.load() is None:
        raise Failed(f"{str(copy.path)!r} is in the way of a new working copy", remedy="move it away")
    if not in_the_way(copy.path) and not copy.find_registration():
        return
    with locked(copy.session.repository, "worktrees"):
        if in_the_way(copy.path) and not copy.remove_unfinished():
            # Cut short in the middle: git does not take the folder for a copy of its own.
            copy.path.rename(copy.aside("unfinished"))
        if copy.find_registration():
            # Without its folder, even if locked, it is a leftover that would hold on to the branch.
            with suppress(FileNotFoundError):
                copy.path.rmdir()
            copy.remove_unfinished()


def in_the_way(path: Path) -> bool:
    return os.path.lexists(path) and not (path.is_dir() and not path.is_symlink() and not any(path.iterdir()))


def place(copy: CopyFolder, record: Record, earlier: str) -> Record:
    """A copy at the record's tip, on its branch, if it has one: that is at `earlier`, or not there ("")."""
    placed, recycled = _register(copy, record, earlier, recycle=not record.sparse)
    if recycled and not pool.renewable(copy, placed, recycled):
        clear(copy)
        placed, _ = _register(copy, record, record.tip, recycle=False)
    git = copy.git(placed)
    if record.sparse:
        (git.git_dir / "info").mkdir(exist_ok=True)
        (git.git_dir / "info/sparse-checkout").write_text("".join(f"{line}\n" for line in record.sparse))
    git.run("reset", "--quiet", "--hard", "--no-recurse-submodules")
    for notes in (copy.index, copy.checkout):
        shutil.copy2(git.git_dir / "index", notes)
    return placed


def _register(copy: CopyFolder, record: Record, earlier: str, *, recycle: bool) -> tuple[Record, str]:
    """Under a lock, since git trips over a registration that another process has half written."""
    copy.path.parent.mkdir(parents=True, exist_ok=True)
    if copy.branch and not earlier:
        _set_branch(copy, record.tip, "")
    where = (copy.branch.removeprefix("refs/heads/"),) if copy.branch else (record.tip, "--detach")
    with locked(copy.session.repository, "worktrees"):
        # Before the branch moves: git refuses one that somebody has checked out.
        copy.session.git.run("worktree", "add", "--quiet", "--no-checkout", str(copy.path), *where)
        if earlier and earlier != record.tip:
            _set_branch(copy, record.tip, earlier)
        record = msgspec.structs.replace(
            record, checked_out=record.tip, registration=copy.find_registration()
        )
        return record, pool.take(copy, record) if recycle else ""


def _set_branch(copy: CopyFolder, tip: str, earlier: str) -> None:
    if not copy.session.move(copy.branch, tip, earlier, f"start {copy.task}"):
        raise GitFailed(f"the branch {copy.branch!r} was moved while its working copy was made")
