"""Constants of Python source, and what stands in its tables, made wrong: also what no function has in it."""

import ast
import re
from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple, TypeAlias

from teamlead.evidence.proofs.constants import (
    FEW,
    IS_PROSE,
    NO_BEHAVIOUR,
    Place,
    alike,
    another,
    replaced,
    shown,
    times,
    without_last_choice,
)
from teamlead.evidence.proofs.faults import TELLS_ONLY, Fault, in_turns
from teamlead.evidence.proofs.python_statements import parsed

_COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
_Scope: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_NAMES_ALONE = re.compile(r"__(?:all|slots|version|author|name)__")


class _Change(NamedTuple):
    """What stands between two places of the text, and another."""

    first: int
    last: int
    instead: str
    sentence: str
    line: int
    also: tuple[Place, ...] = ()
    """Other places where it does."""


def constants(
    text: str, ran: Collection[int], added: Collection[int], kept: Collection[str] = ()
) -> list[Fault]:
    """Of the statements that ran, in lines that were added: one of each function or statement, then more.

    `kept`: what stood in the lines in whose place they are.
    """
    tree = parsed(text)
    if tree is None:
        return []
    read = _Reader(text, frozenset(ran), frozenset(added), frozenset(kept))
    changes = in_turns(read.scope(group) for group in _groups(tree.body))
    faults = (Fault(each.line, each.sentence, read.changed(each)) for each in islice(changes, FEW * FEW))
    return [fault for fault in faults if parsed(fault.text)]


def _groups(block: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Functions, and by themselves the statements that stand in none."""
    for node in block:
        if isinstance(node, _Scope):
            inside = list(_groups(node.body)) if isinstance(node, ast.ClassDef) else [list(_all(node.body))]
            yield from inside
        else:
            yield list(_all([node]))


def _all(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in block:
        yield node
        for field in ("body", "orelse", "finalbody"):
            yield from _all(getattr(node, field, []))
        for field in ("handlers", "cases"):
            for inner in getattr(node, field, []):
                yield from _all(inner.body)


class _Reader:
    def __init__(self, text: str, ran: frozenset[int], added: frozenset[int], kept: frozenset[str]) -> None:
        self._bytes = text.encode()
        self._ran, self._added, self._kept = ran, added, kept
        self._text = self._bytes.decode("latin-1")
        """A character for each byte, as Python counts columns."""
        self._starts = [0]
        for line in self._bytes.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def changed(self, change: _Change) -> str:
        places = sorted({(change.first, change.last), *change.also})
        instead = change.instead.encode().decode("latin-1")
        return replaced(self._text, places, instead).encode("latin-1").decode()

    def scope(self, statements: list[ast.stmt]) -> Iterator[_Change]:
        nodes = [node for statement in reversed(statements) for node in self._of_statement(statement)]
        ways = (self._left_out, self._exchanged, self._other_number, self._other_text)
        yield from in_turns(islice(filter(None, map(way, nodes)), FEW) for way in ways)

    def _of_statement(self, node: ast.stmt) -> list[ast.expr]:
        """Its own expressions: of those in it, statements of their own tell."""
        if isinstance(node, (*_COMPOUND, ast.ExceptHandler)):
            inner = {each.lineno for each in _all([node]) if each is not node}
            did_run = not inner.isdisjoint(self._ran)
        else:
            did_run = node.lineno in self._ran
        if not did_run or isinstance(node, (ast.Raise, ast.Assert, *_Scope.__args__)):
            return []
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _NAMES_ALONE.match(ast.unparse(node)):
            return []
        heads = [each for each in ast.iter_child_nodes(node) if isinstance(each, (ast.expr, ast.withitem))]
        heads = [each for each in heads if each is not getattr(node, "annotation", None)]
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        return [] if is_text else [found for head in heads for found in _values(head)]

    def _span(self, first: ast.AST, last: ast.AST | None = None) -> tuple[int, int]:
        last = last or first
        start = self._starts[first.lineno - 1] + first.col_offset  # type: ignore[attr-defined]
        return start, self._starts[last.end_lineno - 1] + last.end_col_offset  # type: ignore[attr-defined]

    def _source(self, first: ast.AST, last: ast.AST | None = None) -> str:
        start, end = self._span(first, last)
        return self._bytes[start:end].decode()

    def _is_new(self, node: ast.AST) -> bool:
        return node.lineno in self._added  # type: ignore[attr-defined]

    def _left_out(self, node: ast.expr) -> _Change | None:
        entries = _entries(node)
        if len(entries) < (3 if isinstance(node, ast.Tuple) else 2):
            return None
        number = next((at for at in reversed(range(len(entries))) if self._is_new(entries[at][0])), None)
        if number is None:
            return None
        (first, last), behind = entries[number], entries[number + 1 : number + 2]
        start, end = self._span(first, last)
        if behind:
            end = self._span(behind[0][0])[0]
        else:
            start = self._span(entries[number - 1][1])[1]
        said = shown(self._source(first, last))
        return _Change(start, end, "", f"`{said}` is left out", first.lineno)

    def _exchanged(self, node: ast.expr) -> _Change | None:
        """Two that stand in a pair, of one kind. Elsewhere their order may mean nothing."""
        if not isinstance(node, ast.List | ast.Tuple | ast.Set) or not node.elts:
            return None
        for pair in reversed(node.elts):
            if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 and self._is_new(pair):
                one, two = pair.elts
                if _kind(one) and _kind(one) == _kind(two) and ast.dump(one) != ast.dump(two):
                    (start, _), (_, end) = self._span(one), self._span(two)
                    said = f"{self._source(two)}, {self._source(one)}"
                    return _Change(
                        start,
                        end,
                        said,
                        f"`{shown(self._source(one, two))}` is the other way round",
                        pair.lineno,
                    )
        return None

    def _other_number(self, node: ast.expr) -> _Change | None:
        is_number = isinstance(node, ast.Constant) and type(node.value) in {int, float}
        if not is_number or not self._is_new(node):
            return None
        more, said = repr(node.value + 1), self._source(node)  # type: ignore[attr-defined]
        if said in self._kept:
            return None
        place = self._span(node)
        also = alike(self._text, place, self._added)
        told = f"`{said}` is {more}{times(also)}"
        # The last of them tells of all.
        if more == said or also[-1] != place:
            return None
        return _Change(*place, more, told, node.lineno, tuple(also))

    def _other_text(self, node: ast.expr) -> _Change | None:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or not self._is_new(node):
            return None
        if IS_PROSE.search(node.value) or node.value in self._kept:
            return None
        fewer = without_last_choice(node.value)
        other = repr(fewer if fewer is not None else another(node.value))
        said = f"`{shown(self._source(node))}` is {shown(other)}"
        return _Change(*self._span(node), other, said, node.lineno)


def _values(node: ast.AST) -> Iterator[ast.expr]:
    """Without what is only told, and what says how fast something is."""
    if isinstance(node, (ast.JoinedStr, ast.Lambda)):
        return
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in TELLS_ONLY:
        return
    if isinstance(node, ast.keyword) and NO_BEHAVIOUR.search(node.arg or ""):
        return
    if isinstance(node, ast.expr):
        yield node
    for inner in ast.iter_child_nodes(node):
        yield from _values(inner)


def _entries(node: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """The first and the last of what each is made of."""
    if isinstance(node, ast.Dict):
        return [(key, value) for key, value in zip(node.keys, node.values, strict=True) if key is not None]
    if isinstance(node, ast.List | ast.Set | ast.Tuple) and not isinstance(
        getattr(node, "ctx", None), ast.Store
    ):
        return [(each, each) for each in node.elts]
    return []


def _kind(node: ast.expr) -> str:
    return type(node.value).__name__ if isinstance(node, ast.Constant) else ""
