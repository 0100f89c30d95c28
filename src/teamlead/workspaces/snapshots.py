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
from teamlead.system.git import Git, Result
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord

GITLINK = "160000"
MODE = b"\0\0\xe0\0"
"""The same in an index."""
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


def take(copy: CopyFolder, record: CopyRecord) -> Snapshot:
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
    snapshot.index_file.chmod(0o600)
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


def as_written(copy: CopyFolder, record: CopyRecord) -> bool:
    """No file reads back differently from what git wrote, as one with mixed line ends does."""
    question = ("diff-files", "--quiet", "--ignore-submodules=all")
    return copy.git(record).run(*question, index=copy.index, ok=(0, 1)).code == 0


def as_provided(copy: CopyFolder, record: CopyRecord, own: str) -> dict[str, str]:
    """What is in the copy beyond the tree `own`, as entries of `Record.provided`."""
    snapshot = take(copy, record)
    snapshot.index_file.unlink()
    return {
        quote_from_bytes(path): f"{new_mode} {new_blob} {mode} {blob}"
        for path, (mode, new_mode, blob, new_blob) in differences(
            copy.git(record), own, snapshot.tree
        ).items()
    }


def unmerged(copy: CopyFolder, record: CopyRecord) -> tuple[str, ...]:
    """Paths in conflict in the copy's own index."""
    listed = _ask_agents_index(copy, record, "--unmerged")
    paths = dict.fromkeys(field.split(b"\t", 1)[1] for field in listed)
    return tuple(path.decode(errors="backslashreplace") for path in paths)


def _add_all(copy: CopyFolder, git: Git, record: CopyRecord, index: Path) -> tuple[str, ...]:
    for notes in (copy.index, copy.checkout):
        try:
            # With its times: a newer index would trust files that changed in the same tick.
            shutil.copy2(notes, index)
            return _add(git, index)
        except (FileNotFoundError, GitFailed):
            index.unlink(missing_ok=True)
    if record.sparse:
        raise GitFailed(f"nobody knows which files {str(copy.path)!r} should hold")
    git.run("read-tree", record.base, index=index)
    return _add(git, index)


def add(git: Git, index: Path, nested: list[bytes], within: float | None = None) -> Result:
    """All that is in the copy, but for repositories in it that the index knows already.

    For those git would be started in them, by their own settings, and so any program that these name.
    """
    paths = b"\0".join([b".", *(b":(exclude,literal)" + path for path in nested)])
    # Also what was left out of the copy, where somebody put a file there.
    options = ("-A", "--sparse", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul")
    return git.run("add", *options, index=index, stdin=paths, ok=(0, 1), within=within)


def gitlinks(git: Git, index: Path) -> list[bytes]:
    """The paths of repositories that an index knows."""
    content = index.read_bytes()
    # Most have none, and then nobody needs to be asked. A shared index does not tell by itself.
    if MODE not in content and b"link" not in content:
        return []
    listed = git.run("ls-files", "--stage", "-z", index=index).fields
    return [field.split(b"\t", 1)[1] for field in listed if field.startswith(GITLINK.encode())]


def _add(git: Git, index: Path) -> tuple[str, ...]:
    there = [path for path in gitlinks(git, index) if os.path.lexists(_in(git, path, b".git"))]
    done = add(git, index, there)
    if there:
        # Which commit is checked out there; nothing where that cannot be told.
        paths = b"\0".join(there) + b"\0"
        git.run("update-index", "-z", "--stdin", index=index, stdin=paths, ok=(0, 128))
    if done.code == 0:
        return ()
    hollow = HOLLOW.findall(done.errors)
    if not hollow or len(hollow) != len(COMPLAINT.findall(done.errors)):
        raise GitFailed(f"not everything in {str(git.work_tree)!r} can be read: {done.errors[:1000]}")
    return tuple(hollow)


def _update(git: Git, index: Path, *arguments: str, stdin: bytes) -> None:
    git.run("--literal-pathspecs", *arguments, index=index, stdin=stdin)


def _added_on_purpose(copy: CopyFolder, git: Git, record: CopyRecord) -> bytes:
    """Ignored files that are in the copy's own index: someone forced them in."""
    listed = _ask_agents_index(copy, record, "--cached", "--ignored", "--exclude-standard")
    kept = [path for path in listed if _is_file(_in(git, path))]
    return b"\0".join(kept)


def _in(git: Git, *parts: bytes) -> bytes:
    return b"/".join([os.fsencode(git.work_tree), *parts])


def _is_file(path: bytes) -> bool:
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path))  # noqa: PTH112, PTH114 - bytes


def _ask_agents_index(copy: CopyFolder, record: CopyRecord, *question: str) -> list[bytes]:
    index = copy.own_dir / "index"
    if same_file(copy.index, index) or index.is_symlink():
        return []
    try:
        return copy.git(record).run("ls-files", "-z", *question, index=index).fields
    except GitFailed:
        return []


def same_file(one: Path, other: Path) -> bool:
    """By size and time, which a copy of ours shares and git changes with every write."""
    try:
        a, b = one.stat(), other.stat()
    except FileNotFoundError:
        return False
    return (a.st_size, a.st_mtime_ns) == (b.st_size, b.st_mtime_ns)


def drop_provided(git: Git, record: CopyRecord, index: Path) -> None:
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
