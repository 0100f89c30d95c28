"""What stands at the places that are cited, in one source of files."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.core.evidence.references import Reason
from teamlead.core.policy.paths import inside
from teamlead.evidence.file_sources import BINARY_WITHIN, FoundFile, Source
from teamlead.evidence.quotes import FileText, Needle
from teamlead.forms.citations.blocks import Citation

FOLDERS = ("", "src/", "lib/", "app/")
"""Where a path may begin, in the order in which it is tried."""
_LATIN = "".join(map(chr, range(33, 127)))


class Seen(NamedTuple):
    reason: Reason | None = None
    note: str = ""
    path: str = ""
    proven: bool = False
    """Quoted code stands there."""
    moved: int = 0
    """The line where it stands instead."""
    needle: Needle | None = None
    """What moved, or is nowhere."""


def look(cited: Sequence[Citation], files: Source, roots: Sequence[str]) -> dict[str, Seen]:
    """Looks all of them up. The answers are found by the place as cited."""
    wanted = {each.place: _candidates(each.path, roots) for each in cited}
    entries = files.look(list(dict.fromkeys(path for paths in wanted.values() for path in paths)))
    seen: dict[str, Seen] = {}
    found: dict[FoundFile, list[Citation]] = {}
    for each in cited:
        entry = next((entries[path] for path in wanted[each.place] if path in entries), None)
        if entry is None:
            note = "" if wanted[each.place] else "outside of the working copy"
            seen[each.place] = Seen("file_not_found", note)
        elif entry.problem:
            seen[each.place] = Seen("file_read_error", f"{entry.path} {entry.problem}", entry.path)
        else:
            found.setdefault(entry, []).append(each)
    for (entry, here), content in zip(found.items(), files.read(list(found)), strict=True):
        if b"\0" in content[:BINARY_WITHIN]:
            unread = Seen("file_read_error", f"{entry.path} is binary", entry.path)
            seen |= dict.fromkeys((each.place for each in here), unread)
            continue
        text = FileText(content)
        seen |= {each.place: _compared(each, text, entry.path) for each in here}
    return seen


def _candidates(path: str, roots: Sequence[str]) -> list[str]:
    """Paths in the repository that may be meant, the likeliest first; none for one outside of it."""
    found = []
    for reading in _readings(path):
        if reading.startswith("/"):
            names = [inside(reading, root) for root in roots]
        elif reading[1:2] == ":":
            names = []
        else:
            names = [inside(folder + reading) for folder in FOLDERS]
        found += [name for name in names if name]
    return found


def _readings(path: str) -> Iterator[str]:
    """Yields the path as it stands, without words that ran into it, and without what tools put before it."""
    yield path
    first, slash, rest = path.partition("/")
    glued = first.rstrip(_LATIN)
    if glued and len(glued) < len(first):
        yield first[len(glued) :] + slash + rest
    if " " in path:
        yield path.rpartition(" ")[2]
    if first in {"a", "b"} and rest:
        yield rest
    if path.startswith("@"):
        yield path[1:]


def _compared(cited: Citation, text: FileText, path: str) -> Seen:
    if not 1 <= cited.line <= cited.end:
        return Seen("invalid_line_number", path=path)
    needles = [Needle(quote.text) for quote in cited.quotes]
    if cited.end > text.length:
        return _beyond(cited, [needle for needle in needles if needle.parts], text, path)
    held = [text.holds(needle, cited.line, cited.end) for needle in needles]
    missed = [
        needle
        for needle, quote, there in zip(needles, cited.quotes, held, strict=True)
        if quote.claimed and needle.parts and not there
    ]
    elsewhere = _elsewhere(cited, missed, text, path)
    return Seen(path=path, proven=True) if any(held) and not elsewhere.reason else elsewhere


def _beyond(cited: Citation, needles: list[Needle], text: FileText, path: str) -> Seen:
    """Says what is wrong with a line that the file does not have."""
    for needle in needles:
        if text.length and (line := text.nearest(needle, cited.line)):
            return Seen(None, f"stands at line {line}", path, moved=line, needle=needle)
    note = f"the file has {text.length} lines"
    return Seen("line_exceeds_file_length", note, path, needle=next(iter(needles), None))


def _elsewhere(cited: Citation, needles: list[Needle], text: FileText, path: str) -> Seen:
    """Looks for quotations that are not where the agent says."""
    found = Seen(path=path)
    for needle in needles:
        if line := text.nearest(needle, cited.line):
            found = Seen(None, f"stands at line {line}", path, moved=line, needle=needle)
        else:
            return Seen("quote_mismatch", "the quoted code is not in the file", path, needle=needle)
    return found
