"""Fields of what a program says: one of the wrong type counts as absent, and a path is where links lead."""

import os
from pathlib import Path
from typing import Any

from teamlead.ports.rooms import Room

TURNS = 8
"""Links of a room, one behind the other, that are followed."""


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def tables(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        return None
    return float(value)


def resolved(path: Path, room: Room | None) -> str:
    """Returns where it is on disk. A link in the copy may name a file of the copy as the agent sees it."""
    found = os.path.realpath(room.outside(path) if room else path)
    for _ in range(TURNS):
        further = os.path.realpath(room.outside(Path(found))) if room else found
        if further == found:
            break
        found = further
    return found
