"""Whether a module of Python touches nothing but what it is given."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from teamlead.evidence.sources.statements import parsed

_PURE = frozenset(
    """
    __future__ abc argparse array ast base64 binascii bisect calendar cmath collections colorsys
    contextlib copy dataclasses datetime decimal difflib enum fractions functools hashlib heapq html
    inspect itertools json keyword logging math numbers operator random re statistics string sys
    textwrap time types typing typing_extensions unicodedata warnings zlib
    """.split()  # noqa: SIM905 - names read better so than one a line
)
"""Modules of the standard library that touch nothing but what they are given."""
_REACHES_OUT = frozenset(
    ("__import__", "breakpoint", "compile", "eval", "exec", "exit", "globals", "input", "open", "quit")
)


def needs(path: str, text: str) -> Sequence[Sequence[str]] | None:
    """For each module of the project that it imports, where that may be. None: it reaches beyond."""
    tree = parsed(text)
    if tree is None:
        return None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if names & _REACHES_OUT:
        return None
    own = dict.fromkeys(each for each in _imported(tree, path) if each.partition(".")[0] not in _PURE)
    return [_places(each, path) for each in own]


def _imported(tree: ast.Module, path: str) -> Iterator[str]:
    """As dotted names; of a package's own modules from its root in the repository."""
    package = PurePosixPath(path).parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1]
            yield ".".join((*above, *filter(None, [node.module])))


def _places(name: str, path: str) -> list[str]:
    """Where a module of the project may be."""
    inside = name.replace(".", "/")
    roots = [
        "",
        "src/",
        "lib/",
        *(f"{parent}/" for parent in PurePosixPath(path).parents if str(parent) != "."),
    ]
    return [f"{root}{inside}{end}" for root in roots for end in (".py", "/__init__.py")]
