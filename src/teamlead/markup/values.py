"""Text behind a label → the values it means."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

COMMAS = ",，、"  # noqa: RUF001
_PATHS = re.compile(rf"(?:\{{[^{{}}\n]*\}}|[^{COMMAS}\n])+")
_BETWEEN = re.compile(rf"[\0{COMMAS};；\s]|\band\b|と|및")  # noqa: RUF001
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")


_SPAN = "\0"


class Value(NamedTuple):
    """What a label was given: text behind the colon or a nested bullet, or a block of code."""

    text: str
    line: int
    code: bool = False


@dataclass(slots=True)
class Labelled:
    """One label with all its values."""

    line: int
    values: list[Value] = field(default_factory=list)


class Quoted(NamedTuple):
    """A text taken apart into what stands in backticks and the rest."""

    spans: list[str]
    rest: str
    """With a NUL in the place of each span."""


def quoted(text: str) -> Quoted:
    text = text.replace(_SPAN, "")
    runs = list(re.finditer(r"`+", text))
    closing: dict[int, list[int]] = {}
    for at in range(len(runs) - 1, -1, -1):
        closing.setdefault(len(runs[at][0]), []).append(at)
    spans, rest, done, at = [], [], 0, 0
    while at < len(runs):
        same = closing[len(runs[at][0])]
        while same and same[-1] <= at:
            same.pop()
        if same:
            end = same[-1]
            spans.append(text[runs[at].end() : runs[end].start()].strip())
            rest += [text[done : runs[at].start()], _SPAN]
            done, at = runs[end].end(), end
        at += 1
    return Quoted(spans, "".join([*rest, text[done:]]))


class Listed(NamedTuple):
    items: list[str]
    ignored: str
    """Words around quoted items that say something, but not to us."""


def paths(value: Value) -> Listed:
    """Separated by commas or lines; one in backticks is taken as it is."""
    if value.code:
        return Listed([line.strip() for line in value.text.split("\n") if line.strip()], "")
    found = quoted(value.text)
    spans = iter(found.spans)
    items, ignored = [], []
    for part in _PATHS.findall(found.rest):
        if _SPAN in part:
            items += [next(spans) for _ in range(part.count(_SPAN))]
            ignored.append(_BETWEEN.sub("", part))
        else:
            items.append(_ESCAPED.sub(r"\1", _without_aside(_bare(part))))
    return Listed([item for item in items if item], "".join(ignored))


def commands(value: Value) -> Listed:
    """A block of code holds one a line; other text is one command, or those in backticks."""
    if value.code:
        return Listed(list(_script(value.text)), "")
    found = quoted(value.text)
    if not found.spans:
        joined = " ".join(part.strip() for part in value.text.split("\n"))
        return Listed([_ESCAPED.sub(r"\1", joined)], "")
    return Listed([span for span in found.spans if span], _BETWEEN.sub("", found.rest))


def _script(code: str) -> Iterator[str]:
    begun: list[str] = []
    for line in code.split("\n"):
        part = line.strip()
        if part.endswith("\\"):
            begun.append(part[:-1].rstrip())
            continue
        command = " ".join([*begun, part]).strip().removeprefix("$ ")
        begun = []
        if command and not command.startswith("#"):
            yield command


def words(value: Value) -> list[str]:
    """Single values, one a line, without markup."""
    lines = (_ESCAPED.sub(r"\1", _bare(line)) for line in value.text.split("\n"))
    return [line for line in lines if line]


def _without_aside(path: str) -> str:
    """`src/new/ (to be made)` means the path; `a(b)` is one."""
    before, opening, _ = path.rpartition(" (")
    return before.rstrip() if opening and path.endswith(")") else path


def _bare(text: str) -> str:
    return text.strip().strip("`").strip()
