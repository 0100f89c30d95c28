"""A file in which a program records what it does, line by line, followed while it grows."""

from collections.abc import Callable
from pathlib import Path


class FollowedFile:
    def __init__(self, find: Callable[[], Path | None], *, continued: bool) -> None:
        """The file may not exist yet. `continued`: what it holds by now belongs to earlier runs."""
        self._find = find
        self._path = find()
        self._read = self._path.stat().st_size if self._path and continued else 0

    def lines(self) -> list[bytes]:
        """Yields whole lines that are new."""
        self._path = self._path or self._find()
        if self._path is None:
            return []
        try:
            with self._path.open("rb") as file:
                file.seek(self._read)
                *lines, _rest = file.read().split(b"\n")
        except OSError:
            return []
        self._read += sum(len(line) + 1 for line in lines)
        return lines
