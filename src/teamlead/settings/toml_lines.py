"""The line of each key in a TOML text, which tomllib does not tell."""

import re
from collections.abc import Mapping

Path = tuple[str, ...]
"""A key below its tables: ("roles", "reviewer", "model")."""

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}\n]",
    re.DOTALL,
)
_PART = re.compile(r"""[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*""")
_HEADER = re.compile(r"[ \t]*(\[{0,2})")


def lines_of(text: str) -> dict[Path, int]:
    """`text` must be valid TOML. What stands inside braces, or is spelled with escapes, is left out."""
    found: dict[Path, int] = {}
    table: Path = ()
    for start in _statements(text):
        header = _HEADER.match(text, start)
        assert header is not None
        path = _path(text, header.end())
        if not path:
            continue
        if header[1]:
            table = path
        else:
            path = table + path
        line = text.count("\n", 0, start) + 1
        for depth in range(1, len(path) + 1):
            found.setdefault(path[:depth], line)
    return found


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """Its own line, or that of what it stands in; 0 if neither is known."""
    return next((lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in lines), 0)


def _path(text: str, at: int) -> Path:
    parts: list[str] = []
    while part := _PART.match(text, at):
        parts.append(next(spelling for spelling in part.groups() if spelling is not None))
        at = part.end() + 1
        if text[part.end() : at] != ".":
            break
    return tuple(parts)


def _statements(text: str) -> list[int]:
    """Offsets of the lines that do not continue a list, a table or a long string."""
    starts = [0]
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in ("[", "{"):
            depth += 1
        elif mark in ("]", "}"):
            depth -= 1
        elif mark == "\n" and depth == 0:
            starts.append(token.end())
    return starts
