"""Line numbers that count the lines of a diff, not those of a file: agents who read one confuse them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from teamlead.evidence.quotes import Needle, squeeze
from teamlead.system.git import Git

LONGEST = 50_000
"""Changed lines of a diff that is still looked at."""

_HUNK = re.compile(r"@@ -\S+ \+([0-9]{1,9})")


class Row(NamedTuple):
    path: str
    line: int
    """In the file; for a removed line, where it was."""
    text: str
    positions: tuple[int, int, int]
    """In the whole diff, in the file's part of it, in the hunk."""


class Diff:
    """The change between two commits, by the number that somebody could take for a line's."""

    def __init__(self, git: Git, base: str, commit: str) -> None:
        self._rows: dict[tuple[str, int], list[Row]] = {}
        options = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")
        counted = git.run("diff", "--numstat", *options, base, commit).text
        if sum(int(number) for number in re.findall(r"\b([0-9]+)\t", counted)) > LONGEST:
            return
        told = git.run("-c", "core.quotePath=false", "diff", *options, base, commit).output
        for row in _rows(told.decode("utf-8", "replace")):
            for position in dict.fromkeys(row.positions):
                self._rows.setdefault((row.path, position), []).append(row)

    def line(self, path: str, position: int, needle: Needle | None = None) -> int:
        """The line of the file that stands at this position of the diff, and is the quoted one; else 0."""
        for row in self._rows.get((path, position), ()):
            if needle is None or _begins(needle, squeeze(row.text)):
                return row.line
        return 0


def _begins(needle: Needle, row: str) -> bool:
    """Whether the quotation stands in this line, or begins with it."""
    return any(part in row for part in needle.parts[:1]) or (bool(row) and needle.squeezed.startswith(row))


def _rows(diff: str) -> Iterator[Row]:
    path, line, in_file, in_hunk = "", 0, 0, -1
    for number, text in enumerate(diff.split("\n"), 1):
        in_file += 1
        if text.startswith("diff --git "):
            path, in_file, in_hunk = "", 1, -1
        elif in_hunk < 0 and text.startswith("+++ b/"):
            path = text[6:].rstrip("\t")
        elif hunk := _HUNK.match(text):
            line, in_hunk = int(hunk[1]), 0
        elif in_hunk >= 0 and text[:1] in {"+", "-", " "}:
            in_hunk += 1
            yield Row(path, line, text[1:], (number, in_file, in_hunk))
            line += text[0] != "-"
