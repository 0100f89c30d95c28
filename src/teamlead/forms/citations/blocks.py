"""A citation, and the block of text that speaks of it: its line, what stands below, a block of code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from teamlead.core.evidence.references import MOST
from teamlead.forms.citations.places import Place, places
from teamlead.forms.citations.quotes import LONGEST, Quote, below, beside, confident, proposed, row_confident
from teamlead.system.markdown import CodeFence

MOST_QUOTES = 4


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


@dataclass(slots=True)
class Group:
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
        if len(self.quotes) < MOST_QUOTES:
            only = claimed and len(self.places) == 1 and not self.proposes
            self.quotes.append((Quote(text, only), None))

    def citations(self, *, sure: bool = True) -> Iterator[Citation]:
        for number, place in enumerate(self.places):
            quotes = [quote for quote, owner in self.quotes if owner in {None, number}]
            yield Citation(
                path=place.path,
                line=place.line,
                end=place.end,
                quotes=tuple(dict.fromkeys(quotes))[:MOST_QUOTES],
                confident=self.confident,
                sure=sure and place.sure,
                stop=self.offset + place.stop,
            )


_COMMENT = re.compile(r"\s*(?://|#|--|/\*|<!--|;|%)")


@dataclass(slots=True)
class CodeBlock:
    fence: CodeFence
    claims: bool
    """It quotes a file: it is no diff, and nothing that a program printed."""
    lines: list[str] = field(default_factory=list)
    size: int = 0
    listed: list[Group] = field(default_factory=list)
    """Citations inside."""
    title: Group | None = None
    """Those in the comment that the block begins with: the rest of it is their quotation."""

    def add(self, line: str, offset: int) -> None:
        found = places(line)
        if found and not self.lines and _COMMENT.match(line):
            self.title = Group(found, offset)
            return
        if found and len(self.listed) <= MOST:
            self.listed.append(Group(found, offset))
        if self.size < LONGEST:
            self.lines.append(line)
            self.size += len(line) + 1

    def end(self, above: Group | None) -> Iterator[Citation]:
        """Its citations, once what it quotes is given to whom it belongs."""
        owner = self.title or above
        if owner and not self.listed:
            owner.quote("\n".join(self.lines)[:LONGEST], claimed=self.claims)
        if self.title:
            yield from self.title.citations()
        for group in self.listed:
            yield from group.citations(sure=False)


def begun(line: str, found: list[Place], offset: int, header: tuple[str, ...]) -> Group:
    told = row_confident(line, header) if header else False
    group = Group(found, offset, confident=told or confident(line), proposes=_announces(line, found))
    group.quotes = [(each.quote, each.place) for each in beside(line, found, header)]
    return group


def _announces(line: str, found: list[Place]) -> bool:
    """Whether what follows is introduced as something else than the cited code."""
    return proposed(line[found[-1].stop :][-200:])


def continues(group: Group, line: str, *, row: bool) -> bool:
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
