"""Checks one decoded value against its key.

Files are not trusted: what will be shown or run must be plain to see.
"""

import unicodedata
from collections.abc import Callable, Mapping

from teamlead.core.amounts import parse_duration, show_duration
from teamlead.settings.schema import Key, Kind, Value

LONGEST_LIST = 200
LONGEST_TEXT = 4000


class BadValue(Exception):
    """Why a value cannot be used, in words that follow the key's name."""


def check(key: Key, value: object) -> Value:
    """The value as the program uses it. Raises BadValue."""
    return _CHECKS[key.kind](key, value)


def _text(key: Key, value: object) -> str:  # noqa: ARG001 - one shape for the table
    if not isinstance(value, str):
        raise BadValue(f"must be a text in quotes, not {_kind(value)}")
    return _plain(value)


def _count(key: Key, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadValue(f"must be a whole number, not {_kind(value)}")
    if not key.minimum <= value <= key.maximum:
        raise BadValue(f"must be from {key.minimum} to {key.maximum}, not {value}")
    return value


def _duration(key: Key, value: object) -> float:
    seconds = parse_duration(value)
    if seconds is None:
        raise BadValue('must be seconds, or a text such as "90s", "15m" or "2h"')
    if not 0 <= seconds <= key.maximum:
        raise BadValue(f"must be from 0 to {show_duration(key.maximum)}")
    return seconds


def _money(key: Key, value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadValue(f"must be a number, not {_kind(value)}")
    if not 0 <= value <= key.maximum:
        raise BadValue(f"must be from 0 to {key.maximum}, not {value}")
    return float(value)


def _switch(key: Key, value: object) -> bool:  # noqa: ARG001 - one shape for the table
    if not isinstance(value, bool):
        raise BadValue(f"must be true or false, not {_kind(value)}")
    return value


def _choice(key: Key, value: object) -> str | bool:
    if key.can_be_off and value is False:
        return False
    return key.on if key.on and value is True else _one_of(key, value)


def _one_of(key: Key, value: object) -> str:
    if not isinstance(value, str) or value not in key.choices:
        off = " or false" if key.can_be_off else ""
        raise BadValue(f"must be one of {', '.join(key.choices)}{off}, not {_shown(value)}")
    return value


def _choices(key: Key, value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_one_of(key, entry) for entry in _texts(value)))


def _commands(key: Key, value: object) -> tuple[str, ...]:  # noqa: ARG001 - one shape for the table
    return tuple(_plain(entry) for entry in _texts(value))


def _arguments(key: Key, value: object) -> tuple[str, ...]:  # noqa: ARG001 - one shape for the table
    return tuple(_visible(entry) for entry in _texts(value))


def _paths(key: Key, value: object) -> tuple[str, ...]:  # noqa: ARG001 - one shape for the table
    return tuple(_inner_path(_plain(entry)) for entry in _texts(value))


def _places(key: Key, value: object) -> tuple[str, ...]:  # noqa: ARG001 - one shape for the table
    return tuple(_place(_plain(entry)) for entry in _texts(value))


_CHECKS: Mapping[Kind, Callable[[Key, object], Value]] = {
    "agent": _text,
    "text": _text,
    "count": _count,
    "money": _money,
    "duration": _duration,
    "switch": _switch,
    "choice": _choice,
    "choices": _choices,
    "commands": _commands,
    "arguments": _arguments,
    "paths": _paths,
    "places": _places,
}


def _texts(value: object) -> list[str]:
    if not isinstance(value, list | tuple):
        raise BadValue(f"must be a list of texts, not {_kind(value)}")
    if len(value) > LONGEST_LIST:
        raise BadValue(f"has {len(value)} entries, and at most {LONGEST_LIST} are read")
    texts = []
    for position, entry in enumerate(value, 1):
        if not isinstance(entry, str):
            raise BadValue(f"must be a list of texts, and entry {position} is {_kind(entry)}")
        texts.append(entry)
    return texts


def _plain(text: str) -> str:
    """Names, paths and commands reach other programs, where they must not look like options."""
    if text.startswith("-"):
        raise BadValue(f"must not begin with a dash: {text[:80]!a}")
    return _visible(text)


def _visible(text: str) -> str:
    """What runs is shown before it is allowed: nothing in it may look other than it is."""
    if not text.strip():
        raise BadValue("must not be empty")
    if len(text) > LONGEST_TEXT:
        raise BadValue(f"is longer than {LONGEST_TEXT} characters")
    if any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for character in text):
        raise BadValue(f"must be one line without control or invisible characters: {text[:80]!a}")
    return text


def _inner_path(path: str) -> str:
    parts = path.split("/")
    if path.startswith(("/", "~")) or "\\" in path:
        raise BadValue(f"must be relative to the repository's root, with forward slashes: {path[:80]!r}")
    if ".." in parts:
        raise BadValue(f"must not leave the repository with '..': {path[:80]!r}")
    if any(part.lower() == ".git" for part in parts):
        raise BadValue(f"must not reach into git's own folder: {path[:80]!r}")
    return path


def _place(path: str) -> str:
    if not path.startswith(("/", "~/")):
        raise BadValue(f"must begin with '/' or '~/': {path[:80]!r}")
    if ".." in path.split("/"):
        raise BadValue(f"must not go back with '..': {path[:80]!r}")
    return path


_KINDS: Mapping[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}


def _shown(value: object) -> str:
    return f"{value[:40]!a}" if isinstance(value, str) else _kind(value)


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a date or time")
