"""How much space the disk has, and what we say when it takes nothing more."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import DiskUnusable, MachineExhausted, StorageFailed
from teamlead.system.exhaustion import OF_DESCRIPTORS_AND_MEMORY, exhausted

MEGABYTE = 1_000_000
NEARLY_NOTHING = MEGABYTE
FEW = 10_000
UNUSABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})
"""Nothing else can be stored either, whoever tries."""
WORDS = re.compile(
    rf"(?:{'|'.join(re.escape(os.strerror(number)) for number in sorted(UNUSABLE))}|Out of diskspace)$",
    re.MULTILINE,
)
VAGUE_WORDS = re.compile(r"unable to write|write error|failed to write|could not write", re.IGNORECASE)
"""Of a program that does not say why."""


class DiskSpace(NamedTuple):
    """What is left on one file system, for users without special rights."""

    place: Path
    device: int
    free: int
    files: int | None
    """How many more files it takes; None where there is no such limit."""
    read_only: bool

    def __str__(self) -> str:
        free = f"{str(self.place)!r} has {megabytes(self.free)} free"
        few = f" and takes {self.files} more files" if self.files is not None and self.files < FEW else ""
        return f"{free}{few}{' and is read-only' if self.read_only else ''}"

    @property
    def exhausted(self) -> bool:
        return self.read_only or self.free < NEARLY_NOTHING or self.files == 0


def megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.0f} MB"


def disk_space(path: Path) -> DiskSpace:
    """Looks at the file system that holds `path`, or will hold it."""
    there = next(place for place in (path, *path.parents) if place.is_dir())
    found = os.statvfs(there)
    files = found.f_favail if found.f_files else None
    read_only = bool(found.f_flag & os.ST_RDONLY)
    return DiskSpace(there, there.stat().st_dev, found.f_bavail * found.f_frsize, files, read_only)


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turns what the system refuses inside into a StorageFailed about `path`, or a MachineExhausted."""
    try:
        yield
    except OSError as error:
        raise not_stored(path, error) from error


def not_stored(path: Path, error: OSError) -> StorageFailed | MachineExhausted:
    exactly = "" if error.filename in {None, str(path)} else f" ({error.filename!r})"
    what = f"cannot write {str(path)!r}: {error.strerror or error}{exactly}"
    if error.errno in OF_DESCRIPTORS_AND_MEMORY:
        return exhausted(f"{error.strerror}: cannot write {str(path)!r}{exactly}")
    return unusable(what, path) if error.errno in UNUSABLE else StorageFailed(what)


def unusable(what: str, path: Path) -> DiskUnusable:
    return DiskUnusable(
        what, remedy=f"{_state(path)}; then go on: `teamlead resume`, if a session was stopped"
    )


def means_unusable(complaint: str, path: Path) -> bool:
    """Whether a program that works in `path` complains about the disk."""
    if WORDS.search(complaint):
        return True
    return bool(VAGUE_WORDS.search(complaint)) and disk_space(path).exhausted


def _state(path: Path) -> str:
    try:
        found = disk_space(path)
    except OSError as error:
        return f"look after {str(path)!r} ({error.strerror})"
    cure = "make it writable" if found.read_only else "free some space there, perhaps with `teamlead clean`"
    return f"{found}: {cure}"
