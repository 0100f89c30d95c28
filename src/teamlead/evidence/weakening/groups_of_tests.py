"""What tests of one name are told apart by: the classes, modules and `describe` blocks that they stand in."""

import re
from collections.abc import Sequence

from teamlead.evidence.sources.languages import Language

_CLASS = re.compile(r"\s*(?:[\w@]+ )*class (?P<name>\w+)")
_GROUPS: dict[Language, re.Pattern[str]] = {
    "python": re.compile(r"\s*class (?P<name>\w+)"),
    "javascript": re.compile(
        r"\s*(?:[xf]?describe|suite|context)(?:\.\w+)*(?:\(.*\))?\(\s*(?P<quote>[\"'`])(?P<name>.+?)(?P=quote)"
    ),
    "rust": re.compile(r"\s*(?:pub(?:\(\w+\))? )?mod (?P<name>\w+)"),
    "java": _CLASS,
    "csharp": _CLASS,
    "ruby": re.compile(
        r"\s*(?:class|module|(?:RSpec\.)?x?describe|x?context) "
        r"(?P<quote>[\"']?)(?P<name>.+?)(?P=quote)(?: do)?$"
    ),
}


class Groups:
    """Those that are open while a file is read from its top, by indentation."""

    def __init__(self, spoken: Language) -> None:
        self._begins = _GROUPS.get(spoken)
        self._open: list[tuple[int, str]] = []

    def read(self, line: str) -> None:
        found = self._begins.match(line) if self._begins else None
        if found:
            self._open = [*self._around(line), (_indent(line), found["name"])]

    def of(self, line: str) -> tuple[str, ...]:
        return tuple(name for _, name in self._around(line))

    def _around(self, line: str) -> Sequence[tuple[int, str]]:
        return [(depth, name) for depth, name in self._open if depth < _indent(line)]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
