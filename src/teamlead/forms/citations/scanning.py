"""The `file:line` citations of a text, each with the code that is quoted for it.

A citation is found in every form that `places` knows. In a block of code it counts only if the file exists:
what a program printed is not the agent's own word.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from teamlead.core.evidence.references import MOST
from teamlead.forms.citations.blocks import MOST_QUOTES, Citation, CodeBlock, Group, begun, continues
from teamlead.forms.citations.places import places
from teamlead.forms.citations.quotes import cells
from teamlead.system.markdown import CodeFence, fence


class Citations(NamedTuple):
    found: tuple[Citation, ...]
    more: bool = False
    """There are more than are looked up."""


def citations(text: str, further: Iterable[Citation] = ()) -> Citations:
    """Each place once, with all that is quoted for it; `further` were found elsewhere."""
    found: dict[str, Citation] = {}
    counted = {True: 0, False: 0}
    more = False
    for each in chain(further, scan(text)):
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


_LINE = re.compile(r"[^\n]*\n?")
_REPORTS = frozenset({"markdown", "md"})
"""A report may come as a block of its own language."""
_SESSIONS = frozenset(
    {"diff", "patch", "console", "sh", "bash", "shell", "zsh", "text", "txt", "output", "log"}
)
"""Blocks that quote no file."""


def scan(text: str) -> Iterator[Citation]:
    """Every citation, as the text is read: nothing is kept but the block that is being read."""
    reader = _Reader()
    for found in _LINE.finditer(text):
        yield from reader.take(found[0].rstrip("\r\n"), found.start())
    yield from reader.end()


class _Reader:
    def __init__(self) -> None:
        self._group: Group | None = None
        self._block: CodeBlock | None = None
        self._header: tuple[str, ...] = ()
        """Of the table that is being read."""
        self._wrapped = False
        """The report itself stands in a block."""

    def take(self, line: str, offset: int) -> Iterator[Citation]:
        """A further line. Citations come when all that belongs to them was read."""
        if self._block is None:
            opened = fence(line)
            yield from self._open(opened, line, offset) if opened else self._prose(line, offset)
        elif self._block.fence.is_closed_by(line):
            yield from self.end()
        else:
            self._block.add(line, offset)

    def end(self) -> Iterator[Citation]:
        inside = list(self._block.end(self._group)) if self._block else []
        self._block = None
        yield from self._replaced(None)
        yield from inside

    def _open(self, opened: CodeFence, line: str, offset: int) -> Iterator[Citation]:
        if opened.language in _REPORTS or (self._wrapped and not opened.language):
            self._wrapped = not self._wrapped
            return
        if named := places(line):
            yield from self._replaced(Group(named, offset))
        self._block = CodeBlock(opened, claims=opened.language not in _SESSIONS)

    def _prose(self, line: str, offset: int) -> Iterator[Citation]:
        row = line.lstrip().startswith("|")
        self._header = (self._header or cells(line)) if row else ()
        if found := places(line):
            yield from self._replaced(begun(line, found, offset, self._header))
        elif self._group and not continues(self._group, line, row=row):
            yield from self._replaced(None)

    def _replaced(self, group: Group | None) -> Iterator[Citation]:
        """The citations so far, which are complete now."""
        before, self._group = self._group, group
        if before:
            yield from before.citations()
