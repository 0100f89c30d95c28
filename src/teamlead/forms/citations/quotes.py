"""Which code in a text is meant as a quotation of the file that is cited beside it.

Code that is labelled, or stands right next to a citation, is claimed to be there, and is held against it.
Other code on the same line may be a name, a command or a proposal: it can speak for the citation only.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.forms.citations.places import Piece, Place, code_spans

LONGEST = 4000
"""Characters of a quotation that are compared."""
MOST_BESIDE = 8
"""Code and citations on one line that are brought together."""


class Quote(NamedTuple):
    text: str
    claimed: bool


class Beside(NamedTuple):
    """A quotation, and which of the places on its line it belongs to; None: any of them."""

    quote: Quote
    place: int | None


_NAMED = r"code|snippets?|quoted?|excerpt|コード(?:一致)?|引用|抜粋|코드|인용"
_LABEL = re.compile(rf"(?:{_NAMED})[^`:：|]{{0,12}}[:：]?[*\s]*$", re.IGNORECASE)  # noqa: RUF001
_LABELLED = re.compile(rf"[\s>*+-]*(?:{_NAMED})[^`:：|]{{0,12}}[:：]\**\s*(.*)", re.IGNORECASE)  # noqa: RUF001
_COLUMN = re.compile(rf"{_NAMED}|evidence|証拠|증거", re.IGNORECASE)
_PROPOSED = re.compile(
    r"suggest|propos|\bfix|should|instead|replac|chang|recommend|\bnew\b|\bafter\b|better|\buse\b|expect|\badd\b"
    r"|must|rename|修正|提案|変更|代わり|べき|수정|제안|변경|대신",
    re.IGNORECASE,
)
_CONFIDENCE = r"confidence|信頼度|確信度|신뢰도|확신도"
_CONFIDENT = re.compile(rf"(?:{_CONFIDENCE})\W{{0,8}}[0-9]", re.IGNORECASE)
_NEXT = re.compile(r"[`)\]*\"']{0,3}\s?(?:[:：(–—-]|contains|has|reads|says|is|defines|declares)?\s?")  # noqa: RUF001
_PREVIOUS = re.compile(r"`{1,2}\s?(?:[(:–—-]|at|in|from)?\s?[(`\[\"*]{0,3}")  # noqa: RUF001


_CODE_LIKE = re.compile(r"[()\[\]{}=;<>]|::")


def proposed(text: str) -> bool:
    """Whether it speaks of code as it ought to be."""
    return _PROPOSED.search(text) is not None


def confident(line: str) -> bool:
    return _CONFIDENT.search(line) is not None


def beside(line: str, places: Sequence[Place], header: Sequence[str]) -> Iterator[Beside]:
    """The quotations on the line of the citations. `header`: of the table, if the line is a row of one."""
    last = 0
    starts = [place.start for place in places]
    spans = [span for span in code_spans(line) if not _within(span, starts)]
    for span in spans[:MOST_BESIDE]:
        while last < len(places) and places[last].stop <= span.start:
            last += 1
        before = line[max(0, span.start - 40) : span.start]
        if header:
            labelled = _COLUMN.search(_column(line, span.start, header)) and _CODE_LIKE.search(span.text)
            owner = 0 if labelled and len(places) == 1 else None
        elif _LABEL.search(before):
            owner = max(0, last - 1)
        else:
            owner = _neighbour(line, span, places, last) if _CODE_LIKE.search(span.text) else None
        if owner is not None and any(
            other is not places[owner] and other.stop == places[owner].stop for other in places
        ):
            owner = None
        text = span.text.replace("\\|", "|")[:LONGEST]
        claimed = owner is not None and not proposed(before)
        if claimed or len(places) <= MOST_BESIDE:
            yield Beside(Quote(text, claimed), owner)


def _within(span: Piece, starts: Sequence[int]) -> bool:
    """Whether a citation stands in it."""
    at = bisect_left(starts, span.start)
    return at < len(starts) and starts[at] < span.stop


def _neighbour(line: str, span: Piece, places: Sequence[Place], last: int) -> int | None:
    mark = span.start
    while mark and line[mark - 1] == "`":
        mark -= 1
    if last and mark - places[last - 1].stop < 20 and _NEXT.fullmatch(line, places[last - 1].stop, mark):
        return last - 1
    near = last < len(places) and places[last].start - span.stop < 20
    return last if near and _PREVIOUS.fullmatch(line, span.stop, places[last].start) else None


def below(line: str) -> Quote | None:
    """The quotation on a line below the citation: labelled, or the only thing there."""
    spans = code_spans(line)
    labelled = _LABELLED.match(line)
    if labelled:
        text = spans[0].text if spans else labelled[1]
        return (
            Quote(text[:LONGEST], claimed=not proposed(line[: labelled.start(1)])) if text.strip() else None
        )
    if len(spans) == 1 and line.replace(spans[0].text, "", 1).strip(" \t`>*+-") == "":
        return Quote(spans[0].text[:LONGEST], claimed=True)
    return None


def cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip(" \t*_`") for cell in re.split(r"(?<!\\)\|", row.strip().strip("|")))


def _column(row: str, at: int, header: Sequence[str]) -> str:
    column = len(re.findall(r"(?<!\\)\|", row[:at].lstrip().removeprefix("|")))
    return header[column] if column < len(header) else ""


def row_confident(row: str, header: Sequence[str]) -> bool:
    """Whether the table has a column for it, and the row a number there."""
    return any(
        re.search(_CONFIDENCE, name, re.IGNORECASE) and cell[:1].isdigit()
        for name, cell in zip(header, cells(row), strict=False)
    )
