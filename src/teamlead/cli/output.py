"""What commands print. Text that is not ours passes `safe` before it reaches a terminal."""

import json
import os
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence

import click

from teamlead.system.text import printable

SCHEMA_VERSION = 1


def examples(*lines: str) -> str:
    """The end of a command's help; the mark keeps click from joining the lines."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def echo_json(document: Mapping[str, object]) -> None:
    """One object on stdout. It is ASCII, so that text inside it cannot steer a terminal."""
    click.echo(json.dumps({"schema_version": SCHEMA_VERSION, **document}, indent=2))


def ascii_json(document: bytes) -> str:
    """Finished JSON made as harmless as what `echo_json` prints, without being decoded."""
    text = document.decode()
    return (
        text if text.isascii() else re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], text)
    )


def safe(text: str) -> str:
    """`text` on one line and without control characters."""
    return printable(" ".join(text.splitlines()))


def tell(line: str) -> None:
    """One line for the person; stdout is for data."""
    click.echo(safe(line), err=True)


def table(rows: Sequence[Sequence[str]], *, gap: int = 2) -> str:
    """Columns aligned on the screen, each cell made safe; no space at the end of a line."""
    cells = [[safe(cell) for cell in row] for row in rows]
    columns = max((len(row) for row in cells), default=0)
    widths = [max(width(row[column]) for row in cells if column < len(row)) for column in range(columns)]
    return "\n".join(
        "".join(
            cell + " " * (wanted - width(cell) + gap) for cell, wanted in zip(row, widths, strict=False)
        ).rstrip()
        for row in cells
    )


def width(text: str) -> int:
    """Columns on a screen: East Asian wide letters take two, combining marks none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def size_of(number: int) -> str:
    """Bytes, as people read them."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if number >= factor:
            return f"{number / factor:.1f} {unit}"
    return f"{number} B"


def colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str) -> str:
    return click.style(text, fg=colour) if colours() else text
