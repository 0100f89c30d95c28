"""Which edits are TRIVIAL: at most two lines, the same meaning before and after, and nothing to decide.

The kinds are a typo, a version or a date of the document itself, and mere form. Whatever else changes, and
whatever is in doubt, is for an agent. Only documents have trivial edits: in code a space can be a decision.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from teamlead.guard.delegation import Occasion, Verdict, refused, role_for, work_on
from teamlead.guard.spelling import is_misspelling
from teamlead.system.markdown import CodeFence, fence

Kind = Literal["typo", "version", "date", "formatting"]
Metadata = Literal["version", "date"]
"""Which entry of a document's head a line is."""

LINES = 2
LONGEST = 2_000
"""Characters of a line that is looked at; in a longer one nothing is obvious."""

_TOKEN = re.compile(r"`[^`]*`|\S+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_STRENGTH = re.compile(
    r"\b(?:must|shall|should|may|might|can|could|will|would|needs?|required?|optional|recommended|never|always"
    r"|not|no|only|all|any|each|every|least|most)\b|n't\b"
    r"|必須|任意|省略可|推奨|禁止|必ず|べき|なければ|必要|望ましい|てもよい|できる|できない|不可|常に|のみ"
    r"|필수|선택|생략|권장|금지|반드시|해야|하여야|필요|수 있|수 없|않|항상|만 ",
    re.IGNORECASE,
)

_AT_MARGIN = re.compile(r" {0,3}[`~]")
_TITLE = re.compile(r"#\s")
_HEADING = re.compile(r"#{2,6}\s")
_BULLET = re.compile(r"[-*+]\s+")
_SHARPS = re.compile(r"#{1,6}\s+")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*])\1(?![\w*])")
_VALUES: dict[Metadata, re.Pattern[str]] = {
    "version": re.compile(r"v?\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.]+)?"),
    "date": re.compile(r"\d{4}([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|\d{4}年\d{1,2}月\d{1,2}日"),
}
_KEYS: dict[Metadata, frozenset[str]] = {
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


class Triviality(NamedTuple):
    kind: Kind | None
    """None: it is not trivial, or it is not certain."""
    reason: str
    lines: tuple[int, ...] = ()
    """Which lines of the text change, counted from 1."""


class _Line(NamedTuple):
    number: int
    before: str
    after: str


class _Changed(NamedTuple):
    lines: list[_Line]
    blank: int = 0
    """How many blank lines come or go."""
    reason: str = ""
    """Why lines cannot be paired, if so."""


def judge_edit(path: str, before: str, after: str, occasion: Occasion | None = None) -> Verdict:
    """Whether a lead may make this change of a file itself."""
    work = work_on(path)
    role = role_for(work, path)
    if work != "design":
        rule = "own-tests" if work == "tests" else "own-code"
        return refused(rule, f"a lead changes no {work}, not even a line of it", role)
    found = classify(before, after)
    if found.kind is None:
        return refused("spec-edit", f"this is no TRIVIAL edit: {found.reason}", role)
    if found.kind != "formatting" and occasion is None:
        reason = f"TRIVIAL ({found.reason}), but an agent comes first unless the user asked for speed"
        return refused("agent-first", reason, role)
    met = ("lines", "meaning", "judgement", "occasion")
    return Verdict(allowed=True, reason=f"TRIVIAL: {found.reason}", exemption="trivial-edit", met=met)


def classify(before: str, after: str) -> Triviality:
    """Of a document's text, whole or in part. A part counts as the document's beginning."""
    old, new = before.split("\n"), after.split("\n")
    lines, blank, reason = _changed(old, new)
    if reason:
        return Triviality(None, reason)
    touched = len(lines) + blank
    if touched > LINES:
        return Triviality(None, f"{touched} lines change, and a TRIVIAL edit has at most {LINES}")
    code, top = _fenced(old), _head(old)
    kind: Kind = "formatting"
    for line in lines:
        if line.number in code:
            return Triviality(None, "in a block of code even a space may matter")
        found = _kind(line, in_head=line.number <= top)
        if found is None:
            return Triviality(None, _why(line.before, line.after))
        kind = kind if found == "formatting" else found
    return Triviality(kind, _TRIVIAL[kind], tuple(line.number for line in lines))


_TRIVIAL: dict[Kind, str] = {
    "typo": "a word was misspelt",
    "version": "the document's version",
    "date": "a date of the document",
    "formatting": "only the form changes",
}


def _kind(line: _Line, *, in_head: bool) -> Kind | None:
    if max(len(line.before), len(line.after)) > LONGEST:
        return None
    if _formless(line.before) == _formless(line.after):
        return "formatting"
    if in_head and (found := _metadata(line.before, line.after)):
        return found
    was, now = _TOKEN.findall(line.before), _TOKEN.findall(line.after)
    if len(was) == len(now) and all(a == b or is_misspelling(a, b) for a, b in zip(was, now, strict=True)):
        return "typo"
    return None


def _why(before: str, after: str) -> str:
    was, now = _NUMBER.findall(before), _NUMBER.findall(after)
    if len(now) > len(was):
        return "it says something more exactly than before"
    if was != now:
        return "a number changes, and with it perhaps what is to be built"
    if _strength(before) != _strength(after):
        return "it asks for more or for less than before"
    more = len(_TOKEN.findall(after)) - len(_TOKEN.findall(before))
    if more:
        return "content is added" if more > 0 else "content is removed"
    return "other words may have another meaning"


def _strength(line: str) -> list[str]:
    return sorted(word.lower() for word in _STRENGTH.findall(line))


def _changed(old: Sequence[str], new: Sequence[str]) -> _Changed:
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
        return _Changed([], reason="content is added" if len(now) > len(was) else "content is removed")
    pairs = zip(was, now, strict=True)
    return _Changed([_Line(number, a, b) for (number, a), (_, b) in pairs if a != b], blank)


def _numbered(lines: Sequence[str], start: int, end: int) -> Iterator[tuple[int, str]]:
    return ((number + 1, lines[number]) for number in range(start, end))


def _blank(lines: Sequence[tuple[int, str]]) -> int:
    return sum(not text.strip() for _, text in lines)


def _fenced(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines in blocks of code, their fences among them.

    In doubt a line is code: only a fence at the margin ends a block.
    """
    inside: list[int] = []
    block: CodeFence | None = None
    for number, line in enumerate(lines, 1):
        if block is None:
            block = fence(line)
            inside += [number] if block else []
        else:
            inside.append(number)
            block = None if _AT_MARGIN.match(line) and block.is_closed_by(line) else block
    return frozenset(inside)


def _head(lines: Sequence[str]) -> int:
    """Where the head of the document ends: there its version and dates are. Below, they are requirements."""
    titles = 0
    for number, line in enumerate(lines, 1):
        titles += bool(_TITLE.match(line))
        if _HEADING.match(line) or titles > 1:
            return number - 1
    return len(lines)


def _formless(line: str) -> str:
    """Without spaces and signs that only shape it. What stands in back quotes stays as it is."""
    marked = _SHARPS.sub("# ", _BULLET.sub("- ", line.strip(), count=1), count=1)
    parts = re.split(r"`([^`]+)`", marked)
    for at in range(0, len(parts), 2):
        bare = re.sub(r"\s*\|\s*", "|", _EMPHASIS.sub(r"\2", parts[at]))
        parts[at] = re.sub(r"\s+", " ", re.sub(r"-{3,}", "---", bare))
    return "".join(parts).strip()


def _metadata(before: str, after: str) -> Metadata | None:
    was, now = (_ENTRY.fullmatch(_EMPHASIS.sub(r"\2", line)) for line in (before, after))
    if was is None or now is None or was[1] != now[1]:
        return None
    key = (was[1] or "").strip().lower()
    for kind, value in _VALUES.items():
        plain = not key and (kind == "date" or was[3].count(".") == 2)
        if (plain or key in _KEYS[kind]) and value.fullmatch(was[3]) and value.fullmatch(now[3]):
            return kind
    return None
