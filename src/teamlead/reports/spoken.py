"""The JSON that a model ends with: bare, in a block of code or behind other words.

What it quotes on the way there does not count, nor does a part of something broken. But where what it quotes
could be its answer as well, nobody can tell which of the two it means.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, TypeVar

from teamlead.errors import Unreadable
from teamlead.system.text import printable

MOST_CHARACTERS: Final = 256 * 1024
MOST_BROKEN: Final = 100
DEEPEST: Final = 16

_OBJECT: Final = re.compile(r"\{(?=\s{0,1000}[\"'])")
_OBJECT_OR_LIST: Final = re.compile(r"\{(?=\s{0,1000}[\"'])|\[(?=\s{0,1000}\{)")
_LINE: Final = re.compile(r"^(?=[{\[])", re.MULTILINE)
_HUMP: Final = re.compile(r"[_-]+([a-zA-Z0-9])")

Meant = TypeVar("Meant")


class NoJson(Unreadable):
    pass


class BadJson(Unreadable):
    pass


class WrongShape(Unreadable):
    pass


class TwoAnswers(Unreadable):
    pass


def only_answer(text: str, read: Callable[[Any], Meant], *, example: str = "", lists: bool = False) -> Meant:
    """The last JSON, as `read` understands it, if no other JSON before it is another answer of that shape.

    `example`: what it was shown. Repeating that on the way to an answer says nothing.
    """
    *others, last = spoken_json(text, lists=lists)
    meant = read(last)
    shown = spoken_json(example, lists=lists) if example else []
    for other in others:
        if other not in (last, *shown) and _readable(other, read) not in (None, meant):
            raise TwoAnswers(
                "there are two answers in it that differ", remedy="end with the one that holds, and no other"
            )
    return meant


def _readable(given: Any, read: Callable[[Any], Meant]) -> Meant | None:
    try:
        return read(given)
    except WrongShape:
        return None


def spoken_json(text: str, *, lists: bool = False) -> list[Any]:
    """All of it, at least one, the last one whole.

    Names of fields come in camelCase, without those that were left open, and text fit to be shown.
    """
    if len(text) > MOST_CHARACTERS:
        raise NoJson(f"the answer has more than {MOST_CHARACTERS} characters", remedy="say it shorter")
    opening = _OBJECT_OR_LIST if lists else _OBJECT
    found: list[Any] = []
    broken: BadJson | None = None
    tries = at = 0
    while start := opening.search(text, at):
        try:
            value, at = _DECODER.raw_decode(text, start.start())
            found.append(value)
            broken = None
        except json.JSONDecodeError as error:
            broken = BadJson(f"the JSON is broken: {error}", remedy="write it again, whole")
            at = _behind(text, max(error.pos, start.end()))
            tries += 1
            if tries == MOST_BROKEN:
                raise broken from None
        except RecursionError:
            raise _too_deep() from None
        except ValueError as error:
            raise BadJson(f"the JSON cannot be read: {error}", remedy="write it again") from None
    if broken:
        raise broken
    if not found:
        kind = "object or list" if lists else "object"
        raise NoJson(f"there is no JSON {kind} in the answer", remedy="end with the one that is asked for")
    return [*_shallow(found[:-1]), _clean(found[-1])]


def _behind(text: str, at: int) -> int:
    """Where to look on behind something broken: a part of it that is whole must not pass for the answer."""
    line = _LINE.search(text, at)
    return line.start() if line else len(text)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        name = _HUMP.sub(lambda hump: hump[1].upper(), printable(key))
        if name in found:
            raise ValueError(f"the field {name[:60]!r} stands there twice")
        found[name] = value
    return found


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def _clean(value: Any, depth: int = 0) -> Any:
    if depth > DEEPEST:
        raise _too_deep()
    if isinstance(value, dict):
        given = {key: _clean(inner, depth + 1) for key, inner in value.items()}
        return {key: inner for key, inner in given.items() if inner is not None}
    if isinstance(value, list):
        return [_clean(inner, depth + 1) for inner in value if inner is not None]
    return printable(value).strip() if isinstance(value, str) else value


def _shallow(values: Iterable[Any]) -> Iterator[Any]:
    """Without what is nested too deep to be an answer."""
    for value in values:
        with suppress(BadJson):
            yield _clean(value)


def _too_deep() -> BadJson:
    return BadJson(f"the JSON is nested deeper than {DEEPEST} levels", remedy="keep it flat")
