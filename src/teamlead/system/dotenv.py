"""The values in `.env` files, as the common tools read them: where tools differ, all of their readings."""

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

LARGEST: Final = 256 * 1024
"""Bytes of a file that is still read."""
MOST_LOOKED_AT: Final = 50_000
"""Files and folders below one that is copied."""

_HEAD: Final = re.compile(
    r"^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*(?:=|:(?=[ \t]))[ \t]*", re.MULTILINE
)
_QUOTED: Final = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)'|`([^`]*+)`", re.DOTALL)
_LINE: Final = re.compile(r".*")
_COMMENTS: Final = (re.compile(r"(?<![ \t])[ \t]++#.*"), re.compile(r"#.*"))
"""Of what is not quoted: some tools want a space before."""
_ESCAPE: Final = re.compile(r"\\([abfnrtv\\'\"$`])")
_MEANT: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def variables(root: Path, copied: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Reads all such files that each working copy gets. `copied`: paths or patterns, relative to the root."""
    for file in _files(root, copied):
        with suppress(OSError):
            yield from assignments(file.read_text(encoding="utf-8-sig", errors="replace"))


def _files(root: Path, copied: Iterable[str]) -> Iterator[Path]:
    for pattern in copied:
        relative = pattern.strip("/")
        for path in sorted(root.glob(relative)) if relative else ():
            inside = islice(_below(path), MOST_LOOKED_AT) if path.is_dir() else [path]
            yield from (file for file in inside if _holds_settings(file))


def _below(folder: Path) -> Iterator[Path]:
    """Yields all files in it, those of the upper folders first."""
    waiting = deque([folder])
    while waiting:
        with suppress(OSError), os.scandir(waiting.popleft()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry))
                yield Path(entry)


def _holds_settings(file: Path) -> bool:
    named = file.name.startswith(".env") or file.name.endswith(".env")
    return named and file.is_file() and file.stat().st_size <= LARGEST


def assignments(text: str) -> Iterator[tuple[str, str]]:
    """Yields names with their values, in no order. A quoted value may go over many lines."""
    for head in _HEAD.finditer(text):
        quoted = _QUOTED.match(text, head.end())
        values = {_unescaped(quoted), *filter(None, quoted.groups())} if quoted else set()
        if not quoted or "\n" in quoted[0]:
            # A quote that nobody meant as one may find another far below.
            line = _LINE.match(text, head.end())
            bare = line[0].strip().lstrip("\"'`") if line else ""
            values |= {bare, *(comment.sub("", bare).strip() for comment in _COMMENTS)}
        yield from ((head[1], value) for value in sorted(values))


def _unescaped(quoted: re.Match[str]) -> str:
    content: str = quoted[0][1:-1]
    return _ESCAPE.sub(lambda found: _MEANT.get(found[1], found[1]), content)
