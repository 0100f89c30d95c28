"""Why a check cannot hold in a clean copy, whoever works there."""

from typing import Literal

from teamlead.core.model import Value

Hindrance = Literal["no program", "lacks files", "no end"]
"""lacks files: your checkout has them, and git ignores them. So a copy is made without them."""


class Obstacle(Value, frozen=True):
    hindrance: Hindrance
    thing: str = ""
    """The program, or the files' own folder; empty where it does not end."""
    told: str = ""
    remedy: str = ""

    def cause(self, command: str) -> str:
        """What is equal in it is one question."""
        return f"{self.hindrance}: {self.thing or command}"
