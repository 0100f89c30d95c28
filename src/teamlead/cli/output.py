"""What commands print. Text that is not ours passes `safe` before it reaches a terminal."""

import json
import os
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence

import click

from teamlead.system.text import printable
from teamlead.views.documents.base import SCHEMA_VERSION


def examples(*lines: str) -> str:
    """The end of a command's help; the mark keeps click from joining the lines."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def echo_json(document: Mapping[str, object]) -> None:
    """A document of `views.documents` on stdout."""
    click.echo(document_json(document))


def line_json(document: Mapping[str, object]) -> str:
    """The same on one line."""
    return json.dumps({"schema_version": SCHEMA_VERSION, **document})


def document_json(document: Mapping[str, object]) -> str:
    import msgspec  # noqa: PLC0415 - only JSON needs it

    versioned = {"schema_version": SCHEMA_VERSION, **document}
    try:
        text = msgspec.json.format(msgspec.json.encode(versioned)).decode()
    except UnicodeEncodeError:
        # A path whose bytes are no UTF-8: only this encoder, which is slower, has a way to write it.
        return json.dumps(msgspec.to_builtins(versioned), indent=2)
    return ascii_only(text)


def ascii_only(text: str) -> str:
    """The same JSON, so that text inside it cannot steer a terminal."""
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
