"""Making a task's copy, or finding it made.

The record says `ready` once everything is in place. A copy that is not ready was never handed out, so a crash
in the middle leaves nothing that could be lost, and it is made again.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from teamlead.errors import Failed, GitFailed
from teamlead.system.repository import locked
from teamlead.workspaces import provided, snapshots, whole
from teamlead.workspaces.contents import walk
from teamlead.workspaces.copies import CopyFolder, Record
from teamlead.workspaces.keeping import keep_work
from teamlead.workspaces.merging import merge_bases
from teamlead.workspaces.provisions import Provisions, provide_files
from teamlead.workspaces.releasing import let_go, part_with


def make(
    copy: CopyFolder,
    attempt: int,
    bases: Sequence[str],
    fallback: str,
    provisions: Provisions,
    *,
    fresh: bool,
) -> Record:
    """The record of the copy: ready if it is there already, otherwise to be finished."""
    record = _finished(copy)
    if record and (not fresh or record.attempt == attempt):
        copy.restore_link(record)
        return record
    tip, base = _start(copy, bases, fallback, fresh=fresh)
    if record:
        keep_work(copy, record, "started anew")
        copy.save(Record(attempt, base))
        let_go(copy)
    else:
        _keep_branch(copy, tip)
    _clear(copy)
    record = copy.save(Record(attempt, base, tip=tip))
    record = _add_worktree(copy, record)
    provide_files(copy, record, provisions)
    return record


def finish(copy: CopyFolder, record: Record, provisions: Provisions) -> Record:
    """Everything is in place: what differs from the base now was provided, and an agent may come."""
    provided.forget(copy)
    modules = walk(copy.git_dir(record) / "modules") if (copy.path / ".gitmodules").exists() else None
    if modules or any(provisions[:3]):
        found = modules.files if modules else {}
        provided.note(
            copy, whole.look(copy, record).new, {b"modules/" + path: file for path, file in found.items()}
        )
    return copy.save(
        msgspec.structs.replace(record, ready=True, provided=snapshots.as_provided(copy, record, record.base))
    )


def _finished(copy: CopyFolder) -> Record | None:
    """The record of a copy that was handed out and is still there."""
    record = copy.load()
    if not record or not record.ready:
        return None
    if record.releasing:
        part_with(copy)
        return None
    if _in_the_way(copy.path) and not copy.usable(record):
        raise Failed(f"{str(copy.path)!r} is no longer a working copy git knows", remedy="move it away")
    return record if copy.usable(record) else None


def _start(copy: CopyFolder, bases: Sequence[str], fallback: str, *, fresh: bool) -> tuple[str, str]:
    """The commit to check out, and the base that the work counts from."""
    git = copy.session.git
    earlier = git.commit(copy.branch)
    if earlier and not fresh and carries(copy, earlier):
        return earlier, git.text("rev-parse", "--verify", f"{earlier}^")
    base = merge_bases(copy.session, copy.task, bases, fallback)
    return base, base


def _keep_branch(copy: CopyFolder, tip: str) -> None:
    earlier = copy.session.git.commit(copy.branch)
    if earlier and not copy.session.git.contains(tip, earlier):
        copy.session.keep(copy.task, earlier)


def carries(copy: CopyFolder, commit: str, attempt: int = 0) -> bool:
    """A commit that was collected from this task (and in this attempt, if one is given)."""
    wanted = copy.session.trailers(copy.task, attempt)
    keys = ",".join(f"key={key}" for key in ("Teamlead-Session", "Teamlead-Task", "Teamlead-Attempt"))
    shown = copy.session.git.text("show", "-s", f"--format=%(trailers:{keys},only,unfold)", commit)
    lines = set(shown.splitlines())
    has_attempt = any(line.startswith("Teamlead-Attempt: ") for line in lines)
    return has_attempt and all(f"{key}: {value}" in lines for key, value in wanted.items())


def _clear(copy: CopyFolder) -> None:
    """Makes room. Only what was never handed out, or was kept before, is removed."""
    if _in_the_way(copy.path) and copy.load() is None:
        raise Failed(f"{str(copy.path)!r} is in the way of a new working copy", remedy="move it away")
    with locked(copy.session.repository, "worktrees"):
        if _in_the_way(copy.path) and not copy.remove_unfinished():
            # Cut short in the middle: git does not take the folder for a copy of its own.
            copy.path.rename(copy.aside("unfinished"))
        if copy.find_registration():
            # Without its folder, even if locked, it is a leftover that would hold on to the branch.
            copy.remove_unfinished()


def _in_the_way(path: Path) -> bool:
    return os.path.lexists(path) and not (path.is_dir() and not path.is_symlink() and not any(path.iterdir()))


def _add_worktree(copy: CopyFolder, record: Record) -> Record:
    """Registered under a lock, since git trips over a registration that another process has half written."""
    copy.path.parent.mkdir(parents=True, exist_ok=True)
    branch = copy.branch.removeprefix("refs/heads/")
    with locked(copy.session.repository, "worktrees"):
        earlier = copy.session.git.commit(copy.branch)
        if not earlier:
            _set_branch(copy, record.tip, "")
        # Before the branch moves: git refuses one that somebody has checked out.
        copy.session.git.run("worktree", "add", "--quiet", "--no-checkout", str(copy.path), branch)
        if earlier and earlier != record.tip:
            _set_branch(copy, record.tip, earlier)
        registration = copy.find_registration()
    record = copy.save(msgspec.structs.replace(record, registration=registration))
    copy.git(record).run("reset", "--quiet", "--hard", "--no-recurse-submodules")
    shutil.copy2(copy.git_dir(record) / "index", copy.index)
    return record


def _set_branch(copy: CopyFolder, tip: str, earlier: str) -> None:
    if not copy.session.move(copy.branch, tip, earlier, f"start {copy.task}"):
        raise GitFailed(f"the branch {copy.branch!r} was moved while its working copy was made")
