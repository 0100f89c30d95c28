"""What a repository's config may run: only what the user allowed, to the letter.

A cloned repository can name any command. Consent is a hash over all of them, kept outside the repository:
one changed character withdraws it. The user's own config and flags need none.
"""

import fcntl
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from teamlead.core.notices import DESKTOP
from teamlead.errors import Refused, StorageFailed
from teamlead.settings.loading import Settings
from teamlead.settings.schema import key_of
from teamlead.system.disk import storing
from teamlead.system.files import write_atomically
from teamlead.system.places import SCRIPTED, state_home

SCHEMA_VERSION = 1

_SWITCHED_ON = {
    "agent_settings": "whatever the repository's own settings and hooks for agents say",
    "check_network": "checks that may use the network",
}


class Asked(NamedTuple):
    """One thing the repository's config would run, and the setting that names it."""

    key: str
    command: str


def asked(settings: Settings) -> tuple[Asked, ...]:
    return tuple(
        Asked(name, command)
        for name, value in settings.values.items()
        if (key := key_of(name)) and key.runs_commands and settings.origin(name).kind == "repository"
        for command in _named(name, value)
    )


def is_allowed(repository_id: str, settings: Settings) -> bool:
    commands = asked(settings)
    return not commands or _allowed().get(repository_id) == _digest(commands)


def require(repository_id: str, settings: Settings) -> None:
    """Call before anything of the configuration runs. Raises Refused."""
    if not is_allowed(repository_id, settings):
        commands = [f"  {key}: {command}" for key, command in asked(settings)]
        raise Refused(
            "\n".join(
                ["this repository's configuration wants to run commands you have not allowed:", *commands]
            ),
            remedy="read them, then run `teamlead config allow`",
        )


def allow(repository_id: str, settings: Settings) -> None:
    with _locked():
        allowed = {**_allowed(), repository_id: _digest(asked(settings))}
        document = {"schema_version": SCHEMA_VERSION, "allowed": allowed}
        write_atomically(_file(), json.dumps(document, indent=2, sort_keys=True).encode() + b"\n", mode=0o600)


def _named(name: str, value: object) -> tuple[str, ...]:
    """A bare kind of agent is ours; an argument chooses what it runs."""
    if isinstance(value, tuple):
        return tuple(each for each in value if (name, each) != ("notify", DESKTOP))
    if isinstance(value, bool):
        return (_SWITCHED_ON[name],) if value else ()
    assert isinstance(value, str)
    return (value,) if ":" in value else ()


def _digest(commands: tuple[Asked, ...]) -> str:
    canonical = [[key, _content(command)] for key, command in commands]
    return hashlib.sha256(json.dumps(canonical).encode()).hexdigest()


def _content(command: str) -> str:
    """A script for the scripted agent is a list of commands too: what it says counts, not where it lies."""
    if not command.startswith(SCRIPTED):
        return command
    script = Path(command.removeprefix(SCRIPTED))
    if not script.is_file():
        return SCRIPTED
    with script.open("rb") as file:
        return SCRIPTED + hashlib.file_digest(file, "sha256").hexdigest()


def _file() -> Path:
    return state_home() / "allowed.json"


def _allowed() -> dict[str, str]:
    try:
        document = json.loads(_file().read_bytes())
        if document["schema_version"] != SCHEMA_VERSION:
            raise StorageFailed(
                f"{_file()} was written by another version of teamlead", remedy="upgrade teamlead"
            )
        return dict(document["allowed"])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StorageFailed(
            f"{_file()} cannot be read: {error}",
            remedy="move it away, then run `teamlead config allow` again",
        ) from error


@contextmanager
def _locked() -> Iterator[None]:
    """Two repositories may be allowed at the same moment; neither may be forgotten."""
    with storing(_file()):
        state_home().mkdir(parents=True, exist_ok=True, mode=0o700)
        with (state_home() / "allowed.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
