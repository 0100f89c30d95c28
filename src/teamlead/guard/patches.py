"""A unified diff put onto a text, without touching the file."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from teamlead.errors import UsageError

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,\d+)? \+\d+(?:,\d+)? @@")


class _Hunk(NamedTuple):
    start: int
    old: list[str]
    new: list[str]


def patched(text: str, patch: str) -> str:
    """Raises UsageError where the patch is none, or does not fit."""
    lines = text.split("\n")
    moved = 0
    hunks = _hunks(patch.removesuffix("\n").split("\n"))
    if not hunks:
        raise UsageError(
            "the patch on stdin has no hunk", remedy="give a unified diff, as `git diff` prints it"
        )
    for hunk in hunks:
        # A hunk that only inserts names the line before it.
        at = hunk.start - bool(hunk.old) + moved
        if lines[at : at + len(hunk.old)] != hunk.old:
            raise UsageError(
                f"the patch does not fit at line {hunk.start}", remedy="make it from the file as it is"
            )
        lines[at : at + len(hunk.old)] = hunk.new
        moved += len(hunk.new) - len(hunk.old)
    return "\n".join(lines)


def _hunks(lines: Sequence[str]) -> list[_Hunk]:
    found: list[_Hunk] = []
    for line in lines:
        if begun := _HUNK.match(line):
            found.append(_Hunk(int(begun[1]), [], []))
        elif found and line[:1] in {" ", "-", ""}:
            found[-1].old.append(line[1:])
        if found and not begun and line[:1] in {" ", "+", ""}:
            found[-1].new.append(line[1:])
    return found
