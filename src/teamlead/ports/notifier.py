"""How the user is told that a person is needed."""

from typing import Protocol

from teamlead.core.people.notices import Notice


class Notifier(Protocol):
    async def notify(self, way: str, notice: Notice) -> str:
        """Tells the user in one of the ways that they have settled; returns what went wrong, or ""."""
        ...
