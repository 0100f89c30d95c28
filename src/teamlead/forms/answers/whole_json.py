"""Every whole JSON object in a text, also one that stands behind or inside something broken.

Read from the text's end to its beginning: what is nested is known by then and stepped over, so that nothing
is read once more for each bracket before it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from teamlead.system.text import printable

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


class Whole(NamedTuple):
    value: Any
    end: int


def whole_objects(text: str, *, lists: bool = False) -> Iterator[Any]:
    """Those that lie in no other one; with `lists`, lists as well. Of fields given twice, the last counts."""
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
