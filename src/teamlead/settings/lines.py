"""The line of each top-level key in a TOML text, which tomllib does not tell."""

import re

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}\n]",
    re.DOTALL,
)
_HEAD = re.compile(r"""[ \t]*(\[{0,2})[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))""")


def lines_of(text: str) -> dict[str, int]:
    """`text` must be valid TOML. A key spelled with escapes is left out."""
    found: dict[str, int] = {}
    inside_table = False
    for start in _statements(text):
        head = _HEAD.match(text, start)
        if head is None:
            continue
        header, *spellings = head.groups()
        if header or not inside_table:
            name = next(spelling for spelling in spellings if spelling is not None)
            found.setdefault(name, text.count("\n", 0, start) + 1)
        inside_table = inside_table or bool(header)
    return found


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
