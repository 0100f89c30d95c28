"""Preparing makes a task's copy, or finds it made.

The record says `ready` once everything is in place. A copy that is not ready was never handed out, so a crash
in the middle leaves nothing that could be lost, and it is made again.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from teamlead.errors import Failed, GitFailed
from teamlead.system import untrusted_folder
from teamlead.system.faults import reach
from teamlead.system.file_modes import make_usual_folder
from teamlead.workspaces import all_files, copy_pool, private_git, provided_files, snapshots, trespass
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.folder_contents import walk
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
    sparse: tuple[str, ...],
) -> CopyRecord:
    """Returns the record of the copy: ready if the copy is there already, otherwise to be finished."""
    record = _finished(copy)
    if record and (not fresh or record.attempt == attempt):
        private_git.restore(copy, record)
        trespass.note(copy, attempt)
        return record
    start = _start(copy, bases, fallback, fresh=fresh)
    if record:
        kept = keep_work(copy, record, "started anew")
        copy.save(CopyRecord(attempt=attempt, base=start.base, replaced=kept))
        let_go(copy, record)
    else:
        kept = _kept_before(copy, start)
    clear(copy)
    record = copy.save(
        CopyRecord(attempt=attempt, base=start.base, tip=start.tip, sparse=sparse, replaced=kept)
    )
    record = place(copy, record, start.earlier)
    provide_files(copy, record, provisions)
    return record


def finish(copy: CopyFolder, record: CopyRecord, provisions: Provisions) -> CopyRecord:
    """Notes that everything is in place: what differs from the commit now was provided. An agent may come."""
    provided_files.forget(copy)
    modules = walk(copy.own_dir / "modules") if (copy.path / ".gitmodules").exists() else None
    given: dict[str, str] = {}
    if modules or any(provisions[:3]):
        found = modules.files if modules else {}
        provided_files.note(
            copy, all_files.look(copy, record).new, {b"modules/" + path: file for path, file in found.items()}
        )
    if any(provisions[:3]) or not snapshots.as_written(copy, record):
        given = snapshots.as_provided(copy, record, record.tip)
    trespass.note(copy, record.attempt)
    return copy.save(msgspec.structs.replace(record, ready=True, provided=given))


def hand_over(copy: CopyFolder, files: Mapping[str, str]) -> None:
    """For an agent to read. Git ignores them, whatever else it is told, and untouched they are not kept."""
    for path in lay_beside(copy, files):
        provided_files.add(copy, path)


def lay_beside(copy: CopyFolder, files: Mapping[str, str]) -> list[str]:
    """Returns the paths of what was written: the files, and what has git ignore them."""
    folders = {str(PurePosixPath(path).parent) for path in files}
    written = {**{f"{folder}/.gitignore": "*\n" for folder in folders}, **files}
    for path, text in written.items():
        untrusted_folder.write(copy.path, path, text.encode(errors="replace"))
    return list(written)


def _finished(copy: CopyFolder) -> CopyRecord | None:
    """Returns the record of a copy that was handed out and is still there."""
    record = copy.load()
    if not record or not record.ready:
        return None
    if record.releasing:
        part_with(copy)
        return None
    if in_the_way(copy.path) and not copy.there():
        raise Failed(f"{str(copy.path)!r} is no folder any more", remedy="move it away")
    return record if copy.there() else None


def _kept_before(copy: CopyFolder, start: "StartingPoint") -> str:
    """Finds what is kept where there is no copy: on its branch, or by a start that was cut short."""
    branch = ""
    if start.earlier and not copy.session.git.contains(start.tip, start.earlier):
        branch = copy.session.keep(copy.task, start.earlier)
    unfinished = copy.load()
    return (unfinished.replaced if unfinished else "") or branch


class StartingPoint(NamedTuple):
    tip: str
    """To check out."""
    base: str
    """That the work counts from."""
    earlier: str
    """Where the branch of the task is, or ""."""


def _start(copy: CopyFolder, bases: Sequence[str], fallback: str, *, fresh: bool) -> StartingPoint:
    git = copy.session.git
    earlier = git.commit(copy.branch)
    if earlier and not fresh and carries(copy, earlier):
        return StartingPoint(earlier, git.text("rev-parse", "--verify", f"{earlier}^"), earlier)
    base = merge_bases(copy.session, copy.task, bases, fallback)
    return StartingPoint(base, base, earlier)


def carries(copy: CopyFolder, commit: str, attempt: int = 0) -> bool:
    """Whether the commit was collected from this task (and in this attempt, if one is given)."""
    wanted = copy.session.trailers(copy.task, attempt)
    keys = ",".join(f"key={key}" for key in ("Teamlead-Session", "Teamlead-Task", "Teamlead-Attempt"))
    shown = copy.session.git.text("show", "-s", f"--format=%(trailers:{keys},only,unfold)", commit)
    lines = set(shown.splitlines())
    has_attempt = any(line.startswith("Teamlead-Attempt: ") for line in lines)
    return has_attempt and all(f"{key}: {value}" in lines for key, value in wanted.items())


def clear(copy: CopyFolder) -> None:
    """Makes way for a new copy. Only what was never handed out, or was kept before, is removed."""
    if in_the_way(copy.path):
        if copy.load() is None or not copy.there():
            raise Failed(f"{str(copy.path)!r} is in the way of a new working copy", remedy="move it away")
        copy.remove()


def in_the_way(path: Path) -> bool:
    return os.path.lexists(path) and not (path.is_dir() and not path.is_symlink() and not any(path.iterdir()))


def place(copy: CopyFolder, record: CopyRecord, earlier: str) -> CopyRecord:
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
    return msgspec.structs.replace(record, checked_out=record.tip)


def _fill(copy: CopyFolder, record: CopyRecord, *, recycle: bool) -> str:
    """Makes the folder, and returns the commit that it has files of already; "" if it is empty."""
    copy.make_lead_dir(record.tip)
    reach("lead's git directory: made")
    recycled = copy_pool.take(copy) if recycle else ""
    make_usual_folder(copy.path)
    return recycled


def _set_branch(copy: CopyFolder, tip: str, earlier: str) -> None:
    if not copy.session.move(copy.branch, tip, earlier, f"start {copy.task}"):
        raise GitFailed(f"the branch {copy.branch!r} was moved while its working copy was made")
