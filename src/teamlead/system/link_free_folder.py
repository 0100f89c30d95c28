"""A folder below another one, reached without following any link on the way.

What lies in a repository may be anybody's link to anywhere: what we write is written there, or not at all.
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
        """Not following: where the name is a link, an OSError says so."""
        opened = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=self._descriptor)
        return os.fdopen(opened, "rb" if flags & os.O_ACCMODE == os.O_RDONLY else "wb")

    def replace(self, fresh: str, name: str) -> None:
        os.replace(fresh, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)


@contextmanager
def unlinked(root: Path, below: str, *, make: bool = True) -> Iterator[Unlinked]:
    """The folder `below` in `root`, made where it is missing. Raises Refused where a link leads there."""
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
                remedy="move it away: a folder of that name is made by itself",
            )
