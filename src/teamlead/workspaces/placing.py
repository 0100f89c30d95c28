"""Placing fills a copy's folder with the files of a commit, and gives it its two git directories."""

import os
import shutil
from pathlib import Path

from msgspec.structs import replace

from teamlead.errors import Failed, GitFailed
from teamlead.system.faults import reach
from teamlead.system.file_modes import make_usual_folder
from teamlead.workspaces import copy_pool, private_git
from teamlead.workspaces.copy_folder import CopyFolder, Record


def clear(copy: CopyFolder) -> None:
    """Makes way for a new copy. Only what was never handed out, or was kept before, is removed."""
    if in_the_way(copy.path):
        if copy.load() is None or not copy.there():
            raise Failed(f"{str(copy.path)!r} is in the way of a new working copy", remedy="move it away")
        copy.remove()


def in_the_way(path: Path) -> bool:
    return os.path.lexists(path) and not (path.is_dir() and not path.is_symlink() and not any(path.iterdir()))


def place(copy: CopyFolder, record: Record, earlier: str) -> Record:
    """Makes a copy at the record's tip, on its branch, if it has one: now at `earlier`, or absent ("")."""
    if copy.branch and earlier != record.tip:
        _set_branch(copy, record.tip, earlier)
    recycled = _fill(copy, record, recycle=not record.sparse)
    if recycled and not copy_pool.renewable(copy, record, recycled):
        clear(copy)
        _fill(copy, record, recycle=False)
    git = copy.git(record)
    if record.sparse:
        (git.git_dir / "info").mkdir(exist_ok=True)
        (git.git_dir / "info/sparse-checkout").write_text("".join(f"{line}\n" for line in record.sparse))
    git.run("reset", "--quiet", "--hard", "--no-recurse-submodules")
    for notes in (copy.index, copy.checkout):
        shutil.copy2(git.git_dir / "index", notes)
        notes.chmod(0o600)
    private_git.make(copy, record)
    return replace(record, checked_out=record.tip)


def _fill(copy: CopyFolder, record: Record, *, recycle: bool) -> str:
    """Makes the folder, and returns the commit that it has files of already; "" if it is empty."""
    copy.make_lead_dir(record.tip)
    reach("lead's git directory: made")
    recycled = copy_pool.take(copy) if recycle else ""
    make_usual_folder(copy.path)
    return recycled


def _set_branch(copy: CopyFolder, tip: str, earlier: str) -> None:
    if not copy.session.move(copy.branch, tip, earlier, f"start {copy.task}"):
        raise GitFailed(f"the branch {copy.branch!r} was moved while its working copy was made")
