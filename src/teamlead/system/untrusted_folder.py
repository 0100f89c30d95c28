"""Files below a folder that somebody else may write to. We follow no link there, whoever put it there.

Nor does it matter how large the files are, how deep they lie, or which modes they have.
"""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from teamlead.errors import Refused

ROOT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
FOLDER = ROOT | os.O_NOFOLLOW
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

LARGEST = 64 << 20
"""Bytes that anything of use here has at most."""


def read(root: Path, name: str) -> bytes | None:
    """Returns the content of a file; None for what is no file, is too large, or lies behind a link."""
    path = PurePosixPath(name)
    with suppress(OSError), _opened(root, path.parent) as folder:
        descriptor = os.open(path.name, FILE, dir_fd=folder)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor
            found = os.fstat(descriptor)
            if stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST:
                return file.read(LARGEST)
    return None


def write(root: Path, name: str, content: bytes) -> None:
    """Writes beside the file first, then renames. Removes links and files in the way of its folders."""
    path = PurePosixPath(name)
    with _opened(root, path.parent, make=True) as folder:
        fresh = f".{path.name}.{os.urandom(6).hex()}"
        with open(os.open(fresh, NEW_FILE, 0o644, dir_fd=folder), "wb") as file:  # noqa: PTH123 - as above
            file.write(content)
        with suppress(IsADirectoryError, NotADirectoryError):
            os.rename(fresh, path.name, src_dir_fd=folder, dst_dir_fd=folder)
            return
        remove_tree(root / path)
        os.rename(fresh, path.name, src_dir_fd=folder, dst_dir_fd=folder)


def remove(root: Path, name: str) -> None:
    """Removes whatever it is. A link goes, and what it leads to stays."""
    path = PurePosixPath(name)
    with suppress(FileNotFoundError, NotADirectoryError, OSError), _opened(root, path.parent) as folder:
        try:
            os.unlink(path.name, dir_fd=folder)
        except IsADirectoryError:
            remove_tree(root / path)


def remove_tree(path: Path) -> None:
    """Removes a folder with all in it, or what else is there. Raises OSError where something stays."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    try:
        shutil.rmtree(path)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            done = subprocess.run([*command, "--", path], capture_output=True, text=True, check=False)
        if os.path.lexists(path):
            raise OSError(f"{str(path)!r} cannot be removed: {done.stderr[:500]}") from None


def below(root: Path) -> Iterator["os.DirEntry[str]"]:
    """Yields all that lies there, folders before what is in them; not what cannot be read, or has gone."""
    waiting = [str(root)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


@contextmanager
def _opened(root: Path, below: PurePosixPath, *, make: bool = False) -> Iterator[int]:
    descriptor = os.open(root, FOLDER)
    try:
        for part in below.parts:
            if make:
                _make(descriptor, part)
            inner = os.open(part, FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _make(folder: int, name: str) -> None:
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=folder)
            os.mkdir(name, dir_fd=folder)


class Unlinked:
    """A folder that no link leads to, opened. Its files are no links either."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def open(self, name: str, flags: int) -> BinaryIO:
        """Opens a file. It follows no link, and raises OSError for one."""
        opened = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=self._descriptor)
        return os.fdopen(opened, "rb" if flags & os.O_ACCMODE == os.O_RDONLY else "wb")

    def names(self) -> list[str]:
        return os.listdir(self._descriptor)  # noqa: PTH208 - a descriptor

    def replace(self, fresh: str, name: str) -> None:
        os.replace(fresh, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)


@contextmanager
def unlinked(root: Path, below: str, *, make: bool = True) -> Iterator[Unlinked]:
    """Opens the folder `below` in `root`, and makes it where it is missing. Raises Refused for a link.

    What lies in a repository may be anybody's link to anywhere. We write to the folder itself, or not at all.
    """
    descriptor = os.open(root, ROOT)
    try:
        for name in Path(below).parts:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=descriptor)
            try:
                inner = os.open(name, FOLDER, dir_fd=descriptor)
            except OSError:
                refuse_links(root, below)
                raise
            os.close(descriptor)
            descriptor = inner
        yield Unlinked(descriptor)
    finally:
        os.close(descriptor)


def refuse_links(root: Path, below: str) -> None:
    path = root
    for name in Path(below).parts:
        path /= name
        if path.is_symlink():
            there = str(path.readlink())
            raise Refused(
                f"{str(path)!r} is a symbolic link to {there!r}, and teamlead writes through none",
                remedy="move it away: teamlead makes a folder of that name",
            )
