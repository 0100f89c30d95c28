"""Which headings of a plan are tasks.

1. "Task 1 - …", "task-1: …", "#1 …" and "Task: …" always are.
2. "1. …" is one if task labels stand directly below it, or if it stands at the usual level of tasks. Where
   the plan has a "Tasks" section it must be inside: other sections may be numbered, too.
3. A heading without a number is one at the usual level if task labels stand below it, or if it stands in
   the "Tasks" section and holds no tasks itself.

The usual level is the one where most headings stand that are tasks for certain, by rule 1 or by number and
labels; without any, where most numbered or labelled headings stand, whichever are more.
"""

from collections import Counter
from dataclasses import dataclass

from teamlead.plans.blocks import Block
from teamlead.plans.first_words import Mark, label, mark
from teamlead.plans.labels import TASK_MARKS, Field, field_of, is_section


@dataclass(slots=True)
class Head:
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
    heads: dict[int, Head]
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


def _heads(blocks: list[Block]) -> list[Head]:
    heads: list[Head] = []
    above: list[Head] = []
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


def _head(block: Block, above: list[Head]) -> Head:
    inside = next((head.block.level for head in above if head.section), 0)
    head = Head(block, mark(block.text), field_of(block.text.rstrip(":：")), is_section(block.text), inside)  # noqa: RUF001
    if head.field is not None:
        if above and head.field in TASK_MARKS:
            above[-1].labelled = True
            _hold(above[:-1])
    elif head.mark.kind != "plain" and not head.section:
        _hold(above)
    return head


def _hold(above: list[Head]) -> None:
    for head in above:
        head.holds = True


def _usual_level(heads: list[Head]) -> int:
    able = [head for head in heads if not head.section and head.field is None]
    numbered = [head for head in able if head.mark.kind == "numbered"]
    certain = [head for head in able if head.mark.kind == "named"] + [
        head for head in numbered if head.labelled
    ]
    plain = [head for head in able if head.mark.kind == "plain" and head.labelled and head.block.level > 1]
    candidates = certain or max(numbered, plain, key=len)
    levels = Counter(head.block.level for head in candidates)
    return max(levels, key=lambda level: (levels[level], -level), default=0)


def _is_task(head: Head, usual: int, *, has_section: bool) -> bool:
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
