"""The JSON that a model ends with: bare, in a block of code or behind other words.

What it quotes on the way there does not count, nor does a part of something broken. But where what it quotes,
or a part of that, could be its answer as well, nobody can tell which of the two it means.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from teamlead.errors import Unreadable
from teamlead.system.text import printable

MOST_CHARACTERS: Final = 256 * 1024
MOST_BROKEN: Final = 100
DEEPEST: Final = 16
LOOKED_INTO: Final = 5
"""Levels of a possible answer: no reader looks further, and many may lie in each other."""

_OBJECT: Final = re.compile(r"\{(?=\s{0,1000}[\"'])")
_OBJECT_OR_LIST: Final = re.compile(r"\{(?=\s{0,1000}[\"'])|\[(?=\s{0,1000}\{)")
_LINE: Final = re.compile(r"^(?=[{\[])", re.MULTILINE)
_OPENING: Final = re.compile(r"[{\[]")
_SPACE: Final = r"[ \t\n\r]*+"
_STRING: Final = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*+"'
_NUMBER: Final = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+"
_KEY: Final = re.compile(rf"{_SPACE}({_STRING}){_SPACE}:")
_VALUE: Final = re.compile(
    rf"{_SPACE}(?:([{{\[])|({_STRING}|{_NUMBER}|true|false|null|NaN|-?Infinity))", re.ASCII
)
_AFTER: Final = re.compile(rf"{_SPACE}([,}}\]])")
_EMPTY: Final = re.compile(rf"\{{{_SPACE}\}}|\[{_SPACE}\]")
_HUMP: Final = re.compile(r"[_-]+([a-zA-Z0-9])")
LONGEST_NUMBER: Final = 4000

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


class Whole(NamedTuple):
    value: Any
    end: int


def whole_objects(text: str, *, lists: bool = False) -> Iterator[Any]:
    """Every whole object, also one behind or inside something broken; with `lists`, lists as well.

    Those that lie in another one do not come. Of fields given twice, the last counts.

    Read from the text's end to its beginning: what is nested is known by then and stepped over, so that
    nothing is read once more for each bracket before it.
    """
    starts = [found.start() for found in _OPENING.finditer(text)]
    known: dict[int, Whole] = {}
    for start in reversed(starts):
        if whole := _whole(text, start, known):
            known[start] = whole
    end = 0
    for start in starts:
        if start >= end and start in known and (lists or text[start] == "{"):
            value, end = known[start]
            yield value


def field_name(key: str) -> str:
    """As all are spelled here, however a model joins its words."""
    return _HUMP.sub(lambda hump: hump[1].upper(), printable(key))


def _whole(text: str, start: int, known: Mapping[int, Whole]) -> Whole | None:
    is_object = text[start] == "{"
    if empty := _EMPTY.match(text, start):
        return Whole({} if is_object else [], empty.end())
    keys: list[str] = []
    values: list[Any] = []
    at = start + 1
    while True:
        if is_object:
            key = _KEY.match(text, at)
            if key is None:
                return None
            keys.append(field_name(_scalar(key[1])))
            at = key.end()
        value = _value(text, at, known)
        after = _AFTER.match(text, value.end) if value else None
        if value is None or after is None:
            return None
        values.append(value.value)
        at = after.end()
        if after[1] == ("}" if is_object else "]"):
            return Whole(dict(zip(keys, values, strict=True)) if is_object else values, at)
        if after[1] != ",":
            return None


def _value(text: str, at: int, known: Mapping[int, Whole]) -> Whole | None:
    found = _VALUE.match(text, at)
    if found is None:
        return None
    return known.get(found.start(1)) if found[1] else Whole(_scalar(found[2]), found.end())


def _scalar(written: str) -> Any:
    return json.loads(written, parse_int=_number)


def _number(written: str) -> float:
    return int(written) if len(written) <= LONGEST_NUMBER else float(written)
