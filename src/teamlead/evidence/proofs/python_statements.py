"""The statements of Python source that a change adds, and that somebody would miss if they never ran."""

import ast
from collections.abc import Collection, Iterator
from typing import NamedTuple

from teamlead.evidence.sources import statements

Block = list[ast.stmt]
_NO_CODE = (ast.Pass, ast.Global, ast.Nonlocal)


class Statement(NamedTuple):
    """A simple one: of a compound statement, those in it tell."""

    line: int
    column: int
    """In bytes."""
    last: int
    """Its last line."""
    asserts: bool
    function: str
    """Around it, with its class; empty: none."""
    function_is_new: bool


class _Scope(NamedTuple):
    function: str = ""
    is_new: bool = False


def parsed(text: str) -> ast.Module | None:
    """None: it is no Python that we can read, and change by lines and columns."""
    if "\r" in text or "\f" in text or "\ufffd" in text or text.startswith("\ufeff"):
        return None
    return statements.parsed(text)


def added_statements(tree: ast.Module, added: Collection[int]) -> list[Statement]:
    return list(_statements(tree.body, frozenset(added), _Scope()))


def _statements(block: Block, added: frozenset[int], scope: _Scope) -> Iterator[Statement]:
    for node in block:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if not _is_outline(node):
                is_new = node.lineno in added and not isinstance(node, ast.ClassDef)
                inner = _Scope(f"{scope.function}.{node.name}".removeprefix("."), is_new)
                yield from _statements(node.body, added, inner)
        elif blocks := _blocks(node):
            if not _is_for_others(node):
                for inner_block in blocks:
                    yield from _statements(inner_block, added, scope)
        elif not _is_void(node) and not added.isdisjoint(range(node.lineno, _last(node) + 1)):
            yield Statement(node.lineno, node.col_offset, _last(node), _asserts(node), *scope)


def _last(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _blocks(node: ast.stmt) -> list[Block]:
    """Of a compound statement, without those in which something is only given up, or said to be wrong."""
    found: list[Block] = [getattr(node, field, []) for field in ("body", "orelse", "finalbody")]
    found += [case.body for case in getattr(node, "cases", [])]
    blocks = [block for block in found if block and not _gives_up(block)]
    return (
        blocks
        + [
            handler.body
            for handler in getattr(node, "handlers", [])
            if len(handler.body) > 1 and not _gives_up(handler.body)
        ]
        + [[]] * any(found)
    )


def _gives_up(block: Block) -> bool:
    return len(block) <= 2 and isinstance(block[-1], ast.Raise)


def _is_void(node: ast.stmt) -> bool:
    """It does nothing, or is there to be never come to."""
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__"
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or _called(node).rpartition(".")[2] == "fail"
    return isinstance(node, _NO_CODE) or (
        isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant)
    )


def _asserts(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assert) or _called(node).rpartition(".")[2].startswith("assert")


def _called(node: ast.stmt) -> str:
    found = node.value if isinstance(node, ast.Expr) else None
    return ast.unparse(found.func) if isinstance(found, ast.Call) else ""


def _is_outline(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """It says what others are to fill in, or what runs under a condition only."""
    if isinstance(node, ast.ClassDef):
        return any("Protocol" in ast.unparse(base) for base in node.bases)
    marks = [ast.unparse(decorator) for decorator in node.decorator_list]
    if any(word in mark for mark in marks for word in ("abstract", "overload", "skip", "xfail")):
        return True
    code = [inner for inner in node.body if not _is_void(inner)]
    return len(code) == 1 and isinstance(code[0], ast.Raise)


def _is_for_others(node: ast.stmt) -> bool:
    """For type checkers, or for who calls the file by its name."""
    if not isinstance(node, ast.If):
        return False
    test = ast.unparse(node.test)
    return test.endswith("TYPE_CHECKING") or "__name__" in test
