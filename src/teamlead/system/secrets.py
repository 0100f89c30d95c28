"""The secrets that programs may know: nothing of them is kept of what programs say.

Agents, checks and set-up commands print their environment and their settings, on purpose or not, and what
they say is kept, shown and reported.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import msgspec

from teamlead.system.dotenv import variables
from teamlead.system.program_streams import Sink

Known = Mapping[str, str]
"""Secrets by their value: what each is called. One of many lines is known by its lines."""

HIDDEN = b"[secret]"
SHORTEST = 8
"""Characters. What is shorter protects nothing, and may be in any text."""
LONGEST: Final = 1024
"""Characters that are looked for at once: what is longer is known in pieces."""
MOST: Final = 5000
"""That are known."""
_NAMES = re.compile(
    r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD|CRED(?:S|ENTIALS?)?(?![A-Z])|CUSTOM_HEADERS"
    r"|(?<!BY)(?<!COM)PASS[0-9]*\Z|(?<![A-Z])PAT[0-9]*\Z",
    re.IGNORECASE,
)
_SWITCHES = re.compile(r"(?<![A-Z])AUTH[0-9]*\Z", re.IGNORECASE)
"""They hold a secret, or a plain word such as `required`."""
_FOLDERS = frozenset({"PWD", "OLDPWD"})
"""Where a shell is and was: no passwords."""
_LOGIN = re.compile(r"://([^/@\s]+)@")
"""As a proxy's address may hold one."""
_FRAME = re.compile(r"-----(?:BEGIN|END) [A-Z0-9 ]+-----")
"""Around a key: every key has the same."""
_PREFIX = 3
"""Characters by which one of many is found."""


def secrets_in(environment: Mapping[str, str]) -> dict[str, str]:
    """Finds secrets by the names of variables, and logins in addresses."""
    return _secrets_in(environment.items())


def _secrets_in(given: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in given:
        for login in _LOGIN.findall(value):
            password = login.partition(":")[2]
            # Programs tell it as it is meant, too: an address writes some characters in another way.
            found.update(dict.fromkeys((password, unquote(password)), f"the password in {name}"))
            found[login] = f"the login in {name}"
        if name not in _FOLDERS and (_NAMES.search(name) or (_SWITCHES.search(name) and not value.isalpha())):
            found.update(dict.fromkeys(_pieces(value), name))
    fitting = (each for each in found.items() if SHORTEST <= len(each[0]) <= LONGEST)
    return {value: name for value, name in fitting if not _is_path(value)}


def _pieces(value: str) -> Iterator[str]:
    """Yields a secret of many lines as programs print it: line by line, indented, or in one with escapes."""
    for line in map(str.strip, [*value.split("\n"), *value.replace("\\n", "\n").split("\n")]):
        if not _FRAME.fullmatch(line):
            yield from (line[at : at + LONGEST] for at in range(0, len(line), LONGEST))


def _is_path(value: str) -> bool:
    """Whether the value only says where a secret lies."""
    return value.startswith(("/", "~")) and os.path.lexists(os.path.expanduser(value))  # noqa: PTH111 - no Path of any text


def known_secrets(root: Path, copied: Iterable[str]) -> dict[str, str]:
    """Finds secrets in this process's environment, and in the `.env` files that each working copy gets.

    `copied`: paths or patterns, relative to the root.
    """
    found = secrets_in(os.environ) | _secrets_in(variables(root, copied))
    return dict(islice(found.items(), MOST))


def one_of(values: Sequence[bytes], prefix: int = _PREFIX) -> bytes:
    """Makes one pattern of them: the longest that fits counts. Many take hardly more time than few."""
    if not prefix or len(values) == 1:
        return b"|".join(map(re.escape, sorted(values, key=len, reverse=True)))
    groups: dict[bytes, list[bytes]] = {}
    for value in values:
        groups.setdefault(value[:1], []).append(value[1:])
    parts = ((re.escape(first), one_of(rest, prefix - 1)) for first, rest in groups.items())
    return b"|".join(b"%s(?:%s)" % part for part in parts)


class Secrets:
    def __init__(self, environment: Mapping[str, str], known: Mapping[str, str] = {}) -> None:
        values = {*secrets_in(environment), *known}
        forms = {form.encode(errors="surrogateescape") for value in values for form in _forms(value)}
        self._forms = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile(one_of(self._forms))
        self._by_start: dict[bytes, list[bytes]] = {}
        for form in self._forms:
            for size in range(1, SHORTEST + 1):
                self._by_start.setdefault(form[:size], []).append(form)

    def hidden(self, data: bytes) -> bytes:
        return self._pattern.sub(HIDDEN, data) if self._forms else data

    def hidden_in(self, said: dict[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = msgspec.json.decode(self.hidden(msgspec.json.encode(said)))
        return kept

    def guard(self, sink: Sink) -> Sink:
        """Returns a sink before this one, which then never sees a secret."""
        return _Guard(self, sink) if self._forms else sink

    def until_begun(self, data: bytes) -> int:
        """Returns where the part begins that may begin a secret. No whole secret reaches into it."""
        begun = len(data) - self._begun(data)
        across = (found for found in self._pattern.finditer(data) if found.end() > begun)
        return min(begun, next((found.start() for found in across), begun))

    def _begun(self, data: bytes) -> int:
        """Returns how many bytes at the end may begin a secret."""
        longest = min(len(data), len(self._forms[0]) - 1)
        for start in range(len(data) - longest, len(data)):
            forms = self._by_start.get(data[start : start + SHORTEST], ())
            if any(form.startswith(data[start:]) for form in forms):
                return len(data) - start
        return 0


class _Guard:
    """Output comes in pieces: the beginning of a secret waits for its end."""

    def __init__(self, secrets: Secrets, sink: Sink) -> None:
        self._secrets = secrets
        self._sink = sink
        self._held = b""

    def write(self, data: bytes) -> None:
        data = self._held + data
        end = self._secrets.until_begun(data)
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
    """Yields the value as it is, and as JSON writes it."""
    return value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]
