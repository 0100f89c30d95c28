"""What the first words of a heading or an item say: ticked, numbered, a task by name, a label."""

import re
from typing import Literal, NamedTuple

from teamlead.plans.labels import TASK_WORDS, Field, field_of

_WORD = "|".join(TASK_WORDS)
_GAP = r"\s*[:：.．)）、\-–—]?\s*"  # noqa: RUF001
_NAMED = re.compile(
    rf"(?:{_WORD})[\s\-_#]*(\d{{1,9}})(?![0-9A-Za-z]|\.\d){_GAP}(.*)", re.IGNORECASE | re.DOTALL
)
_HASH = re.compile(rf"#(\d{{1,9}})(?![0-9A-Za-z]|\.\d){_GAP}(.*)", re.DOTALL)
_OTHER_ID = re.compile(r"(task-[^\s:：]{1,40})\s*[:：]\s*(.*)", re.IGNORECASE | re.DOTALL)  # noqa: RUF001
_UNNUMBERED = re.compile(rf"(?:{_WORD})\s*[:：]\s*(.*)", re.IGNORECASE | re.DOTALL)  # noqa: RUF001
_NUMBERED = re.compile(
    r"[(（]?(\d{1,9})(?:[.．)）:：、]+(?!\d)|\s+[-–—](?=\s))\s*(.*)",  # noqa: RUF001
    re.DOTALL,
)
_BOX = re.compile(r"\[([ xX])?\](?:\s+|$)")
_LABEL = re.compile(r"\s*(\*\*|__)?([^:：`]{1,40}?)\s*(?:\*\*|__)?\s*([:：])(?:\*\*|__)?\s*(.*)", re.DOTALL)  # noqa: RUF001
_AFTER = re.compile(
    r"(depends\s+on|blocked\s+by|requires)\s+(?=#|\d|task[\s-]*\d)(.*)", re.IGNORECASE | re.DOTALL
)


class Mark(NamedTuple):
    """How a heading or item presents itself as a task.

    named: by a task word or id, always a task. numbered: only by a number. plain: neither.
    """

    kind: Literal["named", "numbered", "plain"]
    id: str
    """Empty where the plan leaves the number to us."""
    title: str
    box: Literal["none", "open", "ticked"] = "none"


class Label(NamedTuple):
    field: Field | None
    """None for a label we do not know."""
    name: str
    value: str
    bold: bool


def mark(text: str) -> Mark:
    rest = _unwrapped(text.strip())
    box: Literal["none", "open", "ticked"] = "none"
    if found := _BOX.match(rest):
        box = "ticked" if found[1] in ("x", "X") else "open"
        rest = _unwrapped(rest[found.end() :].strip())
    for pattern in (_NAMED, _HASH):
        if found := pattern.match(rest):
            return Mark("named", f"task-{int(found[1])}", plain_title(found[2]), box)
    if found := _OTHER_ID.match(rest):
        return Mark("named", found[1], plain_title(found[2]), box)
    if found := _UNNUMBERED.match(rest):
        return Mark("named", "", plain_title(found[1]), box)
    if found := _NUMBERED.match(rest):
        return Mark("numbered", f"task-{int(found[1])}", plain_title(found[2]), box)
    return Mark("plain", "", plain_title(rest), box)


def label(text: str) -> Label | None:
    """The label a line begins with. An unknown word counts only if it looks like a label."""
    if found := _AFTER.match(text):
        return Label("depends_on", found[1], found[2], bold=False)
    found = _LABEL.match(text)
    if found is None:
        return None
    name, value = found[2].strip(" *_"), found[4]
    known = field_of(name)
    if known is None:
        # "http://…", "12:30" and whole sentences are text.
        joined = (
            found[3] == ":" and value and text[found.end(3) : found.end(3) + 1] not in (" ", "*", "_", "\n")
        )
        if joined or len(name.split()) > 3 or not any(map(str.isalpha, name)):
            return None
    return Label(known, name, value.strip(), bold=found[1] is not None)


def plain_title(text: str) -> str:
    """On one line, without markup around it."""
    return " ".join(_unwrapped(text).replace("`", "").split())


def _unwrapped(text: str) -> str:
    for fence in ("**", "__"):
        if len(text) > 4 and text.startswith(fence) and text.endswith(fence):
            return text[2:-2].strip()
    return text
