"""Markdown text → Draft. Never raises: what cannot be read becomes a problem with its line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from teamlead.markup.blocks import Block, read, stray_lines, written
from teamlead.markup.hidden_characters import hidden_characters
from teamlead.markup.problems import Problem
from teamlead.markup.values import Labelled, Value
from teamlead.plans.common_text import common_text
from teamlead.plans.draft import Draft, DraftTask
from teamlead.plans.labels import LABELS, Field, nearest_label
from teamlead.plans.outline import (
    Label,
    Mark,
    Outline,
    PlanHeading,
    first_text,
    has_task_labels,
    is_checkbox,
    label,
    mark,
    outline,
)

_ELLIPSIS = re.compile(r"\s*(?:\.{3,}|…+)\s*")


def parse(text: str, source: str) -> Draft:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    blocks = read(text)
    reader = _Reader(Draft(source, _title(blocks, text), text), text.split("\n"), outline(blocks))
    reader.read(blocks)
    title = _title_heading(blocks)
    reader.draft.common = common_text([b for b in reader.beside if b is not title], reader.lines)
    reader.draft.problems.extend(hidden_characters(text))
    reader.draft.problems.extend(_told_to_agents(reader.draft, reader.lines))
    _number(reader.draft.tasks)
    return reader.draft


def _title(blocks: list[Block], text: str) -> str:
    chosen = _title_heading(blocks)
    if chosen is not None:
        return " ".join(chosen.text.split())
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    return first[:100]


def _title_heading(blocks: list[Block]) -> Block | None:
    headings = [block for block in blocks if block.kind == "heading" and block.text.strip()]
    return next((block for block in headings if block.level == 1), headings[0] if headings else None)


def _told_to_agents(draft: Draft, lines: list[str]) -> Iterator[Problem]:
    """What looks like a hidden check and is read as something else would be told to the agents."""
    for number, line in enumerate(lines):
        found = label(line.lstrip(" \t>-*+"))
        if found and found.field == "hidden_checks" and number not in draft.hidden_lines:
            remedy = "write it as a bullet of a task: ``- Hidden checks: `command` ``"
            yield Problem(
                number + 1, "error", f"{found.name!r} is not read here, and agents would see it", remedy
            )


def _number(tasks: list[DraftTask]) -> None:
    """Give tasks without a number the lowest free ones, in order."""
    taken = {task.id for task in tasks}
    free = 1
    for task in tasks:
        if not task.id:
            while f"task-{free}" in taken:
                free += 1
            task.id = f"task-{free}"
            taken.add(task.id)


class _Open(NamedTuple):
    """A label that stands alone, as a heading or in bold: what follows is its value."""

    field: Field
    line: int
    heading: bool


class _Reader:
    def __init__(self, draft: Draft, lines: list[str], outline: Outline) -> None:
        self.draft = draft
        self.lines = lines
        self.beside: list[Block] = []
        """What is no task's."""
        self._outline = outline
        self._task: DraftTask | None = None
        self._level = 0
        self._inside = False
        self._open: _Open | None = None

    def _hide(self, field: Field | None, first: int, behind: int) -> None:
        if field == "hidden_checks":
            self.draft.hidden_lines.update(dict.fromkeys(range(first, behind)))

    def read(self, blocks: list[Block]) -> None:
        for block in blocks:
            if block.kind == "heading":
                self._heading(block, self._outline.heads[block.start])
            elif self._task is not None:
                self._below(self._task, block)
            elif block.kind == "list":
                self._list_of_tasks(block)
            else:
                self.beside.append(block)

    def _heading(self, block: Block, head: PlanHeading) -> None:
        self._open = None
        self._inside = head.section or bool(head.inside)
        if head.task:
            self._task = self._start(head.mark, block.line)
            self._level = block.level
            if head.mark.kind == "plain" and self._outline.has_numbers and not head.inside:
                self._warn(
                    block.line,
                    f"{head.mark.title[:60]!r} has no number but the bullets of a task, and is read as one",
                    "number it like the other tasks, or remove these labels",
                )
        elif self._task is not None and block.level > self._level:
            if head.field is None:
                self._note(self._task, block)
            else:
                self._open = _Open(head.field, block.line, heading=True)
                self._hide(head.field, block.start, block.end)
                self._entry(self._task, head.field, block.line)
        else:
            self._task = None
            self.beside.append(block)
            if head.labelled and not head.section:
                self._warn(
                    block.line,
                    f"{head.mark.title[:60]!r} has the bullets of a task but is not read as one",
                    "number it and place it like the other tasks: `### 1. Title`",
                )

    def _start(self, found: Mark, line: int) -> DraftTask:
        task = DraftTask(found.id, found.title, line, ticked=found.box == "ticked")
        self.draft.tasks.append(task)
        return task

    def _list_of_tasks(self, block: Block) -> None:
        """Checkboxes, or list items with the labels of a task below them."""
        boxes_count = self._inside or not (self._outline.has_section or self._outline.has_tasks)
        labelled = any(has_task_labels(child) for item in block.children for child in item.children[1:])
        tasks = [
            item
            for item in block.children
            if (is_checkbox(item) and (labelled or boxes_count)) or (labelled and item.number)
        ]
        for item in tasks:
            self._item_task(item)
        if not tasks:
            self.beside.append(block)

    def _item_task(self, item: Block) -> None:
        title, _, rest = first_text(item).partition("\n")
        found = mark(title)
        if item.number and not found.id:
            found = found._replace(id=f"task-{int(item.number)}")
        task = self._start(found, item.line)
        self._open = None
        if rest:
            self._paragraph(task, rest.split("\n"), item.line + 1)
        for child in item.children[1:]:
            self._below(task, child)

    def _below(self, task: DraftTask, block: Block) -> None:
        if self._open is not None:
            self._hide(self._open.field, block.start, block.end)
            self._values(task.labels[self._open.field], [block])
            if not self._open.heading:
                self._open = None
        elif block.kind == "list":
            for item in block.children:
                self._bullet(task, item)
        elif block.kind == "paragraph":
            self._paragraph(task, block.text.split("\n"), block.line)
        else:
            self._note(task, block)

    def _bullet(self, task: DraftTask, item: Block) -> None:
        found = label(first_text(item))
        if found is None and any(has_task_labels(child) for child in item.children[1:]):
            self._warn(
                item.line,
                f"{first_text(item)[:60]!r} has the bullets of a task but stands below another one",
                "give it a heading like the other tasks: `### 2. Title`",
            )
        if found is None or (found.field is None and item.number):
            # Numbered items are steps; "1. First: …" misspells no label.
            self._note(task, item)
        elif found.field is None:
            self._unknown(found, item.line)
            self._note(task, item)
        else:
            entry = self._entry(task, found.field, item.line)
            self._hide(found.field, item.start, item.end)
            stray = stray_lines(item, self.lines)
            inline = found.value.split("\n")
            kept = len(inline) - stray
            self._add(entry, "\n".join(inline[:kept]), item.line)
            self._text(task, "\n".join(inline[kept:]))
            self._values(entry, item.children[1:])

    def _unknown(self, found: Label, line: int) -> None:
        near = nearest_label(found.name)
        remedy = f"did you mean {near!r}?" if near else "it is kept as description; see `teamlead plan -h`"
        self._warn(line, f"unknown label {found.name!r}", remedy)

    def _paragraph(self, task: DraftTask, lines: list[str], line: int) -> None:
        """Bold labels may stand in a paragraph, one a line; everything else is description."""
        text: list[str] = []
        entry: Labelled | None = None
        current: Field | None = None
        self._open = None
        for number, content in enumerate(lines, start=line):
            found = label(content)
            if found is not None and found.bold and found.field is not None:
                entry, current = self._entry(task, found.field, number), found.field
                self._hide(current, number - 1, number)
                self._add(entry, found.value, number)
                self._open = None if found.value else _Open(found.field, number, heading=False)
            elif entry is not None:
                self._hide(current, number - 1, number)
                self._add(entry, content.strip(), number)
                self._open = None
            else:
                text.append(content)
        self._text(task, "\n".join(text))

    def _values(self, entry: Labelled, blocks: list[Block]) -> None:
        for block in blocks:
            if block.kind == "list":
                for item in block.children:
                    self._add(entry, _without_box(written(item, self.lines)), item.line)
            elif block.kind == "code":
                entry.values.append(Value(block.text, block.line, code=True))
            else:
                self._add(entry, written(block, self.lines), block.line)

    def _entry(self, task: DraftTask, field: Field, line: int) -> Labelled:
        if field in task.labels:
            first = task.labels[field].line
            self.draft.problems.append(
                Problem(
                    line,
                    "error",
                    f"{LABELS[field][0]!r} is given twice for this task, first on line {first}",
                    "keep one of them",
                )
            )
        return task.labels.setdefault(field, Labelled(line))

    def _add(self, entry: Labelled, text: str, line: int) -> None:
        kept = "\n".join(part for part in text.split("\n") if not _ELLIPSIS.fullmatch(part)).strip()
        if kept:
            entry.values.append(Value(kept, line))

    def _note(self, task: DraftTask, block: Block) -> None:
        self._text(task, "\n".join(self.lines[block.start : block.end]))

    def _text(self, task: DraftTask, text: str) -> None:
        if text.strip() and not _ELLIPSIS.fullmatch(text):
            task.notes.append(text.strip("\n"))

    def _warn(self, line: int, message: str, remedy: str) -> None:
        self.draft.problems.append(Problem(line, "warning", message, remedy))


def _without_box(text: str) -> str:
    return re.sub(r"^\[[ xX]?\]\s+", "", text)
