"""A program of its own that calls functions with values that tests hold, and tells what they give.

It is put into a copy, and run by the Python that the project's own tests are run by: it imports nothing of
ours, and needs no newer one than 3.8.
"""

from __future__ import annotations

import copy
import importlib
import json
import sys
from typing import Any

MARKER = "what they gave: "
LONGEST = 300


def main(calls: list[tuple[list[str], str, str]], places: list[str]) -> None:
    """`calls`: what a module may be called, its function, and the arguments as they are written."""
    sys.path[1:1] = places
    told: dict[str, str] = {}
    for modules, name, arguments in calls:
        first, second = [_outcome(modules, name, arguments) for _ in range(2)]
        if first == second and first and " at 0x" not in first:
            told[name + arguments] = first
    print("\n" + MARKER + json.dumps(told), flush=True)


def _outcome(modules: list[str], name: str, arguments: str) -> str:
    function = _function(modules, name)
    if function is None:
        return ""
    given = copy.deepcopy(eval(arguments, {}))
    try:
        return repr(function(*given))[:LONGEST]
    except Exception as error:
        return type(error).__name__


def _function(modules: list[str], name: str) -> Any:
    for module in modules:
        try:
            return getattr(importlib.import_module(module), name)
        except Exception:
            continue
    return None
