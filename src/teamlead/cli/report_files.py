"""Texts of agents that commands look at: files, or what is piped in."""

import sys
from pathlib import Path
from typing import Final

from teamlead.errors import NotFound, UsageError

MOST_BYTES: Final = 1024 * 1024
STDIN: Final = "-"


def read_report(file: str) -> str:
    """The text of a file, or of stdin for `-`."""
    try:
        # Not by size first: a pipe has none, and a file may grow.
        if file == STDIN:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(f"there is no file {file!r}", remedy="check the path; `-` reads from stdin") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {file!r}: {reason}", remedy="name a text file") from None
    if len(data) > MOST_BYTES:
        raise UsageError(
            f"{file!r} is larger than 1 MiB", remedy="shorten it, and keep the rest in another file"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{file}:{line}: not UTF-8 text", remedy="save the file as UTF-8") from None
