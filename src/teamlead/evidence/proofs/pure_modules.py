"""Modules of Python that touch nothing but what they are given: their functions can be called at will."""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from teamlead.evidence.proofs.variants import entries
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

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
_MOST = 30
"""Modules of a project that one of them may need."""


def is_pure(git: Git, commit: str, path: str, text: str) -> bool:
    """So are the modules of its own project that it imports."""
    asked, known = [(path, text)], {path}
    while asked:
        path, text = asked.pop()
        tree = parsed(text)
        if tree is None:
            return False
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if names & _REACHES_OUT:
            return False
        own = [each for each in _imported(tree, path) if each.partition(".")[0] not in _PURE]
        places = [place for each in own for place in _places(each, path)]
        there = [place for place, entry in entries(git, commit, places).items() if entry is not None]
        if len({_stem(place) for place in there} & {_stem(place) for place in places}) < len(set(own)):
            return False
        new = [place for place in there if place not in known]
        known.update(new)
        if len(known) > _MOST:
            return False
        asked += [(each.path, each.after or "") for each in read_texts(git, commit, commit, new)]
    return True


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


def _stem(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__")


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
