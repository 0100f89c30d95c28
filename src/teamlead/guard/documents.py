"""A document's text, as far as the judge of edits must know it: its lines, blocks of code, head and form."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from teamlead.system.markdown import Fence, fence

Entry = Literal["version", "date"]

_AT_MARGIN = re.compile(r" {0,3}[`~]")
_TITLE = re.compile(r"#\s")
_HEADING = re.compile(r"#{2,6}\s")
_BULLET = re.compile(r"[-*+]\s+")
_SHARPS = re.compile(r"#{1,6}\s+")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*])\1(?![\w*])")
_VALUES: dict[Entry, re.Pattern[str]] = {
    "version": re.compile(r"v?\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.]+)?"),
    "date": re.compile(r"\d{4}([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|\d{4}年\d{1,2}月\d{1,2}日"),
}
_KEYS: dict[Entry, frozenset[str]] = {
    "version": frozenset({"version", "document version", "バージョン", "版", "버전", "문서 버전"}),
    "date": frozenset(
        {"date", "created", "updated", "last updated", "last modified"}
        | {"日付", "作成日", "更新日", "最終更新日", "最終更新", "날짜", "작성일", "수정일", "최종 수정일"}
    ),
}
_ENTRY = re.compile(
    r"(?!\s)(?:\|\s*)?(?:[-*+]\s+)?(?:([^\d:=|\uff1a]+?)\s*[:=|\uff1a]\s*)?([\"'`]?)([^\s\"'`|]+)\2[\s|]*"
)
"""Not indented: below another entry it would be about that."""


class Line(NamedTuple):
    number: int
    before: str
    after: str


class Changed(NamedTuple):
    lines: list[Line]
    blank: int = 0
    """How many blank lines come or go."""
    reason: str = ""
    """Why lines cannot be paired, if so."""


def changed(old: Sequence[str], new: Sequence[str]) -> Changed:
    start = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    was = list(_numbered(old, start, len(old) - end))
    now = list(_numbered(new, start, len(new) - end))
    blank = 0
    if len(was) != len(now):
        blank = abs(_blank(was) - _blank(now))
        was, now = [w for w in was if w[1].strip()], [n for n in now if n[1].strip()]
    if len(was) != len(now):
        return Changed([], reason="content is added" if len(now) > len(was) else "content is removed")
    pairs = zip(was, now, strict=True)
    return Changed([Line(number, a, b) for (number, a), (_, b) in pairs if a != b], blank)


def _numbered(lines: Sequence[str], start: int, end: int) -> Iterator[tuple[int, str]]:
    return ((number + 1, lines[number]) for number in range(start, end))


def _blank(lines: Sequence[tuple[int, str]]) -> int:
    return sum(not text.strip() for _, text in lines)


def fenced(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines in blocks of code, their fences among them.

    In doubt a line is code: only a fence at the margin ends a block.
    """
    inside: list[int] = []
    block: Fence | None = None
    for number, line in enumerate(lines, 1):
        if block is None:
            block = fence(line)
            inside += [number] if block else []
        else:
            inside.append(number)
            block = None if _AT_MARGIN.match(line) and block.is_closed_by(line) else block
    return frozenset(inside)


def head(lines: Sequence[str]) -> int:
    """Where the head of the document ends: there its version and dates are. Below, they are requirements."""
    titles = 0
    for number, line in enumerate(lines, 1):
        titles += bool(_TITLE.match(line))
        if _HEADING.match(line) or titles > 1:
            return number - 1
    return len(lines)


def formless(line: str) -> str:
    """Without spaces and signs that only shape it. What stands in back quotes stays as it is."""
    marked = _SHARPS.sub("# ", _BULLET.sub("- ", line.strip(), count=1), count=1)
    parts = re.split(r"`([^`]+)`", marked)
    for at in range(0, len(parts), 2):
        bare = re.sub(r"\s*\|\s*", "|", _EMPHASIS.sub(r"\2", parts[at]))
        parts[at] = re.sub(r"\s+", " ", re.sub(r"-{3,}", "---", bare))
    return "".join(parts).strip()


def metadata(before: str, after: str) -> Entry | None:
    was, now = (_ENTRY.fullmatch(_EMPHASIS.sub(r"\2", line)) for line in (before, after))
    if was is None or now is None or was[1] != now[1]:
        return None
    key = (was[1] or "").strip().lower()
    for kind, value in _VALUES.items():
        plain = not key and (kind == "date" or was[3].count(".") == 2)
        if (plain or key in _KEYS[kind]) and value.fullmatch(was[3]) and value.fullmatch(now[3]):
            return kind
    return None
