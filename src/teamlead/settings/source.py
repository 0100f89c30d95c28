"""Reads one TOML file of settings: values with their lines, or every problem it has."""

import difflib
import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.settings.lines import lines_of
from teamlead.settings.schema import BY_NAME, Value
from teamlead.settings.values import BadValue, check

LARGEST_FILE = 64 * 1024
MOST_PROBLEMS = 50


class Found(NamedTuple):
    value: Value
    line: int


class Source(NamedTuple):
    path: Path
    values: Mapping[str, Found]
    problems: tuple[str, ...]
    """Ready to print, each beginning with `shown` and a line."""


def read(path: Path, shown: str) -> Source:
    """A missing file settles nothing. `shown` is how problems name the file."""
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
    return _checked(path, shown, document, lines_of(text))


def _checked(path: Path, shown: str, document: Mapping[str, object], lines: Mapping[str, int]) -> Source:
    values: dict[str, Found] = {}
    problems: list[str] = []
    for name, value in document.items():
        if len(problems) == MOST_PROBLEMS:
            problems.append(f"{shown}: and more")
            break
        line = lines.get(name, 0)
        where = f"{shown}:{line}" if line else shown
        if name not in BY_NAME:
            problems.append(f"{where}: unknown key {name[:40]!a}{nearest(name[:40])}")
            continue
        try:
            values[name] = Found(check(BY_NAME[name], value), line)
        except BadValue as problem:
            problems.append(f"{where}: {name} {problem}")
    return Source(path, values, tuple(problems))


def nearest(name: str) -> str:
    close = difflib.get_close_matches(name, BY_NAME, n=1)
    return f" (did you mean {close[0]!r}?)" if close else f" (known: {', '.join(BY_NAME)})"


def _text(path: Path) -> str:
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


def _bad_toml(shown: str, text: str, error: ValueError) -> str:
    message = str(error)
    match = re.search(r" \(at line (\d+), column \d+\)$", message)
    if match:
        return f"{shown}:{match[1]}: is not TOML: {message[: match.start()]}"
    return f"{shown}:{text.count(chr(10)) + 1}: is not TOML: {message}"
