"""Refs are read from their files: many are read often, and a process for each would cost more."""

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

OURS = ("refs/heads/teamlead/", "refs/teamlead/")
"""Refs that leads move all the time."""
SHARED = ("refs/heads/", "refs/tags/")
USERS = (*SHARED, "refs/notes/", "refs/replace/")
"""Where the refs are that only the user has a say in. What is in `refs/remotes/` a fetch brings."""


class Look(NamedTuple):
    """What tells that a file has been touched: nobody can set all of it."""

    mode: int
    changed: int
    modified: int
    inode: int
    size: int


def read_ref(common_dir: Path, name: str) -> str:
    try:
        return (common_dir / name).read_text(errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return _packed(common_dir).get(name, "")


def user_refs(common_dir: Path) -> dict[str, str]:
    return _refs(common_dir, USERS)


def shown_refs(common_dir: Path) -> dict[str, str]:
    """Returns what a copy shows: branches and tags, of remotes too."""
    return _refs(common_dir, (*SHARED, "refs/remotes/"))


def _refs(common_dir: Path, wanted: tuple[str, ...]) -> dict[str, str]:
    loose = {
        name: _loose(f"{common_dir}/{name}", *found)
        for place in wanted
        for name, found in touched_since(0, common_dir, place, passing_over=OURS[0])
        if not name.endswith(".lock")
    }
    # In this order: a ref that is being packed is there before it is no longer here.
    packed = {
        name: value
        for name, value in _packed(common_dir).items()
        if name.startswith(wanted) and not name.startswith(OURS)
    }
    return packed | {name: value for name, value in loose.items() if value}


def _packed(common_dir: Path) -> dict[str, str]:
    path = f"{common_dir}/packed-refs"
    found = look(path)
    return _packed_in(path, *found) if found else {}


@lru_cache(maxsize=4)
def _packed_in(path: str, *_: int) -> dict[str, str]:
    lines = Path(path).read_text(errors="surrogateescape").splitlines()
    pairs = (line.split(" ", 1) for line in lines if line[:1] not in {"#", "^"} and " " in line)
    return {name: value for value, name in pairs}


@lru_cache(maxsize=1 << 16)
def _loose(path: str, *_: int) -> str:
    try:
        return Path(path).read_text(errors="replace").strip()
    except FileNotFoundError:
        return ""


def touched_since(moment: int, root: Path, below: str, passing_over: str = "") -> Iterator[tuple[str, Look]]:
    """Yields every file below `root`/`below` that was touched since, by its path from the root."""
    start, spared = f"{root}/", f"{root}/{passing_over}".rstrip("/")
    for folder, folders, names in os.walk(f"{start}{below}".rstrip("/")):
        folders[:] = [name for name in folders if f"{folder}/{name}" != spared] if passing_over else folders
        for name in names:
            found = look(f"{folder}/{name}")
            if found and found.changed >= moment:
                yield f"{folder}/{name}".removeprefix(start), found


def look(path: str) -> Look | None:
    """Returns None for what is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - called for every ref: a Path costs as much again
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Look(found.st_mode, found.st_ctime_ns, found.st_mtime_ns, found.st_ino, found.st_size)
