"""Where something is said to be, in one spelling."""

import posixpath
from typing import NamedTuple
from unicodedata import normalize

from teamlead.forms.citations.places import places


class Spot(NamedTuple):
    path: str
    line: int
    """The first of a range; 0 where only a file is named."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


NOWHERE = Spot("", 0)


def read_spot(text: str) -> Spot:
    """What stands where a place is expected; without a line it names a file at best."""
    plain = " ".join(text.split()).strip("` ")
    # As code, spaces belong to the path.
    for place in places(f"`{plain}`"):
        return spot(place.path, place.line)
    return spot(plain, 0)


def spot(path: str, line: int) -> Spot:
    path = normalize("NFC", path)
    return Spot(posixpath.normpath(path), max(line, 0)) if path else NOWHERE
