"""A program of its own that says what expressions of a task give, with the names of the work.

It is put into a copy, and run by the Python that the project's own tests are run by: it imports nothing of
ours, and needs no newer one than 3.8. The file of the same name that ends in `.mjs` is the same for node.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import importlib
import inspect
import json
import math
import os
import sys
from typing import Any

MARKER = "what the task's examples came to: "
SHOWN = 300
MOST_WORDS = 3
"""Of a value that is no expression: more than that are words about it."""
UNTOLD = (NameError, ImportError, OSError, SyntaxError, SystemExit, KeyboardInterrupt)
"""Something is missing that the sentence took for granted."""


def main(examples: list[dict[str, Any]], places: list[str]) -> None:
    """Prints of each example whether it comes out, and what does. None: nobody could tell."""
    sys.path[:0] = [os.path.abspath(place) for place in places]
    told = [_tried(example) for example in examples]
    print("\n" + MARKER + json.dumps(told), flush=True)


def _tried(example: dict[str, Any]) -> list[Any]:
    try:
        names = dict(vars(builtins), true=True, false=False, null=None, NaN=math.nan)
        for name, path, part in example["names"]:
            module = importlib.import_module(_name(path))
            names = {**names, **vars(module)} if part else names
            names[name] = getattr(module, name) if part else module
        code = ast.parse(example["expression"], mode="eval")
        if not _known(code, names):
            return [None, ""]
    except BaseException:
        return [None, ""]
    try:
        got = _settled(eval(compile(code, "example", "eval"), names))
    except UNTOLD as error:
        return [True, ""] if example["raises"] and _is_called(error, example["value"]) else [None, ""]
    except TypeError as error:
        if "missing" in str(error) and _at_the_call(error):
            # The sentence left something out.
            return [None, ""]
        return [example["raises"] and _is_called(error, example["value"]), _error(error)]
    except BaseException as error:
        return [example["raises"] and _is_called(error, example["value"]), _error(error)]
    if example["raises"]:
        return [False, "gives " + _shown(got)]
    return [_agrees(got, example["value"], names), "gives " + _shown(got)]


def _at_the_call(error: BaseException) -> bool:
    within = error.__traceback__ and error.__traceback__.tb_next
    return within is not None and within.tb_next is None


def _known(code: ast.AST, names: dict[str, Any]) -> bool:
    own = {
        node.id for node in ast.walk(code) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    own |= {node.arg for node in ast.walk(code) if isinstance(node, ast.arg)}
    return all(node.id in names or node.id in own for node in ast.walk(code) if isinstance(node, ast.Name))


def _settled(value: Any) -> Any:
    if inspect.iscoroutine(value):
        return asyncio.run(value)
    return list(value) if inspect.isgenerator(value) or isinstance(value, (map, filter, zip)) else value


def _agrees(got: Any, value: str, names: dict[str, Any]) -> bool | None:
    if value in (str(got), repr(got)):
        return True
    try:
        code = ast.parse(value, mode="eval")
        known = _known(code, names)
        wanted = _settled(eval(compile(code, "value", "eval"), names)) if known else None
    except BaseException:
        known, wanted = False, None
    if not known:
        # It is no expression: the text itself, or words about it.
        return False if isinstance(got, str) and len(value.split()) <= MOST_WORDS else None
    if isinstance(wanted, type) or inspect.ismodule(wanted) or inspect.isroutine(wanted):
        return True if inspect.isclass(wanted) and isinstance(got, wanted) else None
    return _same(got, wanted)


def _same(got: Any, wanted: Any) -> bool:
    if isinstance(got, float) and isinstance(wanted, (int, float)):
        places = len(repr(wanted).partition(".")[2]) if "e" not in repr(wanted) else 12
        both_nan = math.isnan(got) and math.isnan(wanted)
        return (
            both_nan
            or math.isclose(got, wanted, rel_tol=1e-9)
            or (places > 1 and round(got, places) == wanted)
        )
    if isinstance(got, (list, tuple)) and isinstance(wanted, (list, tuple)):
        return len(got) == len(wanted) and all(map(_same, got, wanted))
    if isinstance(got, dict) and isinstance(wanted, dict):
        return got.keys() == wanted.keys() and all(_same(got[key], wanted[key]) for key in wanted)
    try:
        return bool(wanted == got) if type(wanted).__module__ == "builtins" else bool(got == wanted)
    except BaseException:
        return False


def _is_called(error: BaseException, name: str) -> bool:
    last = name.partition("(")[0].rpartition(".")[2]
    return last in ("Error", "Exception") or any(each.__name__ == last for each in type(error).__mro__)


def _error(error: BaseException) -> str:
    return f"raises {type(error).__name__}: {error}"[:SHOWN]


def _shown(value: Any) -> str:
    try:
        return repr(value)[:SHOWN]
    except BaseException:
        return "something that cannot be shown"


def _name(path: str) -> str:
    """As it is imported: below the topmost of its folders that is a package."""
    folder, file = os.path.split(path)
    names = [] if file == "__init__.py" else [file[: -len(".py")]]
    while folder and os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        names.insert(0, name)
    sys.path.insert(0, os.path.abspath(folder))
    return ".".join(names)
