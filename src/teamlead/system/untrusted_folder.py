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

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
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
