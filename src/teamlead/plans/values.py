"""Text behind a label → the values it means. Nothing here knows about tasks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from teamlead.plans.draft import Value
from teamlead.plans.labels import TASK_WORDS, is_none

_COMMAS = ",，、"  # noqa: RUF001
_PATHS = re.compile(rf"(?:\{{[^{{}}\n]*\}}|[^{_COMMAS}\n])+")
_BETWEEN = re.compile(rf"[\0{_COMMAS};；\s]|\band\b|と|및")  # noqa: RUF001
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
_TASK_LISTS = re.compile(rf"[{_COMMAS};；\n]|\s+(?:and|&|및)\s+|(?<=\d)\s*(?:と|와|과)\s*", re.IGNORECASE)  # noqa: RUF001
_TASK = re.compile(
    rf"(?:{'|'.join(TASK_WORDS)})?s?[\s_\-#]*(\d{{1,9}})\s*(?:[.．:：(（)）](?!\d).*)?",  # noqa: RUF001
    re.IGNORECASE | re.DOTALL,
)
_HOURS = re.compile(
    r"[~約약]?\s*(\d{1,6}(?:\.\d{1,6})?)\s*(h|hrs?|hours?|時間|시간|m|mins?|minutes?|分|분)?\.?",
    re.IGNORECASE,
)
_MINUTES = ("m", "min", "mins", "minute", "minutes", "分", "분")


_SPAN = "\0"


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


def references(value: Value) -> Iterator[str]:
    """Ids of tasks; what does not read as one comes back as written."""
    for part in _TASK_LISTS.split(value.text.replace("`", "")):
        name = part.strip().strip("*").removesuffix("。")
        if not name or is_none(name):
            continue
        found = _TASK.fullmatch(name)
        yield f"task-{int(found[1])}" if found else name


def hours(text: str) -> float | None:
    found = _HOURS.fullmatch(text.strip())
    if found is None:
        return None
    number = float(found[1])
    return number / 60 if (found[2] or "").casefold() in _MINUTES else number


def _without_aside(path: str) -> str:
    """`src/new/ (to be made)` means the path; `a(b)` is one."""
    before, opening, _ = path.rpartition(" (")
    return before.rstrip() if opening and path.endswith(")") else path


def _bare(text: str) -> str:
    return text.strip().strip("`").strip()
