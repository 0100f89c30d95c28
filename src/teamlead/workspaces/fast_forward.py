"""Bringing a working tree of the user's to a new commit: all of its files, or none.

git looks for what would be overwritten before it writes the first file. But where the disk fills up in the
middle, it leaves the files it got to, and takes them for the user's own changes the next time.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from teamlead.errors import DiskUnusable, TeamleadError
from teamlead.system.git import Result, as_user
from teamlead.system.locks import inherited

ADDED = b"A"


def fast_forward(tree: Path, old: str, new: str) -> Result:
    """What git answers to the merge in a tree that is at `old`. Where the disk fails, it is undone."""
    touched = _touched(tree, old, new)
    untouched = _untouched(tree, touched)
    options = ("--ff-only", "--no-autostash", "--no-overwrite-ignore", "--no-stat", "--quiet")
    try:
        return as_user(tree, "merge", *options, new, ok=(0, 1, 2, 128), locks=inherited())
    except DiskUnusable as full:
        if untouched:
            _put_back(tree, old, touched, full)
        raise


def _touched(tree: Path, old: str, new: str) -> dict[bytes, bytes]:
    """Paths that the merge writes, with git's letter for how."""
    fields = as_user(tree, "diff-tree", "-r", "-z", "--no-renames", "--name-status", old, new).fields
    return dict(zip(fields[1::2], fields[::2], strict=True))


def _untouched(tree: Path, touched: Mapping[bytes, bytes]) -> bool:
    """Nothing of the user's is at these paths, so that what is there later is the merge's."""
    status = as_user(tree, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=no").fields
    added = (os.fsdecode(path) for path, how in touched.items() if how == ADDED)
    return touched.keys().isdisjoint(field[3:] for field in status) and not any(
        os.path.lexists(tree / path) for path in added
    )


def _put_back(tree: Path, old: str, touched: Mapping[bytes, bytes], full: DiskUnusable) -> None:
    try:
        for path, how in touched.items():
            if how == ADDED:
                (tree / os.fsdecode(path)).unlink(missing_ok=True)
        there = b"\0".join(path for path, how in touched.items() if how != ADDED)
        if there:
            listed = ("--pathspec-from-file=-", "--pathspec-file-nul")
            as_user(tree, "--literal-pathspecs", "checkout", "--quiet", old, *listed, stdin=there)
    except (OSError, TeamleadError) as error:
        raise DiskUnusable(
            f"{full.message}; files in {str(tree)!r} were being written and could not be put back: {error}",
            remedy=f"{full.remedy}; before that: git -C {tree} checkout {old[:10]} -- FILES",
        ) from full
