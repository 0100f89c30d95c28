"""What is in a folder, file by file, as it lies on disk.

Git is not asked, because it passes over what an agent can hide from it: the inside of nested repositories, a
folder that is only called `.git`, whatever an ignore rule names.
"""

import os
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from teamlead.system.exhaustion import unless_exhausted

FILE, PROGRAM, LINK = "100644", "100755", "120000"
LARGEST = 16 << 30
"""Bytes of one file that git is asked to store. Terabytes take a moment to make, and a day to read."""
CACHES = frozenset({b"__pycache__", b"node_modules", b".venv"})
CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55"
# Read off for every file of a copy, twice.
MEASURES = attrgetter("st_mode", "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")


class Stat(NamedTuple):
    """Nobody changes a file without changing one of these: the kernel alone sets the time of the change."""

    mode: int
    size: int
    modified: int
    changed: int
    inode: int


class Found(NamedTuple):
    stat: Stat
    ignored: bool = False

    @property
    def mode(self) -> str:
        if stat.S_ISLNK(self.stat.mode):
            return LINK
        return PROGRAM if self.stat.mode & stat.S_IXUSR else FILE


@dataclass
class Contents:
    files: dict[bytes, Found] = field(default_factory=dict)
    """By path below the folder. Links are not followed."""
    empty: list[bytes] = field(default_factory=list)
    """Folders with nothing in them."""
    problems: list[str] = field(default_factory=list)
    """What cannot be read or stored."""


def walk(root: Path, ignored: frozenset[bytes] = frozenset(), *, leave_out: bytes = b"") -> Contents:
    """`ignored`: paths that git ignores, folders with a slash at the end. Caches among them are left out."""
    contents = Contents()
    place = os.fsencode(root) + b"/"
    waiting = [(b"", False)]
    while waiting:
        folder, inside = waiting.pop()
        try:
            with os.scandir(place + folder) as found:
                entries = list(found)
        except OSError as error:
            unless_exhausted(error)
            contents.problems.append(f"{_shown(folder)} cannot be read: {error.strerror}")
            continue
        if not entries and folder:
            contents.empty.append(folder)
        for entry in entries:
            path = folder + entry.name
            if path == leave_out:
                continue
            if entry.is_dir(follow_symlinks=False):
                hidden = inside or path + b"/" in ignored
                if not (hidden and _is_cache(entry)):
                    waiting.append((path + b"/", hidden))
            else:
                _add(contents, path, entry, ignored=inside or path in ignored)
    contents.empty.sort()
    return contents


def _add(contents: Contents, path: bytes, entry: os.DirEntry[bytes], *, ignored: bool) -> None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        contents.problems.append(f"{_shown(path)} cannot be read: {error.strerror}")
    else:
        put(contents, path, status, ignored=ignored)


def put(contents: Contents, path: bytes, status: os.stat_result, *, ignored: bool = False) -> None:
    kind = stat.S_IFMT(status.st_mode)
    if status.st_size > LARGEST and not ignored:
        contents.problems.append(f"{_shown(path)} is larger than {LARGEST >> 30} GB")
    elif kind in {stat.S_IFREG, stat.S_IFLNK}:
        contents.files[path] = Found(stat_of(status), ignored)
    elif kind not in {stat.S_IFIFO, stat.S_IFSOCK}:
        contents.problems.append(f"{_shown(path)} is a device")


def stat_of(status: os.stat_result) -> Stat:
    return Stat(*MEASURES(status))


def _is_cache(entry: os.DirEntry[bytes]) -> bool:
    """Whether a folder says so, or has a name that only caches have."""
    if entry.name in CACHES:
        return True
    with suppress(OSError):
        # It may be a pipe that nobody writes to.
        tag = os.open(entry.path + b"/CACHEDIR.TAG", os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            return os.read(tag, len(CACHE_TAG)) == CACHE_TAG
        finally:
            os.close(tag)
    return False


def _shown(path: bytes) -> str:
    return repr(path.decode(errors="backslashreplace") or ".")
