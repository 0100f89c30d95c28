"""What a repository asks of its user beyond tightening, and what of it the user has allowed, to the letter.

A cloned repository can name any command, loosen any limit and speak to agents in any words. Consent is a hash
of each such thing and of what the user has in its place, kept outside the repository: one changed character
withdraws it. The user's own config and flags need none.
"""

import fcntl
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.core.policy.scope import within
from teamlead.errors import ConfigError, Refused, StorageFailed
from teamlead.settings.loading import Settings, load
from teamlead.settings.schema import BY_NAME, Key, Tighter, Value, key_of
from teamlead.settings.template import as_toml
from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing
from teamlead.system.repository import Repository
from teamlead.system.user_folders import SCRIPTED, state_home

SCHEMA_VERSION = 2
BEFORE = 1
"""One hash for a repository, over its commands alone: it does not tell which of them it is about."""


class Asked(NamedTuple):
    """One thing that a repository wants otherwise than its user."""

    name: str
    own: str
    """As the user has it, in one line; so is the next."""
    theirs: str
    content: str = ""
    """What counts in the place of `theirs`, where that only tells where it lies."""
    difference: tuple[str, ...] = ()
    """Lines to read before it is allowed, where one does not say it all."""

    def __str__(self) -> str:
        return f"{self.name}: {self.own} -> {self.theirs}"


def asked(settings: Settings, *, fixed: bool = True) -> tuple[Asked, ...]:
    """Without `fixed`, only what a session looks at again that has begun: scripts may have changed since."""
    return tuple(
        wish
        for name, value in settings.values.items()
        if settings.origin(name).kind == "repository" and needs_consent(_key(name), settings.own[name], value)
        for wish in [_wish(name, settings.own[name], value)]
        if fixed or not _key(name).fixed or wish.content
    )


def not_allowed(repository_id: str, wishes: Sequence[Asked]) -> tuple[Asked, ...]:
    if not wishes:
        return ()
    allowed = _allowed().get(repository_id, {})
    return tuple(wish for wish in wishes if allowed.get(wish.name) != _digest(wish))


def require(repository_id: str, wishes: Sequence[Asked]) -> None:
    """Call before anything that they are about takes effect. Raises Refused."""
    if missing := not_allowed(repository_id, wishes):
        raise Refused(
            "\n".join(
                ["this repository asks for what you have not allowed (yours -> the repository's):"]
                + [f"  {wish}" for wish in missing]
            ),
            remedy="read it, then run `teamlead config allow`",
        )


def allow(repository_id: str, wishes: Sequence[Asked]) -> None:
    """These, and nothing that was allowed before."""
    with _locked():
        allowed = {**_allowed(), repository_id: {wish.name: _digest(wish) for wish in wishes}}
        document = {"schema_version": SCHEMA_VERSION, "allowed": allowed}
        write_atomically(_file(), json.dumps(document, indent=2, sort_keys=True).encode() + b"\n", mode=0o600)


def in_effect(repository_id: str, settings: Settings) -> Settings:
    """For commands that start nothing: what is not allowed is as the user has it."""
    kept = {wish.name: settings.own[wish.name] for wish in not_allowed(repository_id, asked(settings))}
    typed: dict[str, Any] = {field.name: kept[field.name] for field in fields(settings) if field.name in kept}
    return replace(settings, **typed, values={**settings.values, **kept})


def keep_ignored(repository: Repository) -> int:
    """For commands that decide and run no agent: they work with a broken configuration, too."""
    try:
        return in_effect(repository.id, load(repository.root)).keep_ignored
    except (ConfigError, StorageFailed):
        default = BY_NAME["keep_ignored"].default
        assert isinstance(default, int)
        return default


def _wish(name: str, own: Value, theirs: Value) -> Asked:
    key = _key(name)
    return Asked(name, as_toml(key, own), as_toml(key, theirs), _script(theirs))


def _script(value: Value) -> str:
    """A script for the scripted agent is a list of commands: what it says counts, not where it lies."""
    if not isinstance(value, str) or not value.startswith(SCRIPTED):
        return ""
    script = Path(value.removeprefix(SCRIPTED))
    if not script.is_file():
        return SCRIPTED
    with script.open("rb") as file:
        return SCRIPTED + hashlib.file_digest(file, "sha256").hexdigest()


def _digest(wish: Asked) -> str:
    canonical = [wish.name, wish.own, wish.content or wish.theirs]
    return hashlib.sha256(json.dumps(canonical).encode()).hexdigest()


def _key(name: str) -> Key:
    key = key_of(name)
    assert key is not None
    return key


def _file() -> Path:
    return state_home() / "allowed.json"


def _allowed() -> Mapping[str, Mapping[str, str]]:
    """By repository and name."""
    try:
        document = json.loads(_file().read_bytes())
        if document["schema_version"] == BEFORE:
            return {}
        if document["schema_version"] != SCHEMA_VERSION:
            raise StorageFailed(
                f"{_file()} was written by another version of teamlead", remedy="upgrade teamlead"
            )
        return {repository: dict(names) for repository, names in document["allowed"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
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


def needs_consent(key: Key, own: Value, theirs: Value) -> bool:
    """`own`: what holds without the repository."""
    return theirs != own and not _TIGHTENS[key.tighter](key, own, theirs)


def _order(key: Key, value: Value) -> int:
    """False comes before all choices."""
    return key.choices.index(str(value)) if value else -1


_TIGHTENS: Mapping[Tighter, Callable[[Key, Any, Any], bool]] = {
    "less": lambda _, own, theirs: theirs < own,
    "limit": lambda _, own, theirs: not own or 0 < theirs < own,
    "more": lambda _, own, theirs: theirs > own,
    "on": lambda _, own, theirs: theirs and not own,
    "off": lambda _, own, theirs: own and not theirs,
    "fewer": lambda _, own, theirs: set(theirs) <= set(own),
    "further": lambda _, own, theirs: set(theirs) >= set(own),
    "within": lambda _, own, theirs: all(within(pattern, own) for pattern in theirs),
    "later": lambda key, own, theirs: _order(key, theirs) > _order(key, own),
    "none": lambda *_: False,
}
