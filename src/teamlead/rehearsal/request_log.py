"""What a program has asked, as it is kept for those who look afterwards."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

_SECRET = ("authorization", "key", "token", "cookie")


class Request(NamedTuple):
    """A request without its credentials."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    content: bytes
    task: str = ""
    """Or who is consulted. Empty: it named none."""
    attempt: int = 1
    purpose: str = ""
    """What somebody is consulted for."""

    @property
    def body(self) -> Any:
        """The decoded body; None where it is no JSON."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            return None


def without_secrets(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {
        name.lower(): value
        for name, value in headers
        if not any(secret in name.lower() for secret in _SECRET)
    }
