"""What stands in a section: items of a list, rows of a table, labels with their values, numbers and words."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from teamlead.forms.labels import COLUMNS, LONGEST, meaning
from teamlead.system.markdown import Line

_MARKER = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+")
_BOX = re.compile(r"\[(.?)\][ \t]*")
_BAR = re.compile(r"[ \t]\|[ \t]|｜")  # noqa: RUF001
_CELL_END = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(
    r"[*_`\[~≈ ]*(-?\d{1,6}(?:\.\d{1,6})?)"
    r"(?![\d.]|\s?(?:[-–~]|to)\s?\d)"  # noqa: RUF001 - a range is no number
    r"\s?(?:%|/\s?100)?[*_`\]]*"
)
_BEFORE = " \t\n-–—:：,、.*_()（）"  # noqa: RUF001
_ASIDE = re.compile(r"\s*(?:[-–—(（:：,].*)?", re.DOTALL)  # noqa: RUF001
_DECORATION = "*_`✅❌⚠️🟢🟡🔴.。 \t\n"
MOST: Final = 1000
"""Items of one section. Nobody reads more, and a report goes to the journal."""


class Item(NamedTuple):
    text: str
    line: int


class Bullet(NamedTuple):
    indent: int
    text: str


class Box(NamedTuple):
    text: str
    line: int
    ticked: bool


Row = dict[str, Item]
"""By the name of the column."""


def bullet(text: str) -> Bullet | None:
    found = _MARKER.match(text)
    return Bullet(len(found[1].expandtabs(4)), text[found.end() :].strip()) if found else None


def items(lines: Sequence[Line]) -> list[Item]:
    """One for each item of a list or paragraph; what follows an item without a mark belongs to it."""
    found = _Items()
    fresh = True
    for line in lines:
        marked = None if line.code else bullet(line.text)
        text = marked.text if marked else line.text.strip()
        if not text:
            fresh = True
        else:
            found.add(text, line.number, fresh=fresh or bool(marked or line.level))
            fresh = False
    return found.done()


class _Items:
    """Grows line by line. Lines are joined once, at the end: many short ones stay cheap."""

    def __init__(self) -> None:
        self._found: list[tuple[int, list[str]]] = []

    def add(self, text: str, line: int, *, fresh: bool) -> None:
        if fresh or not self._found:
            self._found.append((line, [text]))
        else:
            self._found[-1][1].append(text)

    def done(self) -> list[Item]:
        return [Item("\n".join(parts), line) for line, parts in self._found[:MOST]]


def boxes(lines: Sequence[Line]) -> Iterator[Box]:
    for line in lines:
        marked = bullet(line.text)
        found = _BOX.match(marked.text) if marked else None
        if marked and found:
            yield Box(marked.text[found.end() :], line.number, found[1] in set("xX✓✔☑"))


def is_row(line: Line) -> bool:
    return not line.code and line.text.lstrip().startswith("|")


def is_rule(text: str) -> bool:
    """The line of dashes below a table's head."""
    return not text.strip("|:- \t")


def segments(text: str) -> list[str]:
    """What stands between bars, as in "text | severity: minor"."""
    return [segment.strip() for segment in _BAR.split(text)]


def rows(lines: Sequence[Line], columns: str) -> list[Row]:
    """The rows of all tables. Columns are known by their headings, in any order, else by their places."""
    found: list[Row] = []
    names: list[str] = []
    for line in lines:
        if not is_row(line):
            names = []
            continue
        cells = _cells(line.text)
        if not names:
            known = [meaning(columns, cell.strip("*_` ")) for cell in cells]
            names = known if sum(map(bool, known)) >= 2 else list(COLUMNS[columns])
        elif not is_rule(line.text):
            given = zip(names, cells, strict=False)
            found.append({name: Item(cell, line.number) for name, cell in given if name and cell})
    return found[:MOST]


def _cells(text: str) -> list[str]:
    inner = text.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(inner)]


def label(text: str, table: str) -> tuple[str, str]:
    """The field that a line begins with and what stands behind its colon; no field if the table has none."""
    plain = text.strip("*_` \t")
    for mark in (":", "："):  # noqa: RUF001
        at = plain.find(mark, 0, LONGEST)
        if at > 0 and (field := meaning(table, plain[:at].strip("*_` "))):
            return field, text.partition(mark)[2].lstrip("*_").strip()
    return meaning(table, plain), ""


def fields(lines: Sequence[Line], table: str) -> dict[str, list[Item]]:
    """Labels with what belongs to each: behind the colon, or in lines and items below."""
    found: dict[str, _Items] = {}
    current: _Items | None = None
    for line in lines:
        marked = None if line.code else bullet(line.text)
        text = marked.text if marked else line.text.strip()
        name, value = ("", "") if line.code else label(text, table)
        if name:
            current = found.setdefault(name, _Items())
            if value:
                current.add(value, line.number, fresh=True)
        elif current is not None and text:
            current.add(text, line.number, fresh=bool(marked or line.level or is_row(line)))
    return {name: grown.done() for name, grown in found.items()}


class Score(NamedTuple):
    number: float | None
    reason: str


def score(text: str) -> Score:
    """A number at the beginning, and why it is that; no number if it begins with none."""
    start = unicodedata.normalize("NFKC", text[:LONGEST])
    found = _NUMBER.match(start)
    if found is None:
        return Score(None, text.strip())
    rest = start[found.end() :] + text[LONGEST:]
    return Score(float(found[1]), rest.strip(_BEFORE))


def choice(table: str, text: str) -> str:
    """The word of the table that the text begins with, alone or before an aside; "" if it is none."""
    plain = text.strip(_DECORATION)
    first = re.split(r"[\s*_`]", plain[:LONGEST], maxsplit=1)[0]
    if found := meaning(table, plain):
        return found
    return meaning(table, first) if _ASIDE.fullmatch(plain[len(first) :].lstrip("*_`")) else ""
