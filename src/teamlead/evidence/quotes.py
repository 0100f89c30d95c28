"""Whether quoted code stands in a file, and where.

Spaces and line breaks do not count, `...` and `…` stand for anything, and so does what is between `()`. What
is left must be enough to tell one line from another: a bracket or a lone name proves nothing.
"""

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

ENOUGH = 8
"""Letters and digits that tell a line from others."""
LEAST = 3
"""Those of a part between two ellipses, and of a short line that is quoted whole."""
REACH = 20_000
"""Characters that an ellipsis stands for, at most."""
TRIES = 8
"""Beginnings that are looked at, of a quotation that leaves something out."""

_ELLIPSIS = re.compile(r"(?://|#|--|/\*)?(?:\.{3,}|…)(?:\*/)?|(?<=\()(?=\))")
_NAME = re.compile(r"[\w.$-]+")
_NUMBERED = re.compile(r"\s*[0-9]+\s*[→|:│\t]")


class Needle:
    """A quotation, ready to be looked for."""

    def __init__(self, quote: str) -> None:
        lines = [line for line in quote.split("\n") if line.strip()]
        if lines and all(_NUMBERED.match(line) for line in lines):
            # As programs show it, with the number of each line.
            lines = [_NUMBERED.sub("", line, count=1) for line in lines]
        self.squeezed = "".join(map(squeeze, lines))
        parts = [part for part in _ELLIPSIS.split(self.squeezed) if _weight(part) >= LEAST]
        enough = sum(map(_weight, parts)) >= ENOUGH and not _NAME.fullmatch(self.squeezed)
        self.parts = tuple(parts) if enough else ()
        self.ways = tuple(dict.fromkeys([(self.squeezed,), self.parts])) if enough else ()
        """Dots may be meant as they stand."""

    @property
    def short(self) -> bool:
        """Whether it counts only where it is a whole line."""
        return not self.parts and _weight(self.squeezed) >= LEAST


def squeeze(text: str) -> str:
    return "".join(text.split())


def _weight(text: str) -> int:
    return len(re.findall(r"[^\W_]", text))


class FileText:
    """A file's lines, as they are compared."""

    def __init__(self, content: bytes) -> None:
        self._lines = content.decode("utf-8", "replace").split("\n")
        if not self._lines[-1]:
            self._lines.pop()

    @property
    def length(self) -> int:
        return len(self._lines)

    @cached_property
    def _squeezed(self) -> list[str]:
        return [squeeze(line) for line in self._lines]

    @cached_property
    def _joined(self) -> str:
        return "".join(self._squeezed)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins in `_joined`; the end of it comes last."""
        return [0, *accumulate(map(len, self._squeezed))]

    def holds(self, needle: Needle, line: int, end: int) -> bool:
        """Whether the quotation stands in these lines, or reaches into them."""
        if not needle.parts:
            return needle.short and needle.squeezed in self._squeezed[line - 1 : end]
        start, stop = self._starts[line - 1], self._starts[end]
        for parts in needle.ways:
            high = stop + len(parts[0]) - 1
            for _ in range(TRIES):
                begin = self._joined.rfind(parts[0], max(0, start - REACH), high)
                if any(left < stop and right > start for left, right in self._follow(parts, begin)):
                    return True
                if begin < 0:
                    break
                high = begin + len(parts[0]) - 1
        return False

    def nearest(self, needle: Needle, line: int) -> int:
        """Returns the line closest to this one where the quotation begins; 0 if it is nowhere."""
        here = self._starts[min(line, self.length)]
        lines = []
        for parts in needle.ways:
            first = parts[0]
            begins = (self._joined.rfind(first, 0, here + len(first) - 1), self._joined.find(first, here))
            lines += [bisect_right(self._starts, begin) for begin in begins if self._follow(parts, begin)]
        return min(lines, key=lambda other: abs(other - line), default=0)

    def _follow(self, parts: tuple[str, ...], begin: int) -> list[tuple[int, int]]:
        """Returns where each part stands, one behind the other; nothing if one of them does not."""
        spans = []
        for part in parts:
            begin = self._joined.find(part, begin, begin + REACH + len(part)) if begin >= 0 else -1
            if begin < 0:
                return []
            spans.append((begin, begin + len(part)))
            begin += len(part)
        return spans
