"""The lines that a change adds, whatever git and its attributes take a file for: binary ones have lines, too.

They come without NULs: text of two or four bytes a character reads as if it had one, as far as it is ASCII.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from teamlead.system.git import Git

LARGEST: Final = 1024 * 1024
"""Bytes. Files beyond are not looked into."""
TOGETHER: Final = 32 * 1024 * 1024
"""Bytes of files that are held at a time."""
_FILES: Final = frozenset({b"100644", b"100755", b"120000"})


class Line(NamedTuple):
    path: str
    number: int
    """0 for the name of a new file."""
    text: bytes


class _Change(NamedTuple):
    path: bytes
    before: str
    """The blob; empty where there was none."""
    after: str

    def line(self, number: int, text: bytes) -> Line:
        return Line(self.path.decode("utf-8", "replace"), number, text)


def added_lines(git: Git, base: str, commit: str) -> Iterator[Line]:
    """What stands in the file before the change, at whatever place, is not added."""
    changes = list(_changes(git, base, commit))
    yield from (change.line(0, change.path) for change in changes if not change.before)
    sizes = _sizes(git, [blob for change in changes for blob in change[1:] if blob])
    for batch in _batches([change for change in changes if change.after in sizes], sizes):
        blobs = list(dict.fromkeys(blob for change in batch for blob in change[1:] if blob in sizes))
        contents = dict(zip(blobs, git.contents(blobs), strict=True))
        for change in batch:
            before = set(_lines(contents.get(change.before, b"")))
            for number, text in enumerate(_lines(contents[change.after]), 1):
                if text not in before:
                    yield change.line(number, text)


def _lines(content: bytes) -> list[bytes]:
    return content.replace(b"\0", b"").split(b"\n")


def _changes(git: Git, base: str, commit: str) -> Iterator[_Change]:
    fields = git.run("diff-tree", "-r", "-z", "--no-renames", base, commit).fields
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        mode_before, mode, before, after, _ = head.lstrip(b":").split(b" ")
        if mode in _FILES:
            yield _Change(path, before.decode() if mode_before in _FILES else "", after.decode())


def _sizes(git: Git, blobs: Sequence[str]) -> Mapping[str, int]:
    """Of those that are looked into."""
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    told = git.text("cat-file", "--batch-check=%(objectsize)", stdin=asked).splitlines() if blobs else []
    found = zip(blobs, told, strict=True)
    return {blob: int(size) for blob, size in found if size.isdigit() and int(size) <= LARGEST}


def _batches(changes: Sequence[_Change], sizes: Mapping[str, int]) -> Iterator[list[_Change]]:
    batch: list[_Change] = []
    size = 0
    for change in changes:
        batch.append(change)
        size += sizes[change.after] + sizes.get(change.before, 0)
        if size >= TOGETHER:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
