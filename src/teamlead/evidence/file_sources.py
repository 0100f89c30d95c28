"""Files of a commit, or of a folder: they are looked up all at once, and read once, if not too large."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from teamlead.errors import GitFailed
from teamlead.system.git import Git

LARGEST = 4 * 1024 * 1024
TOGETHER = 32 * 1024 * 1024
"""Bytes that are read by one call."""
BINARY_WITHIN = 8000


class FoundFile(NamedTuple):
    """Something that is there."""

    path: str
    size: int
    handle: str
    problem: str = ""
    """Why it cannot be read."""


class Source(Protocol):
    def look(self, paths: Sequence[str]) -> dict[str, FoundFile]:
        """Returns those that are there. Folders are not among them."""
        ...

    def read(self, entries: Sequence[FoundFile]) -> Iterator[bytes]:
        """Yields the content of each, in order."""
        ...


class CommitFiles:
    def __init__(self, git: Git, commit: str) -> None:
        self._git = git
        self._commit = commit

    def look(self, paths: Sequence[str]) -> dict[str, FoundFile]:
        asked = "".join(f"{self._commit}:{path}\n" for path in ("", *paths))
        told = self._git.run("cat-file", "--batch-check", "--follow-symlinks", stdin=os.fsencode(asked))
        answers = iter(told.output.split(b"\n"))
        if next(answers).endswith(b" missing"):
            raise GitFailed(f"there is no commit {self._commit!r}")
        found: dict[str, FoundFile] = {}
        for path, answer in zip(paths, answers, strict=False):
            words = answer.split(b" ")
            if len(words) == 2 and words[0] in {b"symlink", b"dangling", b"loop", b"notdir"}:
                # The place it leads to is on the next line.
                next(answers, None)
                if words[0] != b"notdir":
                    found[path] = FoundFile(path, 0, "", "is a link that leads to no file of the repository")
            elif len(words) == 3 and words[1] in {b"blob", b"commit"}:
                problem = "is a submodule" if words[1] == b"commit" else ""
                found[path] = _entry(path, int(words[2]), words[0].decode(), problem)
        return found

    def read(self, entries: Sequence[FoundFile]) -> Iterator[bytes]:
        for batch in _batches(entries):
            yield from self._git.contents([entry.handle for entry in batch])


class FolderFiles:
    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def look(self, paths: Sequence[str]) -> dict[str, FoundFile]:
        return {path: entry for path in paths if (entry := self._look(path))}

    def _look(self, path: str) -> FoundFile | None:
        try:
            place = (self._root / path).resolve()
            status = place.stat()
        except (OSError, RuntimeError, ValueError):
            return None
        if not place.is_relative_to(self._root):
            return FoundFile(path, 0, "", "is a link that leads to no file of the repository")
        if stat.S_ISDIR(status.st_mode):
            return None
        problem = "" if stat.S_ISREG(status.st_mode) else "is no ordinary file"
        return _entry(path, status.st_size, str(place), problem)

    def read(self, entries: Sequence[FoundFile]) -> Iterator[bytes]:
        for entry in entries:
            yield Path(entry.handle).read_bytes()


def _entry(path: str, size: int, handle: str, problem: str) -> FoundFile:
    return FoundFile(path, size, handle, problem or ("is too large" if size > LARGEST else ""))


def _batches(entries: Sequence[FoundFile]) -> Iterator[list[FoundFile]]:
    batch: list[FoundFile] = []
    for entry in entries:
        if batch and sum(each.size for each in batch) + entry.size > TOGETHER:
            yield batch
            batch = []
        batch.append(entry)
    if batch:
        yield batch
