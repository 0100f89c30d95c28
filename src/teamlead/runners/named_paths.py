"""Where a path that an agent names really is, behind links and behind the names of its room."""

import os
from pathlib import Path

from teamlead.ports.rooms import Room

TURNS = 8


def resolved(path: Path, room: Room | None) -> str:
    """Returns where it is on disk. A link in the copy may name a file of the copy as the agent sees it."""
    found = os.path.realpath(room.outside(path) if room else path)
    for _ in range(TURNS):
        further = os.path.realpath(room.outside(Path(found))) if room else found
        if further == found:
            break
        found = further
    return found
