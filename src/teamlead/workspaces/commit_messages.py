"""Commit messages. An agent's text stays text: it cannot pose as a trailer."""

import re
from collections.abc import Mapping

from teamlead.system.text import clip, printable

TITLE = 200
BODY = 8000
MEANS_SOMETHING = re.compile(r"[A-Za-z0-9-]+\s*:|---|\(cherry picked from|diff --git ")
"""What git or a forge would read as more than text at the start of a line."""


def compose(title: str, body: str, trailers: Mapping[str, str]) -> str:
    first = clip(" ".join(printable(title).split()), TITLE) or "Untitled"
    lines = [_inert(line.rstrip()) for line in clip(printable(body), BODY).strip().split("\n")]
    tail = "\n".join(f"{key}: {value}" for key, value in trailers.items())
    return "\n\n".join(part for part in (first, "\n".join(lines), tail) if part.strip()) + "\n"


def _inert(line: str) -> str:
    return f"  {line}" if MEANS_SOMETHING.match(line) else line
