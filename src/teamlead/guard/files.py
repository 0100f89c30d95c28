"""How much of which files is read, and which files are a lead's own."""

import os
from collections.abc import Iterator
from pathlib import Path

LONG_LINE = 500
"""Bytes. A longer line counts as several: a file without line ends is not short."""
ENOUGH = 10_000
"""More lines than any limit: no file is counted further."""
LARGEST = 50_000_000
"""Bytes of a file that is looked at; a larger one has enough lines."""
LARGEST_DOCUMENT = 2_000_000
"""Bytes of a document in which an edit can be obvious."""
_LOOKED_AT = 5_000
"""Entries of folders that are looked at before a search counts as wide."""
_ENDLESS = "**"


def lines_of(path: Path, start: int = 1, limit: int = ENOUGH) -> int:
    """How many lines are read from line `start` on; 0 if there is no such file."""
    try:
        if not path.is_file():
            return 0
        if path.stat().st_size > LARGEST:
            return ENOUGH
        with path.open("rb") as stream:
            return _count(stream, start, limit)
    except OSError:
        return 0


def _count(lines: Iterator[bytes], start: int, limit: int) -> int:
    found = 0
    for number, line in enumerate(lines, 1):
        if number >= start + limit or found >= ENOUGH:
            break
        if number >= start:
            found += -(-len(line) // LONG_LINE)
    return found


def text_of(path: Path) -> str | None:
    """Of a document; None where it is too large, or no text."""
    try:
        if path.stat().st_size > LARGEST_DOCUMENT:
            return None
        with path.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError):
        return None


def files_below(folder: Path, pattern: str = "", *, most: int) -> int:
    """Files that a search of this folder looks into, counted up to one more than `most`."""
    if folder.is_file():
        return 1
    found = 0
    for name in _walk(folder):
        found += not pattern or _matches(name, pattern)
        if found > most:
            break
    return found


def _walk(folder: Path) -> Iterator[str]:
    """Paths below, relative to it. A folder too large to look at is as good as endless."""
    looked_at = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        yield from (str((Path(place) / name).relative_to(folder)) for name in names)
        looked_at += len(names) + len(folders)
        while looked_at > _LOOKED_AT:
            yield _ENDLESS


def _matches(path: str, pattern: str) -> bool:
    from teamlead.core.policy.scope import in_scope  # noqa: PLC0415 - only a search with a pattern needs it

    # A pattern without a folder is looked for in every folder, as ripgrep does.
    return path == _ENDLESS or in_scope(path, (pattern if "/" in pattern else f"**/{pattern}",))


def is_own(path: Path, project: Path) -> bool:
    """Whether a lead keeps its own state there: sessions of teamlead, plans and memory of Claude Code."""
    config = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude").resolve()
    memory = path.parent.name == "memory" and path.is_relative_to(config / "projects")
    own = (project.resolve() / ".teamlead" / "sessions", config / "plans")
    return memory or any(path.is_relative_to(folder) for folder in own)
