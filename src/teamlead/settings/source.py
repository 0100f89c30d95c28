"""Reads one TOML file of settings: values with their lines, or every problem it has."""

import difflib
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.settings.schema import BY_NAME, BY_TABLE, ENTRY_NAME, Value, key_of
from teamlead.settings.values import BadValue, check
from teamlead.system.user_folders import user_config_file

LARGEST_FILE = 64 * 1024
MOST_PROBLEMS = 50

Place = tuple[str, ...]
"""A key below its tables: ("roles", "reviewer", "model")."""

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}\n]",
    re.DOTALL,
)
_PART = re.compile(r"""[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*""")
_HEADER = re.compile(r"[ \t]*(\[{0,2})")


class FoundValue(NamedTuple):
    value: Value
    line: int


class Source(NamedTuple):
    path: Path
    values: Mapping[str, FoundValue]
    problems: tuple[str, ...]
    """Ready to print, each beginning with `shown` and a line."""


def read(path: Path, shown: str, *, own: bool) -> Source:
    """A missing file settles nothing. `shown` is how problems name the file. `own`: it is the user's."""
    try:
        text = _text(path)
    except FileNotFoundError:
        return Source(path, {}, ())
    except (OSError, BadValue) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return Source(path, {}, (f"{shown}: cannot be read: {reason}",))
    try:
        document = tomllib.loads(text)
    except RecursionError:
        return Source(path, {}, (f"{shown}: is nested too deeply",))
    except ValueError as error:
        return Source(path, {}, (_bad_toml(shown, text, error),))
    return _checked(path, shown, document, lines_of(text), own=own)


def _checked(
    path: Path, shown: str, document: Mapping[str, object], known: Mapping[Place, int], *, own: bool
) -> Source:
    values: dict[str, FoundValue] = {}
    problems: list[str] = []
    for place, value in _flat(document):
        if len(problems) == MOST_PROBLEMS:
            problems.append(f"{shown}: and more")
            break
        line = line_of(known, place)
        name = ".".join(place)
        try:
            values[name] = FoundValue(checked(place, value, own=own), line)
        except BadValue as problem:
            problems.append(f"{shown}:{line}: {problem}" if line else f"{shown}: {problem}")
    return Source(path, values, tuple(problems))


def checked(place: Place, value: object, *, own: bool = True) -> Value:
    """The value of one setting, said by the user or by a repository. Raises BadValue."""
    table, *rest = place
    if len(place) < 3 and table in BY_TABLE:
        raise BadValue(f"{'.'.join(place)[:60]!a} must be a table: [{table}.NAME]")
    if len(place) == 3 and not ENTRY_NAME.fullmatch(place[1]):
        raise BadValue(f"{place[1][:40]!a} is no name: use letters, digits, - and _ in [{table}.NAME]")
    key = key_of(".".join(place))
    if key is None:
        names = BY_TABLE.get(table, BY_NAME) if rest else (*BY_NAME, *BY_TABLE)
        raise BadValue(f"unknown key {place[-1][:40]!a}{nearest(place[-1][:40], names)}")
    if key.own_only and not own:
        raise BadValue(f"{key.name} is no repository's to set: move it to your own {user_config_file()}")
    try:
        return check(key, value)
    except BadValue as problem:
        raise BadValue(f"{'.'.join(place)} {problem}") from None


def _flat(document: Mapping[str, object]) -> Iterator[tuple[Place, object]]:
    """Every value at its place. What should be a table and is none comes as it is."""
    for name, value in document.items():
        if name not in BY_TABLE or not isinstance(value, dict):
            yield (name,), value
            continue
        for entry, keys in value.items():
            if isinstance(keys, dict):
                yield from (((name, entry, key), given) for key, given in keys.items())
            else:
                yield (name, entry), keys


def nearest(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=1)
    return f" (did you mean {close[0]!r}?)" if close else f" (known: {', '.join(names)})"


def _text(path: Path) -> str:
    if blocking := next((folder for folder in path.parents if _is_no_folder(folder)), None):
        raise BadValue(f"{str(blocking)!r} is no folder: move it away, one of that name is made where needed")
    # Opening a pipe would wait for its writer for ever.
    if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - follows links on purpose, in one call
        raise BadValue("it is not a file")
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise BadValue(f"it is larger than {LARGEST_FILE // 1024} KiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadValue(f"it is not UTF-8 (line {line})") from error


def _is_no_folder(path: Path) -> bool:
    return path.exists() and not path.is_dir()


def _bad_toml(shown: str, text: str, error: ValueError) -> str:
    message = str(error)
    match = re.search(r" \(at line (\d+), column \d+\)$", message)
    if match:
        return f"{shown}:{match[1]}: is not TOML: {message[: match.start()]}"
    return f"{shown}:{text.count(chr(10)) + 1}: is not TOML: {message}"


def lines_of(text: str) -> dict[Place, int]:
    """Finds the line of each key, which tomllib does not tell.

    `text` must be valid TOML. What stands inside braces, or is spelled with escapes, is left out.
    """
    found: dict[Place, int] = {}
    table: Place = ()
    for start in _statements(text):
        header = _HEADER.match(text, start)
        assert header is not None
        path = _path(text, header.end())
        if not path:
            continue
        if header[1]:
            table = path
        else:
            path = table + path
        line = text.count("\n", 0, start) + 1
        for depth in range(1, len(path) + 1):
            found.setdefault(path[:depth], line)
    return found


def line_of(lines: Mapping[Place, int], path: Place) -> int:
    """Its own line, or that of what it stands in; 0 if neither is known."""
    return next((lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in lines), 0)


def _path(text: str, at: int) -> Place:
    parts: list[str] = []
    while part := _PART.match(text, at):
        parts.append(next(spelling for spelling in part.groups() if spelling is not None))
        at = part.end() + 1
        if text[part.end() : at] != ".":
            break
    return tuple(parts)


def _statements(text: str) -> list[int]:
    """Offsets of the lines that do not continue a list, a table or a long string."""
    starts = [0]
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in ("[", "{"):
            depth += 1
        elif mark in ("]", "}"):
            depth -= 1
        elif mark == "\n" and depth == 0:
            starts.append(token.end())
    return starts
