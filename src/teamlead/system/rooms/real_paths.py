"""Where paths lead. Rooms ask for many at every start of a program."""

import os
from pathlib import Path

PLACE = getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC


def real(path: str | Path) -> str:
    """Asks the kernel, which takes a quarter of the time of a look at each part of the path."""
    place = -1
    try:
        place = os.open(path, PLACE)
        return os.readlink(f"/proc/self/fd/{place}")  # noqa: PTH115 - this runs at every start of a program
    except OSError:
        # What is not there has a place, too; and not every system tells of descriptors.
        return os.path.realpath(path)
    finally:
        if place >= 0:
            os.close(place)


def below(path: str, other: str) -> bool:
    """Whether a path lies below the other, or is the same."""
    return path == other or path.startswith(other.rstrip("/") + "/")
