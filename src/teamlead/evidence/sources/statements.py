"""The statements of a source text, in a form in which the same are equal.

Of Python they are those of its parser, without docstrings. Of other languages they are lines of words,
without comments; of all other text, lines without their white space.
"""

import ast
import re
import threading
import warnings
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.tokens import Token, tokens

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_ENDED = frozenset({"return", "throw", "break", "continue", "yield"})
_IDLE = ("Pass(", "Expr(value=Constant(")
"""Statements that do nothing."""
_WORD = re.compile(r"\w+")
_PARSER = threading.Lock()
"""Up to Python 3.12 all threads share the depth that its parser counts, and each of them the filters of
warnings: it fails where two of them parse at the same time."""
Defining = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Statement(NamedTuple):
    form: str
    """Equal where the statement is the same."""
    line: int
    text: str
    """As it stands there, its first line."""
    place: str = ""
    """How deep it stands, and in which block of the statement around it."""

    @property
    def telling(self) -> bool:
        """Whether it is enough to tell it from others: a bracket, or a lone `return`, is not."""
        return len(_WORD.findall(self.text)) > 1


def parsed(text: str) -> ast.Module | None:
    """None: nobody can read it as Python. Nothing else in the process of the leader calls the parser."""
    try:
        with _PARSER, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None


def statements(path: str, text: str) -> list[Statement]:
    spoken = language(path)
    tree = parsed(text) if spoken == "python" else None
    lines = text.split("\n")
    if tree:
        return list(_of_python(tree, lines, 0))
    if spoken and spoken != "python":
        found = groupby(tokens(text, spoken), lambda token: token.line)
        return [
            Statement(" ".join(token.text for token in line), number, lines[number - 1].strip())
            for number, line in found
        ]
    return [
        Statement("".join(line.split()), number, line.strip())
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]


def essence(path: str, text: str) -> tuple[str, ...]:
    """What two texts share that say the same to their compiler, whatever they say to people."""
    spoken = language(path)
    if spoken and spoken != "python":
        return tuple(_with_ends(tokens(text, spoken)))
    if not spoken or not parsed(text):
        # Where a line begins may say to what it belongs.
        return tuple(line.rstrip() for line in text.split("\n") if line.strip())
    return tuple(
        f"{each.place} {each.form}" for each in statements(path, text) if not each.form.startswith(_IDLE)
    )


def _with_ends(found: Sequence[Token]) -> Iterator[str]:
    """Where a line ends means something behind these words."""
    for token, after in zip_longest(found, found[1:]):
        yield token.text
        if after and token.text in _ENDED and after.line > token.line:
            yield "\n"


def _of_python(node: ast.AST, lines: list[str], depth: int) -> Iterator[Statement]:
    for block in _BLOCKS:
        inner = getattr(node, block, None)
        if not isinstance(inner, list):
            continue
        for place, each in enumerate(inner):
            if block == "body" and place == 0 and is_docstring(node, each):
                continue
            yield _statement(each, block, lines, depth)
            yield from _of_python(each, lines, depth + 1)


def is_docstring(parent: ast.AST, node: ast.AST) -> bool:
    return (
        isinstance(parent, Defining | ast.Module)
        and isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _statement(node: ast.AST, block: str, lines: list[str], depth: int) -> Statement:
    """Its own words only: what stands in its blocks are statements of their own."""
    fields = [f"{name}={_dump(value)}" for name, value in ast.iter_fields(node) if name not in _BLOCKS]
    # What follows `case` has a place of its own only by its pattern.
    line: int = getattr(getattr(node, "pattern", node), "lineno", 1)
    form = f"{type(node).__name__}({', '.join(fields)})"
    return Statement(form, line, lines[line - 1].strip() if line <= len(lines) else "", f"{depth} {block}")


def _dump(value: object) -> str:
    if isinstance(value, ast.AST):
        return ast.dump(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_dump, value))}]"
    return repr(value)
