"""What a copy holds, as a tree, taken through an index of our own.

The copy's index is not trusted: an agent may have marked files in it as unchanged, left it locked, or broken
it. It is asked for two things only: paths in conflict, and ignored files that were added on purpose.
"""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from teamlead.core.model import Change
from teamlead.errors import GitFailed
from teamlead.system.git import Git
from teamlead.workspaces.copies import CopyFolder, Record

GITLINK = "160000"
ABSENT = "000000"
HOLLOW = re.compile(r"^error: '(.*)/' does not have a commit checked out$", re.MULTILINE)
COMPLAINT = re.compile(r"^(?:error|fatal): ", re.MULTILINE)


class Difference(NamedTuple):
    """What a path is in one tree and in another; modes are ABSENT where there is no file."""

    mode: str
    new_mode: str
    blob: str
    new_blob: str


class Snapshot(NamedTuple):
    tree: str
    index_file: Path
    """Holds `tree` and the times of its files. Ours to keep or to drop."""
    hollow: tuple[str, ...] = ()
    """Nested repositories without a commit, which no tree can hold."""


def take(copy: CopyFolder, record: Record) -> Snapshot:
    """Everything in the copy but ignored files, and without what config provided."""
    git = copy.git(record)
    index = copy.private / "index.new"
    Path(f"{index}.lock").unlink(missing_ok=True)
    hollow = _add_all(copy, git, record, index)
    added = _added_on_purpose(copy, git, record)
    if added:
        _update(
            git, index, "add", "-f", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=added
        )
    if record.provided:
        drop_provided(git, record, index)
    return Snapshot(git.text("write-tree", index=index), index, hollow)


def keep_index(copy: CopyFolder, snapshot: Snapshot) -> None:
    snapshot.index_file.replace(copy.index)


def differences(git: Git, before: str, after: str) -> dict[bytes, Difference]:
    return _by_path(_diff(git, "--raw", "--no-abbrev", before, after))


def _by_path(fields: list[bytes]) -> dict[bytes, Difference]:
    return {
        path: Difference(*head.decode().removeprefix(":").split(" ")[:4])
        for head, path in zip(fields[::2], fields[1::2], strict=True)
    }


def changes(git: Git, before: str, snapshot: Snapshot) -> tuple[Change, ...]:
    both = ("--raw", "--no-abbrev", "--numstat", "--no-ext-diff", "--no-textconv")
    fields = _diff(git, *both, before, snapshot.tree)
    # First two fields a path, and then one with the counts of its lines.
    counted = len(fields) // 3 * 2
    counts = {}
    for field in fields[counted:]:
        added, deleted, path = field.split(b"\t", 2)
        counts[path] = (0, 0) if added == b"-" else (int(added), int(deleted))
    found = [
        Change(path.decode(errors="backslashreplace"), mode, new_mode, *counts[path])
        for path, (mode, new_mode, *_) in _by_path(fields[:counted]).items()
    ]
    return (*found, *(Change(path, ABSENT, GITLINK) for path in snapshot.hollow))


def _diff(git: Git, *arguments: str) -> list[bytes]:
    # diff-tree reads the index without need, and fails on one that an agent broke.
    no_index = git.git_dir / "no-index"
    return git.run("diff-tree", "-r", "-z", "--no-renames", *arguments, index=no_index).fields


def as_written(copy: CopyFolder, record: Record) -> bool:
    """No file reads back differently from what git wrote, as one with mixed line ends does."""
    return copy.git(record).run("diff-files", "--quiet", index=copy.index, ok=(0, 1)).code == 0


def as_provided(copy: CopyFolder, record: Record, own: str) -> dict[str, str]:
    """What is in the copy beyond the tree `own`, as entries of `Record.provided`."""
    snapshot = take(copy, record)
    snapshot.index_file.unlink()
    return {
        quote_from_bytes(path): f"{new_mode} {new_blob} {mode} {blob}"
        for path, (mode, new_mode, blob, new_blob) in differences(
            copy.git(record), own, snapshot.tree
        ).items()
    }


def unmerged(copy: CopyFolder, record: Record) -> tuple[str, ...]:
    """Paths in conflict in the copy's own index."""
    listed = _ask_agents_index(copy, record, "--unmerged")
    paths = dict.fromkeys(field.split(b"\t", 1)[1] for field in listed)
    return tuple(path.decode(errors="backslashreplace") for path in paths)


def _add_all(copy: CopyFolder, git: Git, record: Record, index: Path) -> tuple[str, ...]:
    for notes in (copy.index, copy.checkout):
        try:
            # With its times: a newer index would trust files that changed in the same tick.
            shutil.copy2(notes, index)
            return _add(git, index)
        except (FileNotFoundError, GitFailed):
            index.unlink(missing_ok=True)
    if record.sparse:
        raise GitFailed(f"nobody can tell any more what {str(copy.path)!r} was to hold")
    git.run("read-tree", record.base, index=index)
    return _add(git, index)


def _add(git: Git, index: Path) -> tuple[str, ...]:
    # Also what was left out of the copy, where somebody put a file there.
    done = git.run("add", "-A", "--sparse", "--ignore-errors", ".", index=index, ok=(0, 1))
    if done.code == 0:
        return ()
    hollow = HOLLOW.findall(done.errors)
    if not hollow or len(hollow) != len(COMPLAINT.findall(done.errors)):
        raise GitFailed(f"not everything in {str(git.work_tree)!r} can be read: {done.errors[:1000]}")
    return tuple(hollow)


def _update(git: Git, index: Path, *arguments: str, stdin: bytes) -> None:
    git.run("--literal-pathspecs", *arguments, index=index, stdin=stdin)


def _added_on_purpose(copy: CopyFolder, git: Git, record: Record) -> bytes:
    """Ignored files that are in the copy's own index: someone forced them in."""
    listed = _ask_agents_index(copy, record, "--cached", "--ignored", "--exclude-standard")
    kept = [path for path in listed if os.path.lexists(os.fsencode(git.work_tree) + b"/" + path)]
    return b"\0".join(kept)


def _ask_agents_index(copy: CopyFolder, record: Record, *question: str) -> list[bytes]:
    git = copy.git(record)
    if same_file(copy.index, git.git_dir / "index"):
        return []
    try:
        return git.run("ls-files", "-z", *question).fields
    except GitFailed:
        return []


def same_file(one: Path, other: Path) -> bool:
    """By size and time, which a copy of ours shares and git changes with every write."""
    try:
        a, b = one.stat(), other.stat()
    except FileNotFoundError:
        return False
    return (a.st_size, a.st_mtime_ns) == (b.st_size, b.st_mtime_ns)


def drop_provided(git: Git, record: Record, index: Path) -> None:
    """Gives the paths that are still as provided the content that counts for them."""
    lines = []
    found = differences(git, record.base, git.text("write-tree", index=index))
    for name, entry in _decoded(record.provided).items():
        mode, blob, own_mode, own_blob = entry.split(" ")
        if name in found and (found[name].new_mode, found[name].new_blob) == (mode, blob):
            lines.append(f"{'0' if own_mode == ABSENT else own_mode} {own_blob}\t".encode() + name)
    if lines:
        _update(git, index, "update-index", "-z", "--index-info", stdin=b"\0".join(lines) + b"\0")


def _decoded(entries: Mapping[str, str]) -> dict[bytes, str]:
    return {unquote_to_bytes(path): entry for path, entry in entries.items()}
