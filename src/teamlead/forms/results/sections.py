"""A report in Markdown as its sections, each with its line. One pass over the lines, whatever they hold.

Sections stand at the level of the status' heading. A deeper heading opens one, too, unless it stands in the
findings, whose shape is free; a higher one ends the report.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from teamlead.forms.labels import LONGEST, RESULT_WORDS, meaning, section_of
from teamlead.system.markdown import Line, fence, lines_of

_NUMBER = re.compile(r"\d{1,3}[.)][ \t]+")
_RESULT = re.compile(rf"(.*?)[\s\-:：]*(?:{'|'.join(RESULT_WORDS)})", re.IGNORECASE)  # noqa: RUF001
_DECORATION = "*_` \t"


@dataclass(slots=True)
class Section:
    name: str
    line: int
    value: str
    """Behind the colon of its heading."""
    body: list[Line] = field(default_factory=list)

    def lines(self) -> list[Line]:
        first = [Line(self.line, self.value)] if self.value else []
        return [*first, *self.body]

    def text(self) -> str:
        shown = (f"{'#' * line.level} {line.text}" if line.level else line.text for line in self.lines())
        return "\n".join(shown).strip()


@dataclass(slots=True)
class Outline:
    agent: str = ""
    sections: dict[str, Section] = field(default_factory=dict)
    repeated: list[Section] = field(default_factory=list)


class Head(NamedTuple):
    name: str
    value: str


def outline(text: str) -> Outline:
    lines = list(lines_of(text.split("\n")))
    level = _level(lines)
    if not level:
        lines = list(_inside_fences(lines))
        level = _level(lines)
    return _sections(lines, level) if level else Outline()


def head_of(title: str) -> Head:
    """A heading as the section it opens, with the value behind its colon; no name if it opens none."""
    plain = _NUMBER.sub("", title.strip(_DECORATION), count=1)
    if name := section_of(plain):
        return Head(name, "")
    at = _colon(plain)
    if at < 0:
        return Head("", "")
    return Head(section_of(plain[:at].strip(_DECORATION)), plain[at + 1 :].strip(_DECORATION))


def _colon(text: str) -> int:
    places = [at for mark in ":：" if (at := text.find(mark, 0, LONGEST)) >= 0]  # noqa: RUF001
    return min(places, default=-1)


def _level(lines: Sequence[Line]) -> int:
    """Of the status' heading, else of the first that opens a section; 0 if none does."""
    first = 0
    for line in lines:
        name = head_of(line.text).name if line.level else ""
        if name == "status":
            return line.level
        if name and not first:
            first = line.level
    return first


def _inside_fences(lines: Sequence[Line]) -> Iterator[Line]:
    """What stands in blocks of code that say they are Markdown: some agents wrap their report in one."""
    block: list[Line] | None = None
    for line in lines:
        found = fence(line.text) if line.code else None
        if block is not None and found and not found.language:
            yield from lines_of([inner.text for inner in block], block[0].number if block else 1)
            block = None
        elif block is not None:
            block.append(line)
        elif found and found.language in {"markdown", "md"}:
            block = []


def _sections(lines: Sequence[Line], level: int) -> Outline:
    found = Outline()
    current: Section | None = None
    title = ""
    for line in lines:
        head = head_of(line.text) if line.level else Head("", "")
        if line.level and line.level < level:
            if found.sections:
                break
            title = line.text
        elif line.level and _opens(line, head, level, current):
            current = _opened(found, Section(head.name, line.number, head.value))
        elif line.level == level and not _continues(line, current):
            current = None
        elif current is not None:
            current.body.append(line)
    found.agent = _agent(title)
    return found


def _opens(line: Line, head: Head, level: int, current: Section | None) -> bool:
    inside = current is not None and current.name == "findings"
    return bool(head.name) and (line.level == level or not inside)


def _opened(found: Outline, section: Section) -> Section:
    if section.name in found.sections:
        found.repeated.append(section)
    else:
        found.sections[section.name] = section
    return section


_PARTS = {"findings": ("exploration", "design", "implementation"), "error": ("error",)}


def _continues(line: Line, current: Section | None) -> bool:
    """A part of the findings or the error whose heading stands at the level of sections."""
    tables = _PARTS.get(current.name, ()) if current else ()
    title = line.text.rstrip(":：").strip(_DECORATION)  # noqa: RUF001
    return any(meaning(table, title) for table in tables)


def _agent(title: str) -> str:
    found = _RESULT.fullmatch(title.strip(_DECORATION)[:LONGEST])
    return found[1].strip("[]" + _DECORATION) if found else ""
