"""What a plan says outside of its tasks: its introduction, and sections that hold for all of them."""

from collections.abc import Sequence

from teamlead.markup.blocks import Block

_TEXT = 7
"""Deeper than any heading."""


def common_text(beside: Sequence[Block], lines: Sequence[str]) -> str:
    """As written. `beside`: the blocks that are no task's. A heading with nothing left below it goes, too."""
    kept: list[str] = []
    below = 0
    for block in reversed(beside):
        if block.kind != "heading":
            below = _TEXT
        elif block.level < below:
            below = block.level
        else:
            continue
        kept.append("\n".join(lines[block.start : block.end]).strip("\n"))
    return "\n\n".join(reversed(kept))
