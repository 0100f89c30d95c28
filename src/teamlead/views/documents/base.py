"""What all documents have in common. Loads little: `status` needs it."""

from typing import Final

SCHEMA_VERSION: Final = 1
"""Raised when a field goes or changes its meaning; one may be added without that."""

Moment = str
"""ISO 8601, in UTC. `views.moments.iso` makes it."""

MOMENTS: Final = frozenset({"at", "since", "until", "not_before", "deadline"})


def is_moment(name: str) -> bool:
    """What is called so is a moment in every document, or null."""
    return name in MOMENTS or name.endswith(("_at", "At"))
