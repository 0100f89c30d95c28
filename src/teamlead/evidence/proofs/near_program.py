"""A program of its own that calls functions with inputs that tests gave them, and with others like these.

It is put into a copy, and run by the Python that the project's own tests are run by: it imports nothing of
ours, and needs no newer one than 3.8. What it calls has been found to touch nothing but its arguments.
"""

from __future__ import annotations

import copy
import importlib
import itertools
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKER = "what the inputs came to: "
SECONDS = 0.5
"""For one call."""
MOST_NEAR = 12
"""Inputs like one that a test gave."""
LONGEST = 300
MOST = 100
"""Items of what gives one after the other."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def main(calls: list[list[Any]], places: list[str], with_near: bool) -> None:
    """Prints of each call what it gives, and of those near it if they are wanted, as `[what, is a value]`.

    A call is a module, a function and its arguments. `places`: folders that modules are imported from.
    """
    sys.path[:0] = [os.path.abspath(place) for place in places]
    asked = [
        [module, name, *each]
        for module, name, given, named in calls
        for each in [(given, named), *(near(given, named) if with_near else [])]
    ]
    forward = _forked(asked)
    backward = _forked(asked[::-1])[::-1]
    told = [[module, name, _written(name, given, named)] for module, name, given, named in asked]
    print("\n" + MARKER + json.dumps([told, forward, backward]), flush=True)


def _written(name: str, given: list[Any], named: dict[str, Any]) -> str:
    values = [*map(repr, given), *(f"{key}={value!r}" for key, value in named.items())]
    return f"{name}({', '.join(values)})"


def near(given: list[Any], named: dict[str, Any]) -> list[tuple[list[Any], dict[str, Any]]]:
    """Arguments of which one is a little different."""
    found: list[tuple[list[Any], dict[str, Any]]] = []
    changed = [
        ([*given[:place], other, *given[place + 1 :]], named)
        for place, value in enumerate(given)
        for other in _near(value)
    ]
    changed += [(given, {**named, name: other}) for name, value in named.items() for other in _near(value)]
    for each in changed:
        if each != (given, named) and each not in found:
            found.append(each)
    # Of several arguments each has its turn.
    step = max(1, len(found) // MOST_NEAR)
    return found[::step][:MOST_NEAR]


def _near(value: Any) -> Iterator[Any]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        # A rule may be about the last digits.
        yield from (
            value + 100,
            value + 1,
            value - 1,
            value + 2,
            value - 2,
            value * 2,
            value // 2,
            value + 10,
        )
        yield from (value - 10, value * 3 + 1, -value)
    elif isinstance(value, str):
        yield from _near_text(value)
    elif isinstance(value, dict):
        yield from _near_dict(value)
    elif isinstance(value, (list, tuple, set)):
        items = sorted(value, key=repr) if isinstance(value, set) else list(value)
        hashed = isinstance(value, set)
        yield from (type(value)(each) for each in _near_items(items) if not hashed or _hashable(each))


def _near_items(items: list[Any]) -> Iterator[list[Any]]:
    yield items[:-1]
    yield items[::-1]
    yield items + items[:1]
    for place, item in enumerate(items[:3]):
        for other in list(_near(item))[:3]:
            yield [*items[:place], other, *items[place + 1 :]]


def _near_dict(value: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    for key, item in list(value.items())[:3]:
        yield {other: each for other, each in value.items() if other != key}
        for other in list(_near(item))[:4]:
            yield {**value, key: other}


def _hashable(items: list[Any]) -> bool:
    return not any(isinstance(item, (list, dict, set)) for item in items)


def _near_text(text: str) -> Iterator[str]:
    for place in dict.fromkeys((len(text) // 2, len(text) - 1, 0, 1)):
        if 0 <= place < len(text):
            yield text[:place] + _next(text[place]) + text[place + 1 :]
    if text:
        yield text + _next(text[-1])
        yield text[:-1]
        yield text.swapcase()
        yield text[::-1]
        yield text + text[-1]


def _next(letter: str) -> str:
    """Another one of its kind."""
    if letter.isdigit():
        return str((int(letter) + 1) % 10) if letter in "0123456789" else letter
    if letter.lower() in LETTERS:
        other = LETTERS[(LETTERS.index(letter.lower()) + 1) % len(LETTERS)]
        return other.upper() if letter.isupper() else other
    return letter


def _forked(asked: list[list[Any]]) -> list[Any]:
    """In a process of their own: what one order leaves behind, the other does not find."""
    reads, writes = os.pipe()
    child = os.fork()
    if child:
        os.close(writes)
        with os.fdopen(reads) as told:
            text = told.read()
        os.waitpid(child, 0)
        found = json.loads(text or "[]")
        return found if len(found) == len(asked) else [None] * len(asked)
    try:
        os.close(reads)
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        found = json.dumps([_call(*each) for each in asked])
        with os.fdopen(writes, "w") as out:
            out.write(found)
    finally:
        os._exit(0)


def _call(module: str, name: str, given: list[Any], named: dict[str, Any]) -> list[Any] | None:
    """None: nobody knows."""
    try:
        function = getattr(importlib.import_module(module), name)
    except BaseException:
        return None
    signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        # It may change what it is given.
        came = function(*copy.deepcopy(given), **copy.deepcopy(named))
        told = repr(list(itertools.islice(came, MOST)) if hasattr(came, "__next__") else came)
    except TimeoutError:
        return None
    except Exception as error:
        return [type(error).__name__, False]
    except BaseException:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    # The place of an object in memory is no value.
    return None if " at 0x" in told else [told[:LONGEST], True]


def _too_long(*_: Any) -> None:
    raise TimeoutError
