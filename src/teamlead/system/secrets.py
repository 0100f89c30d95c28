"""What must not be kept of what programs say: the secrets that they may know.

Agents, checks and set-up commands print their environment and their settings, on purpose or not, and what
they say is kept, shown and reported.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import msgspec

from teamlead.system.output import Sink

Known = Mapping[str, str]
"""Secrets by their value: what each is called."""

HIDDEN = b"[secret]"
SHORTEST = 8
"""Characters. What is shorter protects nothing, and may be in any text."""
LARGEST: Final = 256 * 1024
"""Bytes of a file of settings that is still read."""
_NAMES = re.compile(
    r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD|CRED(?:S|ENTIALS?)?(?![A-Z])|CUSTOM_HEADERS",
    re.IGNORECASE,
)
_FOLDERS = frozenset({"PWD", "OLDPWD"})
"""Where a shell is and was: no passwords."""
_LOGIN = re.compile(r"://([^/@\s]+)@")
"""As a proxy's address may hold one."""
_ASSIGNMENT = re.compile(r"\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|(.*?))\s*")


def secrets_in(environment: Mapping[str, str]) -> dict[str, str]:
    """By what the variables are called, and the logins in addresses."""
    found: dict[str, str] = {}
    for name, value in environment.items():
        for login in _LOGIN.findall(value):
            password = login.partition(":")[2]
            # Programs tell it as it is meant, too: an address writes some characters in another way.
            found.update(dict.fromkeys((password, unquote(password)), f"the password in {name}"))
            found[login] = f"the login in {name}"
        if _NAMES.search(name) and name not in _FOLDERS:
            found[value] = name
    return {value: name for value, name in found.items() if len(value) >= SHORTEST and not _is_path(value)}


def _is_path(value: str) -> bool:
    """It says where a secret lies."""
    return value.startswith(("/", "~")) and os.path.lexists(os.path.expanduser(value))  # noqa: PTH111 - no Path of any text


def known_secrets(root: Path, copied: Iterable[str]) -> dict[str, str]:
    """Those of this process's environment, and those in the `.env` files that each working copy gets.

    `copied`: paths or patterns, relative to the root.
    """
    found = secrets_in(os.environ)
    for path in _settings_files(root, copied):
        found |= secrets_in(_assignments(path))
    return found


def _settings_files(root: Path, copied: Iterable[str]) -> Iterator[Path]:
    for pattern in copied:
        relative = pattern.strip("/")
        for path in sorted(root.glob(relative)) if relative else ():
            inside = [*path.glob(".env*"), *path.glob("*.env")] if path.is_dir() else [path]
            yield from (file for file in inside if _holds_settings(file))


def _holds_settings(file: Path) -> bool:
    named = file.name.startswith(".env") or file.name.endswith(".env")
    return named and file.is_file() and file.stat().st_size <= LARGEST


def _assignments(file: Path) -> dict[str, str]:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    found = filter(None, map(_ASSIGNMENT.fullmatch, lines))
    return {match[1]: match[2] or match[3] or match[4] or "" for match in found}


class Secrets:
    def __init__(self, environment: Mapping[str, str], known: Mapping[str, str] = {}) -> None:
        values = {*secrets_in(environment), *known}
        forms = {form.encode(errors="surrogateescape") for value in values for form in _forms(value)}
        self._forms = sorted(forms, key=len)[::-1]
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
