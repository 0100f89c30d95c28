"""Which headings and items of a plan are tasks, and what their first words say: ticked, numbered, a label."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal, NamedTuple

from teamlead.markup.blocks import Block
from teamlead.plans.labels import TASK_MARKS, TASK_WORDS, Field, field_of, is_section

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


@dataclass(slots=True)
class PlanHeading:
    block: Block
    mark: Mark
    field: Field | None
    """The label it is, as in "#### Acceptance"."""
    section: bool
    """Named "Tasks"."""
    inside: int
    """The level of the enclosing "Tasks" heading, or 0."""
    labelled: bool = False
    holds: bool = False
    """Tasks may stand below it: candidates by heading, or checkboxes."""
    task: bool = False


@dataclass(slots=True)
class Outline:
    heads: dict[int, PlanHeading]
    """By first line."""
    has_section: bool
    has_tasks: bool
    has_numbers: bool
    """Some tasks are numbered, so one without a number may be no task."""


def outline(blocks: list[Block]) -> Outline:
    heads = _heads(blocks)
    has_section = any(head.section for head in heads)
    usual = _usual_level(
        [head for head in heads if head.inside or head.mark.kind == "named" or not has_section]
    )
    if not usual:
        usual = next((head.block.level + 1 for head in heads if head.section), 0)
    for head in heads:
        head.task = _is_task(head, usual, has_section=has_section)
    tasks = [head for head in heads if head.task]
    has_numbers = any(head.mark.kind != "plain" for head in tasks)
    return Outline({head.block.start: head for head in heads}, has_section, bool(tasks), has_numbers)


def is_checkbox(item: Block) -> bool:
    return mark(first_text(item)).box != "none"


def first_text(item: Block) -> str:
    has_text = item.children and item.children[0].kind == "paragraph"
    return item.children[0].text if has_text else ""


def has_task_labels(block: Block) -> bool:
    if block.kind == "list":
        return any(_starts_with_mark(first_text(item)) for item in block.children)
    if block.kind == "paragraph":
        return any(_starts_with_mark(line, bold=True) for line in block.text.split("\n"))
    return False


def _starts_with_mark(text: str, *, bold: bool = False) -> bool:
    found = label(text)
    return found is not None and found.field in TASK_MARKS and (found.bold or not bold)


def _heads(blocks: list[Block]) -> list[PlanHeading]:
    heads: list[PlanHeading] = []
    above: list[PlanHeading] = []
    for block in blocks:
        if block.kind == "heading":
            while above and above[-1].block.level >= block.level:
                above.pop()
            head = _head(block, above)
            heads.append(head)
            above.append(head)
        elif above and above[-1].field is None:
            if has_task_labels(block):
                above[-1].labelled = True
                _hold(above[:-1])
            if block.kind == "list" and any(map(is_checkbox, block.children)):
                _hold(above)
    return heads


def _head(block: Block, above: list[PlanHeading]) -> PlanHeading:
    inside = next((head.block.level for head in above if head.section), 0)
    label = field_of(block.text.rstrip(":："))  # noqa: RUF001
    head = PlanHeading(block, mark(block.text), label, is_section(block.text), inside)
    if head.field is not None:
        if above and head.field in TASK_MARKS:
            above[-1].labelled = True
            _hold(above[:-1])
    elif head.mark.kind != "plain" and not head.section:
        _hold(above)
    return head


def _hold(above: list[PlanHeading]) -> None:
    for head in above:
        head.holds = True


def _usual_level(heads: list[PlanHeading]) -> int:
    able = [head for head in heads if not head.section and head.field is None]
    numbered = [head for head in able if head.mark.kind == "numbered"]
    certain = [head for head in able if head.mark.kind == "named"] + [
        head for head in numbered if head.labelled
    ]
    plain = [head for head in able if head.mark.kind == "plain" and head.labelled and head.block.level > 1]
    candidates = certain or max(numbered, plain, key=len)
    levels = Counter(head.block.level for head in candidates)
    return max(levels, key=lambda level: (levels[level], -level), default=0)


def _is_task(head: PlanHeading, usual: int, *, has_section: bool) -> bool:
    if head.section or head.field is not None:
        return False
    at_usual = head.block.level == usual
    match head.mark.kind:
        case "named":
            return True
        case "numbered":
            return (head.labelled or at_usual) and (bool(head.inside) or not has_section)
        case "plain":
            return at_usual and (head.labelled or (bool(head.inside) and not head.holds))
