"""Markdown as the few blocks a document is made of, each with its line.

Whole CommonMark: people put lists into lists, and what belongs to an item is decided by rules that no reader
of lines knows. What agents write is read by its lines (`system.markdown`).
"""

import re
import textwrap
from dataclasses import dataclass, field
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

Kind = Literal["document", "heading", "paragraph", "list", "item", "code", "other"]

_KINDS: dict[str, Kind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "fence": "code",
    "code_block": "code",
}
_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)")


@dataclass(slots=True)
class Block:
    kind: Kind
    start: int
    """The first line, from 0."""
    end: int
    """The line behind the last."""
    text: str = ""
    level: int = 0
    """Of a heading, 1 to 6."""
    number: str = ""
    """Of an item in a numbered list."""
    children: list["Block"] = field(default_factory=list)

    @property
    def line(self) -> int:
        return self.start + 1


def read(text: str) -> list[Block]:
    """The top-level blocks. Inline markup stays as written: `src/**` is a path here, not bold."""
    parser = MarkdownIt("commonmark").disable(["inline", "reference"])
    root = Block("document", 0, 0)
    stack = [root]
    for token in parser.parse(text):
        if token.nesting < 0:
            stack.pop()
        elif token.type == "inline":
            stack[-1].text = token.content
        else:
            block = _block(token)
            stack[-1].children.append(block)
            if token.nesting > 0:
                stack.append(block)
    return root.children


def _block(token: Token) -> Block:
    start, end = token.map or (0, 0)
    block = Block(_KINDS.get(token.type, "other"), start, end)
    if block.kind == "heading":
        block.level = int(token.tag[1:])
    elif block.kind == "item":
        block.number = token.info
    elif block.kind == "code":
        block.text = token.content
    return block


def written(block: Block, lines: list[str]) -> str:
    """A block as the author wrote it, without its bullet and indentation."""
    raw = lines[block.start : block.end]
    if block.kind != "item" or not raw:
        return textwrap.dedent("\n".join(raw)).strip()
    first = _MARKER.sub("", raw[0], count=1)
    return f"{first}\n{textwrap.dedent(chr(10).join(raw[1:]))}".strip()


def stray_lines(item: Block, lines: list[str]) -> int:
    """How many lines at the end of an item's first paragraph stand at the margin.

    Markdown counts them to the item; a reader does not.
    """
    margin = _indent(lines[item.start])
    paragraph = item.children[0]
    count = 0
    for line in reversed(lines[paragraph.start + 1 : paragraph.end]):
        if _indent(line) > margin:
            break
        count += 1
    return count


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())
