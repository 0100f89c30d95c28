"""The time."""

from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Wall time, in seconds since 1970. Reset times and deadlines count in it."""
        ...
