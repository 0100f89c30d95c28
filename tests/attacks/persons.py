"""Who the user of a world is: whoever runs the tests, or somebody without any rights, if root does."""

import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.flows.other_user import STRANGER, install


class Person(NamedTuple):
    uid: int
    python: str
    """One that has teamlead installed, and that they may start."""

    @property
    def is_us(self) -> bool:
        return self.uid == os.getuid()

    @property
    def identity(self) -> dict[str, Any]:
        """For `subprocess`."""
        return {} if self.is_us else {"user": self.uid, "group": self.uid, "extra_groups": []}


def ourselves(_: Path) -> Person:
    return Person(os.getuid(), sys.executable)


def stranger(place: Path) -> Person:
    return Person(STRANGER, str(install(place)))
