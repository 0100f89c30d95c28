"""The core is values in, values out: it can reach no file, clock, network, process or chance."""

import ast
from pathlib import Path

import pytest

import teamlead.core
import teamlead.errors

ALLOWED = {
    "collections",
    "collections.abc",
    "dataclasses",
    "difflib",
    "fnmatch",
    "functools",
    "graphlib",
    "hashlib",
    "heapq",
    "math",
    "re",
    "types",
    "typing",
    "unicodedata",
    "msgspec",
    "msgspec.structs",
    "teamlead.errors",
}
REACHING_OUT = {"open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__", "id", "hash"}
FOLDER = Path(teamlead.core.__file__).parent
SOURCES = [*sorted(FOLDER.glob("**/*.py")), Path(teamlead.errors.__file__)]


def offences(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                found += [alias.name for alias in node.names if not _allowed(alias.name)]
            case ast.ImportFrom():
                name = node.module or ""
                found += [name] if node.level or not _allowed(name) else []
            case ast.Name(ctx=ast.Load()) if node.id in REACHING_OUT:
                found.append(node.id)
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                found.append("async")
            case _:
                pass
    return found


def _allowed(module: str) -> bool:
    return module in ALLOWED | {"teamlead.errors", "teamlead.core"} or module.startswith("teamlead.core.")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_the_core_imports_nothing_that_does_io(path: Path) -> None:
    assert offences(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import time as t",
        "from random import choice",
        "from pathlib import Path",
        "import asyncio",
        "def f():\n    import socket",
        "from teamlead.system import git",
        "from teamlead import ports",
        "from . import state",
        "text = open('x').read()",
        "order = sorted(things, key=id)",
        "order = hash(name)",
        "async def f(): ...",
        "import collections.abc, sqlite3",
    ],
)
def test_what_reaches_out_would_be_found(source: str) -> None:
    assert offences(source)
