"""What stands at the places that are cited, in one source of files; and whether quoted code stands there.

Spaces and line breaks do not count, `...` and `…` stand for anything, and so does what is between `()`. What
is left must be enough to tell one line from another: a bracket or a lone name proves nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from teamlead.core.evidence.references import Reason
from teamlead.core.policy.paths import inside
from teamlead.evidence.file_sources import BINARY_WITHIN, FoundFile, Source
from teamlead.forms.citations.blocks import Citation

FOLDERS = ("", "src/", "lib/", "app/")
"""Where a path may begin, in the order in which it is tried."""
_LATIN = "".join(map(chr, range(33, 127)))
ENOUGH = 8
"""Letters and digits that tell a line from others."""
LEAST = 3
"""Those of a part between two ellipses, and of a short line that is quoted whole."""
REACH = 20_000
"""Characters that an ellipsis stands for, at most."""
TRIES = 8
"""Beginnings that are looked at, of a quotation that leaves something out."""

_ELLIPSIS = re.compile(r"(?://|#|--|/\*)?(?:\.{3,}|…)(?:\*/)?|(?<=\()(?=\))")
_NAME = re.compile(r"[\w.$-]+")
_NUMBERED = re.compile(r"\s*[0-9]+\s*[→|:│\t]")


class Quotation:
    """A quotation, ready to be looked for."""

    def __init__(self, quote: str) -> None:
        lines = [line for line in quote.split("\n") if line.strip()]
        if lines and all(_NUMBERED.match(line) for line in lines):
            # As programs show it, with the number of each line.
            lines = [_NUMBERED.sub("", line, count=1) for line in lines]
        self.squeezed = "".join(map(squeeze, lines))
        parts = [part for part in _ELLIPSIS.split(self.squeezed) if _weight(part) >= LEAST]
        enough = sum(map(_weight, parts)) >= ENOUGH and not _NAME.fullmatch(self.squeezed)
        self.parts = tuple(parts) if enough else ()
        self.ways = tuple(dict.fromkeys([(self.squeezed,), self.parts])) if enough else ()
        """Dots may be meant as they stand."""

    @property
    def short(self) -> bool:
        """Whether it counts only where it is a whole line."""
        return not self.parts and _weight(self.squeezed) >= LEAST


def squeeze(text: str) -> str:
    return "".join(text.split())


def _weight(text: str) -> int:
    return len(re.findall(r"[^\W_]", text))


class FileText:
    """A file's lines, as they are compared."""

    def __init__(self, content: bytes) -> None:
        self._lines = content.decode("utf-8", "replace").split("\n")
        if not self._lines[-1]:
            self._lines.pop()

    @property
    def length(self) -> int:
        return len(self._lines)

    @cached_property
    def _squeezed(self) -> list[str]:
        return [squeeze(line) for line in self._lines]

    @cached_property
    def _joined(self) -> str:
        return "".join(self._squeezed)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins in `_joined`; the end of it comes last."""
        return [0, *accumulate(map(len, self._squeezed))]

    def holds(self, needle: Quotation, line: int, end: int) -> bool:
        """Whether the quotation stands in these lines, or reaches into them."""
        if not needle.parts:
            return needle.short and needle.squeezed in self._squeezed[line - 1 : end]
        start, stop = self._starts[line - 1], self._starts[end]
        for parts in needle.ways:
            high = stop + len(parts[0]) - 1
            for _ in range(TRIES):
                begin = self._joined.rfind(parts[0], max(0, start - REACH), high)
                if any(left < stop and right > start for left, right in self._follow(parts, begin)):
                    return True
                if begin < 0:
                    break
                high = begin + len(parts[0]) - 1
        return False

    def nearest(self, needle: Quotation, line: int) -> int:
        """Returns the line closest to this one where the quotation begins; 0 if it is nowhere."""
        here = self._starts[min(line, self.length)]
        lines = []
        for parts in needle.ways:
            first = parts[0]
            begins = (self._joined.rfind(first, 0, here + len(first) - 1), self._joined.find(first, here))
            lines += [bisect_right(self._starts, begin) for begin in begins if self._follow(parts, begin)]
        return min(lines, key=lambda other: abs(other - line), default=0)

    def _follow(self, parts: tuple[str, ...], begin: int) -> list[tuple[int, int]]:
        """Returns where each part stands, one behind the other; nothing if one of them does not."""
        spans = []
        for part in parts:
            begin = self._joined.find(part, begin, begin + REACH + len(part)) if begin >= 0 else -1
            if begin < 0:
                return []
            spans.append((begin, begin + len(part)))
            begin += len(part)
        return spans


class Seen(NamedTuple):
    reason: Reason | None = None
    note: str = ""
    path: str = ""
    proven: bool = False
    """Quoted code stands there."""
    moved: int = 0
    """The line where it stands instead."""
    needle: Quotation | None = None
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


def look_outside(cited: Citation, content: bytes) -> Seen:
    """Looks it up in a file that is no part of the repository."""
    return _compared(cited, FileText(content), cited.path)


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
    needles = [Quotation(quote.text) for quote in cited.quotes]
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


def _beyond(cited: Citation, needles: list[Quotation], text: FileText, path: str) -> Seen:
    """Says what is wrong with a line that the file does not have."""
    for needle in needles:
        if text.length and (line := text.nearest(needle, cited.line)):
            return Seen(None, f"stands at line {line}", path, moved=line, needle=needle)
    note = f"the file has {text.length} lines"
    return Seen("line_exceeds_file_length", note, path, needle=next(iter(needles), None))


def _elsewhere(cited: Citation, needles: list[Quotation], text: FileText, path: str) -> Seen:
    """Looks for quotations that are not where the agent says."""
    found = Seen(path=path)
    for needle in needles:
        if line := text.nearest(needle, cited.line):
            found = Seen(None, f"stands at line {line}", path, moved=line, needle=needle)
        else:
            return Seen("quote_mismatch", "the quoted code is not in the file", path, needle=needle)
    return found
