"""A folder below another one is opened without following any link on the way.

What lies in a repository may be anybody's link to anywhere. We write to the folder itself, or not at all.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from teamlead.errors import Refused

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class Unlinked:
    """A folder that is open. Its files are no links either."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def open(self, name: str, flags: int) -> BinaryIO:
        """Opens a file. It follows no link, and raises OSError for one."""
        opened = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=self._descriptor)
        return os.fdopen(opened, "rb" if flags & os.O_ACCMODE == os.O_RDONLY else "wb")

    def replace(self, fresh: str, name: str) -> None:
        os.replace(fresh, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)


@contextmanager
def unlinked(root: Path, below: str, *, make: bool = True) -> Iterator[Unlinked]:
    """Opens the folder `below` in `root`, and makes it where it is missing. Raises Refused for a link."""
    descriptor = os.open(root, FOLDER)
    try:
        for name in Path(below).parts:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=descriptor)
            try:
                inner = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
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
