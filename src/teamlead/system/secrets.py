"""What must not be kept of what an agent says: the secrets in its environment.

Agents print their environment, on purpose or not, and what they say is kept, shown and reported.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from teamlead.system.output import Sink

HIDDEN = b"[secret]"
SHORTEST = 8
"""Characters. What is shorter protects nothing, and may be in any text."""
_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CUSTOM_HEADERS", re.IGNORECASE)
_LOGIN = re.compile(r"://([^/@\s]+)@")
"""As a proxy's address may hold one."""


class Secrets:
    def __init__(self, environment: Mapping[str, str]) -> None:
        named = [value for name, value in environment.items() if _NAMES.search(name)]
        logins = [login for value in environment.values() for login in _LOGIN.findall(value)]
        values = [value for value in (*named, *logins) if len(value) >= SHORTEST]
        self._forms = sorted({form.encode() for value in values for form in _forms(value)}, key=len)[::-1]
        self._pattern = re.compile(b"|".join(map(re.escape, self._forms)))

    def hidden(self, data: bytes) -> bytes:
        return self._pattern.sub(HIDDEN, data) if self._forms else data

    def hidden_in(self, said: dict[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = msgspec.json.decode(self.hidden(msgspec.json.encode(said)))
        return kept

    def guard(self, sink: Sink) -> Sink:
        """The sink, which never sees one of them."""
        return _Guard(self, sink) if self._forms else sink

    def begun(self, data: bytes) -> int:
        """How many bytes at the end may be the beginning of one."""
        longest = min(len(data), len(self._forms[0]) - 1)
        tails = (data[-size:] for size in range(longest, 0, -1))
        return next((len(tail) for tail in tails if any(form.startswith(tail) for form in self._forms)), 0)


class _Guard:
    """Output comes in pieces: the beginning of a secret waits for its end."""

    def __init__(self, secrets: Secrets, sink: Sink) -> None:
        self._secrets = secrets
        self._sink = sink
        self._held = b""

    def write(self, data: bytes) -> None:
        data = self._held + data
        end = len(data) - self._secrets.begun(data)
        data, self._held = data[:end], data[end:]
        if data:
            self._sink.write(self._secrets.hidden(data))

    def close(self) -> None:
        try:
            if self._held:
                self._sink.write(self._secrets.hidden(self._held))
        finally:
            self._sink.close()


def _forms(value: str) -> tuple[str, ...]:
    """As it is, and as JSON writes it."""
    return value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]
