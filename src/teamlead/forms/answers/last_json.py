"""The JSON that a model ends with: bare, in a block of code or behind other words.

What it quotes on the way there does not count, nor does a part of something broken. But where what it quotes,
or a part of that, could be its answer as well, nobody can tell which of the two it means.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from teamlead.errors import Unreadable
from teamlead.forms.answers.whole_json import field_name, whole_objects
from teamlead.system.text import printable

MOST_CHARACTERS: Final = 256 * 1024
MOST_BROKEN: Final = 100
DEEPEST: Final = 16
LOOKED_INTO: Final = 5
"""Levels of a possible answer: no reader looks further, and many may lie in each other."""

_OBJECT: Final = re.compile(r"\{(?=\s{0,1000}[\"'])")
_OBJECT_OR_LIST: Final = re.compile(r"\{(?=\s{0,1000}[\"'])|\[(?=\s{0,1000}\{)")
_LINE: Final = re.compile(r"^(?=[{\[])", re.MULTILINE)

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
    """The last JSON, as `read` understands it, if no other JSON anywhere is another answer of that shape.

    `example`: what it was shown. Repeating that on the way to an answer says nothing.
    """
    meant = read(last_json(text, lists=lists))
    shown = [_upper(value) for value in whole_objects(example, lists=lists)]
    # An answer is taken as a whole; in what is none, one may be wrapped.
    waiting = list(whole_objects(text, lists=lists))
    while waiting:
        other = waiting.pop()
        said = _upper(other)
        if said in shown:
            continue
        answer = _readable(said, read)
        if answer is None:
            inner = other.values() if isinstance(other, dict) else other
            waiting += [value for value in inner if isinstance(value, dict | list)]
        elif answer != meant:
            raise TwoAnswers(
                "there are two answers in it that differ", remedy="end with the one that holds, and no other"
            )
    return meant


def _readable(given: Any, read: Callable[[Any], Meant]) -> Meant | None:
    try:
        return read(given)
    except WrongShape:
        return None


def last_json(text: str, *, lists: bool = False) -> Any:
    """Names of fields come in camelCase, without those that were left open, and text fit to be shown."""
    if len(text) > MOST_CHARACTERS:
        raise NoJson(f"the answer has more than {MOST_CHARACTERS} characters", remedy="say it shorter")
    opening = _OBJECT_OR_LIST if lists else _OBJECT
    last: Any = None
    broken: BadJson | None = None
    tries = at = 0
    while start := opening.search(text, at):
        try:
            last, at = _DECODER.raw_decode(text, start.start())
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
    if last is None:
        kind = "object or list" if lists else "object"
        raise NoJson(f"there is no JSON {kind} in the answer", remedy="end with the one that is asked for")
    return _clean(last)


def _behind(text: str, at: int) -> int:
    """Where to look on behind something broken: a part of it that is whole must not pass for the answer."""
    line = _LINE.search(text, at)
    return line.start() if line else len(text)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        name = field_name(key)
        if name in found:
            raise ValueError(f"the field {name[:60]!r} stands there twice")
        found[name] = value
    return found


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def _clean(value: Any, levels: int = DEEPEST, *, cut: bool = False) -> Any:
    """What lies deeper is an error, or is `cut` off."""
    if levels < 0:
        if cut:
            return None
        raise _too_deep()
    if isinstance(value, dict):
        given = {key: _clean(inner, levels - 1, cut=cut) for key, inner in value.items()}
        return {key: inner for key, inner in given.items() if inner is not None}
    if isinstance(value, list):
        items = (_clean(inner, levels - 1, cut=cut) for inner in value)
        return [item for item in items if item is not None]
    return printable(value).strip() if isinstance(value, str) else value


def _upper(value: Any) -> Any:
    return _clean(value, LOOKED_INTO, cut=True)


def _too_deep() -> BadJson:
    return BadJson(f"the JSON is nested deeper than {DEEPEST} levels", remedy="keep it flat")
