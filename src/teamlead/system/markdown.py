"""Markdown as its lines: which of them are headings, and which stand in blocks of code.

For what agents write, in one pass whatever it holds. What people write as a plan has lists within lists, and
is read as CommonMark (`markup.blocks`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_FENCE = re.compile(r"[ \t>]*+(?:[-*+][ \t]++)?+(`{3,}+|~{3,}+)[ \t]*+([^\s`]*+)[^`]*+$")
_TICKS = re.compile(r"`+")


class CodeFence(NamedTuple):
    """The line that opens a block of code, at the margin, in a list or in a quotation."""

    mark: str
    language: str

    def is_closed_by(self, line: str) -> bool:
        found = fence(line)
        return found is not None and found.mark.startswith(self.mark) and not found.language


class Line(NamedTuple):
    number: int
    text: str
    level: int = 0
    """Of a heading, whose text is without its marks."""
    code: bool = False
    """It stands in a block of code, or is one of its fences."""


def fence(line: str) -> CodeFence | None:
    found = _FENCE.match(line)
    return CodeFence(found[1], found[2].lower()) if found else None


def lines_of(texts: Iterable[str], first: int = 1) -> Iterator[Line]:
    """Lines come as they are, without the spaces at their ends; the first has the number `first`."""
    block: CodeFence | None = None
    for number, raw in enumerate(texts, start=first):
        text = raw.rstrip()
        if block is not None:
            block = None if block.is_closed_by(text) else block
            yield Line(number, text, code=True)
        elif block := fence(text):
            yield Line(number, text, code=True)
        else:
            level, title = heading(text)
            yield Line(number, title if level else text, level)


class Heading(NamedTuple):
    level: int
    """0: it is none."""
    title: str


def heading(text: str) -> Heading:
    rest = text.lstrip(" ")
    marks = len(rest) - len(rest.lstrip("#"))
    if not 1 <= marks <= 6 or len(text) - len(rest) > 3 or rest[marks : marks + 1] not in {" ", "\t"}:
        return Heading(0, "")
    return Heading(marks, rest[marks:].strip().rstrip("#").rstrip())


def longest_ticks(text: str) -> int:
    """The longest run of backticks in it: a longer one around it nothing inside can end."""
    return max((len(run) for run in _TICKS.findall(text)), default=0)
