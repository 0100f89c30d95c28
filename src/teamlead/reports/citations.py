"""The `file:line` citations of a text, each with the code that is quoted for it.

A citation is found in every form that `places` knows. In a block of code it counts only if the file exists:
what a program printed is not the agent's own word.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from teamlead.core.references import MOST
from teamlead.reports.places import Place, places
from teamlead.reports.quoting import (
    LONGEST,
    Quote,
    below,
    beside,
    cells,
    confident,
    proposed,
    row_confident,
)

MOST_QUOTES = 8


class Citation(NamedTuple):
    path: str
    line: int
    end: int
    quotes: tuple[Quote, ...] = ()
    confident: bool = False
    """The agent says how sure it is of this one."""
    sure: bool = True
    """False: it may be something else, unless the file exists."""
    stop: int = 0
    """Where it ends in the text."""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" + (f"-{self.end}" if self.end != self.line else "")


class Citations(NamedTuple):
    found: tuple[Citation, ...]
    more: bool = False
    """There are more than are looked up."""


def citations(text: str, further: Iterable[Citation] = ()) -> Citations:
    """Each place once, with all that is quoted for it; `further` were found elsewhere."""
    found: dict[str, Citation] = {}
    counted = {True: 0, False: 0}
    more = False
    for each in _chained(further, scan(text)):
        known = found.get(each.place)
        if known:
            found[each.place] = _merged(known, each)
        elif counted[each.sure] < MOST:
            found[each.place] = each
            counted[each.sure] += 1
        elif each.sure:
            more = True
            break
    return Citations(tuple(found.values()), more)


def _chained(*parts: Iterable[Citation]) -> Iterator[Citation]:
    for part in parts:
        yield from part


def _merged(one: Citation, other: Citation) -> Citation:
    return one._replace(
        quotes=tuple(dict.fromkeys(one.quotes + other.quotes))[:MOST_QUOTES],
        confident=one.confident or other.confident,
        sure=one.sure or other.sure,
    )


def marked(text: str, label: Callable[[str], str]) -> str:
    """The text with a label behind each citation, by its place."""
    labels: dict[int, list[str]] = {}
    for each in scan(text):
        word = label(each.place)
        at = _behind(text, each.stop)
        if word and word not in labels.setdefault(at, []):
            labels[at].append(word)
    parts, read = [], 0
    for at in sorted(labels):
        parts += [text[read:at], *(f" {word}" for word in labels[at])]
        read = at
    return "".join([*parts, text[read:]])


def _behind(text: str, at: int) -> int:
    """Behind the marks that close what a citation stands in."""
    while text[at : at + 1] in {"`", "*", '"', "'", ")", "]"}:
        at += 1
    return at


@dataclass(slots=True)
class _Group:
    """The citations of one line, and what is said about them there and below."""

    places: list[Place]
    offset: int
    quotes: list[tuple[Quote, int | None]] = field(default_factory=list)
    confident: bool = False
    proposes: bool = False
    """What is shown below is code as it ought to be."""
    blank: bool = False
    """A line without anything came after it."""

    def quote(self, text: str, *, claimed: bool) -> None:
        only = claimed and len(self.places) == 1 and not self.proposes
        self.quotes.append((Quote(text, only), None))

    def citations(self, *, sure: bool = True) -> Iterator[Citation]:
        for number, place in enumerate(self.places):
            quotes = [quote for quote, owner in self.quotes if owner in {None, number}]
            yield Citation(
                place.path,
                place.line,
                place.end,
                tuple(dict.fromkeys(quotes))[:MOST_QUOTES],
                self.confident,
                sure and place.sure,
                self.offset + place.stop,
            )


_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r"\s*(?:[-*+>]\s+)?(`{3,}|~{3,})\s*([^`]*)$")
_REPORTS = frozenset({"markdown", "md"})
"""A report may come as a block of its own language."""
_SESSIONS = frozenset(
    {"diff", "patch", "console", "sh", "bash", "shell", "zsh", "text", "txt", "output", "log"}
)
"""Blocks that quote no file."""
_COMMENT = re.compile(r"\s*(?://|#|--|/\*|<!--|;|%)")


@dataclass(slots=True)
class _Fence:
    mark: str
    claims: bool
    lines: list[str] = field(default_factory=list)
    size: int = 0
    listed: list[_Group] = field(default_factory=list)
    """Citations inside."""
    title: _Group | None = None
    """Those in the comment that the block begins with: the rest of it is their quotation."""

    def add(self, line: str, offset: int) -> None:
        found = places(line)
        if found and not self.lines and _COMMENT.match(line):
            self.title = _Group(found, offset)
            return
        if found and len(self.listed) <= MOST:
            self.listed.append(_Group(found, offset))
        if self.size < LONGEST:
            self.lines.append(line)
            self.size += len(line) + 1

    def end(self, above: _Group | None) -> Iterator[Citation]:
        """Its citations, once what it quotes is given to whom it belongs."""
        owner = self.title or above
        if owner and not self.listed:
            owner.quote("\n".join(self.lines)[:LONGEST], claimed=self.claims)
        if self.title:
            yield from self.title.citations()
        for group in self.listed:
            yield from group.citations(sure=False)


def scan(text: str) -> Iterator[Citation]:
    """Every citation, as the text is read: nothing is kept but the block that is being read."""
    group: _Group | None = None
    fence: _Fence | None = None
    header: tuple[str, ...] = ()
    wrapped = False
    for offset, line in _lines(text):
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence.mark) and not opening[2].strip():
                inside = list(fence.end(group))
                yield from group.citations() if group else ()
                yield from inside
                group = fence = None
            else:
                fence.add(line, offset)
            continue
        if opening:
            language = opening[2].split(" ")[0].strip().lower()
            if language in _REPORTS or (wrapped and not language):
                wrapped = not wrapped
                continue
            if named := places(line):
                yield from group.citations() if group else ()
                group = _Group(named, offset)
            fence = _Fence(opening[1], claims=language not in _SESSIONS)
            continue
        row = line.lstrip().startswith("|")
        header = (header or cells(line)) if row else ()
        found = places(line)
        if found or (group and not _continues(group, line, row=row)):
            yield from group.citations() if group else ()
            group = _read(line, found, offset, header) if found else None
    if fence:
        inside = list(fence.end(None))
        yield from group.citations() if group else ()
        yield from inside
    elif group:
        yield from group.citations()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for found in _LINE.finditer(text):
        yield found.start(), found[0].rstrip("\r\n")


def _read(line: str, found: list[Place], offset: int, header: tuple[str, ...]) -> _Group:
    told = row_confident(line, header) if header else False
    group = _Group(found, offset, confident=told or confident(line), proposes=_announces(line, found))
    group.quotes = [(each.quote, each.place) for each in beside(line, found, header)]
    return group


def _announces(line: str, found: list[Place]) -> bool:
    """Whether what follows is introduced as something else than the cited code."""
    return proposed(line[found[-1].stop :][-200:])


def _continues(group: _Group, line: str, *, row: bool) -> bool:
    """Takes a line below the citations, if it still speaks of them."""
    if not line.strip():
        group.blank = True
        return True
    if row or line.lstrip().startswith("#"):
        return False
    quote = below(line)
    told = confident(line)
    if group.blank and not (quote or told):
        return False
    if quote:
        group.quote(quote.text, claimed=quote.claimed)
    else:
        group.proposes = group.proposes or proposed(line[-200:])
    group.confident = group.confident or told
    return True
