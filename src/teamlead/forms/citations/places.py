"""The forms in which people and agents write `file:line`, found in one line of text.

Everything is found from the number backwards, in pieces that are cut at spaces and quotes: so the work is
proportional to the line, whatever is in it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from teamlead.forms.citations.file_names import OF_NODE, Likeness, likeness

LONGEST = 1000
"""Characters of a path."""


class Place(NamedTuple):
    path: str
    line: int
    end: int
    sure: bool
    """False: it may be something else, unless the file exists."""
    start: int
    """Where it stands in the line of text."""
    stop: int


class Piece(NamedTuple):
    text: str
    start: int
    code: bool = False
    """Stands between backticks, as a whole."""

    @property
    def stop(self) -> int:
        return self.start + len(self.text)


_PIECE = re.compile(r"[^\s\"'<>|,;*`!?={}“”‘’（）「」『』【】《》〈〉、。：；，！？]+")  # noqa: RUF001
_CODE = re.compile(r"``(?!`)(.+?)``(?!`)|`([^`]+)`")
_NUMBER = r"L?(-?[0-9]+)(?:[-–]L?([0-9]+))?"  # noqa: RUF001
_ANCHOR = re.compile(
    rf"(?::{_NUMBER}(?::[0-9]+)?|#L([0-9]+)(?:C[0-9]+)?(?:-L?([0-9]+)(?:C[0-9]+)?)?"
    r"|\(([0-9]+)(?:\)|$))(?![A-Za-z0-9_]|\.[0-9])"
)
_FURTHER = re.compile(r"(?:,[0-9]+(?:[-–][0-9]+)?)+(?![\w.])")  # noqa: RUF001
_CLOSED = re.compile(r"[`\"'*>]{1,3}")
_BRACKET = re.compile(r"[()\[\]]")
_IN_WORDS = re.compile(r"\blines?\s([0-9]+)(?:\s?(?:-|–|to)\s?([0-9]+))?", re.IGNORECASE)  # noqa: RUF001
_OF = re.compile(r"\s(?:of|in)\s[`\"'(\[]{0,2}")
_BEFORE_WORDS = re.compile(r"[`\"')\]]{0,2},?\s?\(?(?:at\s|on\s)?")


def code_spans(line: str) -> list[Piece]:
    return [
        Piece(found[number], found.start(number), code=True)
        for found in _CODE.finditer(line)
        for number in (1, 2)
        if found[number] is not None
    ]


def places(line: str) -> list[Place]:
    """In the order in which they stand."""
    if not re.search(r"[0-9]", line):
        return []
    spans = {span.start: span for span in code_spans(line)}
    found: list[Place] = []
    pieces = [Piece(each[0], each.start()) for each in _PIECE.finditer(line)]
    last = Piece("", 0)
    covered = 0
    for piece in pieces:
        span = spans.get(piece.start)
        if span:
            last = span
            if spaced := _spaced(span):
                found.append(spaced)
                covered = span.stop
        if piece.start >= covered:
            found += _in_piece(piece, last, line)
        if piece.start >= last.stop:
            last = piece
    found += _in_words(line, pieces)
    return sorted(found, key=lambda place: place.start)


def _in_piece(piece: Piece, last: Piece, line: str) -> Iterator[Place]:
    read = 0
    for anchor in _ANCHOR.finditer(piece.text):
        before = piece.text[read : anchor.start()][-LONGEST:]
        start = piece.start + anchor.start()
        if not before and not read and _CLOSED.fullmatch(line, last.stop, piece.start):
            # `path`:3 or "path":3
            path, start = last.text, last.start
        elif (ended := _path(before)) is None:
            return
        else:
            # Two citations are not written without anything between them.
            path = "" if read and ended == before else ended
            start -= len(path)
        read = anchor.end()
        like = likeness(path)
        if like is None or (anchor[5] and like is not Likeness.KNOWN):
            continue
        numbers, stop = [_bounds(anchor)], piece.start + read
        if not anchor[5] and stop == piece.stop and (further := _FURTHER.match(line, stop)):
            numbers += [_split(part) for part in further[0][1:].split(",")]
            stop = further.end()
        for first, until in numbers:
            yield _place(path, first, until, sure=like is not Likeness.POSSIBLE, start=start, stop=stop)


def _bounds(anchor: re.Match[str]) -> tuple[str, str]:
    return anchor[1] or anchor[3] or anchor[5], anchor[2] or anchor[4] or ""


def _split(numbers: str) -> tuple[str, str]:
    first, _, until = numbers.replace("–", "-").partition("-")  # noqa: RUF001
    return first, until


def _path(text: str) -> str | None:
    """The path that ends where `text` ends; "" if there is none, None if all of it is an address."""
    if text.endswith((")", "]")):
        # (path):3 or [name](path):3
        text = _after_open(text[:-1])
    path = _after_open(text)
    head, colon, tail = path.rpartition(":")
    if not colon:
        return path.lstrip("/") if path.startswith("//") else path
    if tail.startswith("///") and head.endswith("file"):
        return tail[2:]
    if tail.startswith("//"):
        return None
    if head == "node" and OF_NODE.match(path):
        return path
    drive = head[-1:].isalpha() and not head[-2:-1].isalnum() and tail.startswith(("\\", "/"))
    return path[len(head) - 1 :] if drive else tail


def _after_open(text: str) -> str:
    """What follows the last bracket that is not closed."""
    depth = 0
    for found in reversed(list(_BRACKET.finditer(text))):
        if found[0] in ")]":
            depth += 1
        elif depth:
            depth -= 1
        else:
            return text[found.end() :]
    return "" if depth else text


def _spaced(span: Piece) -> Place | None:
    """`a path with spaces.md:3`, which only backticks keep together."""
    if " " not in span.text or len(span.text) > LONGEST:
        return None
    anchors = list(_ANCHOR.finditer(span.text))
    if len(anchors) != 1 or anchors[0].end() != len(span.text) or anchors[0][5]:
        return None
    path = span.text[: anchors[0].start()]
    if ":" in path or likeness(path) is not Likeness.KNOWN:
        return None
    return _place(path, *_bounds(anchors[0]), sure=True, start=span.start, stop=span.stop)


def _in_words(line: str, pieces: list[Piece]) -> Iterator[Place]:
    """`line 3 of path` and `path, line 3`."""
    at = 0
    for found in _IN_WORDS.finditer(line):
        while at < len(pieces) and pieces[at].stop <= found.start():
            at += 1
        of = _OF.match(line, found.end())
        if of:
            named = _PIECE.match(line, of.end())
            piece = Piece(named[0].rstrip(".:)]"), of.end()) if named else None
        else:
            piece = _named_before(line, pieces[max(0, at - 3) : at], found.start())
        if piece and likeness(piece.text) is Likeness.KNOWN:
            start, stop = min(found.start(), piece.start), max(found.end(), piece.stop)
            yield _place(piece.text, found[1], found[2] or "", sure=True, start=start, stop=stop)


def _named_before(line: str, pieces: list[Piece], end: int) -> Piece | None:
    for piece in reversed(pieces):
        text = piece.text.lstrip("([").rstrip(")]")
        if _BEFORE_WORDS.fullmatch(line, piece.start + len(piece.text.rstrip(")]")), end):
            return Piece(text, piece.start + len(piece.text) - len(piece.text.lstrip("([")))
    return None


def _place(path: str, first: str, until: str, *, sure: bool, start: int, stop: int) -> Place:
    line = _number(first)
    return Place(
        path=_written(path),
        line=line,
        end=_number(until) if until else line,
        sure=sure,
        start=start,
        stop=stop,
    )


def _number(digits: str) -> int:
    """No file has a thousand million lines, and no number is too long to be told from one."""
    return int(digits) if len(digits) < 10 else 10**9


def _written(path: str) -> str:
    """With slashes. A backslash before `_` in a path with slashes is Markdown's."""
    return path.replace("\\_", "_") if "/" in path else path.replace("\\", "/")
