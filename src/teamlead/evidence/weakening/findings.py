"""What was found about the tests of a change."""

from typing import NamedTuple

SHOWN = 120


class Finding(NamedTuple):
    path: str
    line: int
    """In the file as it is now; where it is gone, as it was. 0: of the file as a whole."""
    sentence: str
    objected: bool = True

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.sentence}"


def shown(text: str) -> str:
    return f"`{text if len(text) <= SHOWN else text[: SHOWN - 1] + '…'}`"
