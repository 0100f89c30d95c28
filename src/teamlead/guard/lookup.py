"""What a lead may read itself: a quick lookup, or what its context allows. More is for an agent.

How a lead searches is held likewise: one narrow search at a time, which looks into few files. Here is also
counted how much of which files is read.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from teamlead.core.policy.exemptions import Context, Portion, excess
from teamlead.guard.delegation import Verdict, refused, role_for

SECONDS = 10
"""A lookup takes less."""
SEARCHED = 3
"""Files that one search may look into."""
FALLBACK_WARNING = "an agent failed, so the lead reads itself; results may be incomplete"
"""For the user."""
MEASURED = ("files", "lines-per-file", "lines", "time")
"""The conditions that a size and a time can tell."""
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
EXEMPTION: dict[Context, str] = {
    "reference": "quick-lookup",
    "fallback": "fallback-read",
    "metadata": "metadata-read",
    "presentation": "",
}
"""To present is a lead's own task, and needs none."""


def judge_read(portions: Sequence[Portion], context: Context = "reference", *, seconds: float = 0) -> Verdict:
    """By its size and time. What it is for is judged in `purposes`, where it is told."""
    reason = excess(portions, context)
    if not reason and seconds >= SECONDS:
        reason = f"it took {seconds:.0f} seconds, and a lookup takes less than {SECONDS}"
    if reason:
        return refused("bulk-reading", reason, role_for("reading"))
    return Verdict(allowed=True, reason="within the limits", exemption=EXEMPTION[context], met=MEASURED)


def judge_search(files: int, earlier: int = 0) -> Verdict:
    """A search that looks into so many files, after so many searches of the same lookup."""
    if earlier:
        reason = "one narrow search is allowed in a lookup, and this would be another"
    elif files > SEARCHED:
        reason = f"a search may look into at most {SEARCHED} files, and this one would look into more"
    else:
        return Verdict(allowed=True, reason="one narrow search", exemption="quick-lookup", met=MEASURED)
    return refused("bulk-search", reason, role_for("reading"))


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
