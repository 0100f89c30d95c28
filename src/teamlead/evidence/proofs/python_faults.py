"""Python source that is wrong in one place: in what way tests would have to notice."""

import ast
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from teamlead.evidence.proofs.faults import ANSWERS, TELLS_ONLY, Fault, in_turns
from teamlead.evidence.proofs.python_statements import parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef
_SHOWN_ONLY = frozenset({"__repr__", "__str__", "main"})


class _Change(NamedTuple):
    """The text of a node, and another."""

    node: ast.stmt | ast.expr
    instead: str
    sentence: str


def faults(text: str, ran: Collection[int]) -> list[Fault]:
    """Of the lines that ran, those that tell most first: one of each function, then a second one."""
    tree = parsed(text)
    functions = _functions(tree, frozenset(ran)) if tree else ()
    changes = in_turns(_of_function(function, frozenset(ran)) for function in functions)
    return [Fault(change.node.lineno, change.sentence, _replaced(text, change)) for change in changes]


def _functions(tree: ast.Module, ran: frozenset[int]) -> list[Function]:
    found = [node for node in ast.walk(tree) if isinstance(node, Function)]
    return [
        function
        for function in sorted(found, key=lambda function: function.lineno)
        if function.name not in _SHOWN_ONLY and any(node.lineno in ran for node in _own(function))
    ]


def _own(function: Function) -> Iterator[ast.stmt]:
    """The statements of a function, without those of functions in it."""
    left = list(function.body)
    while left:
        node = left.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            blocks = [getattr(node, field, []) for field in ("body", "orelse", "finalbody")]
            blocks += [inner.body for field in ("handlers", "cases") for inner in getattr(node, field, [])]
            left[:0] = [inner for block in blocks for inner in block]


def _of_function(function: Function, ran: frozenset[int]) -> list[_Change]:
    """At most one of each kind."""
    ways: list[Callable[[ast.stmt, Function, frozenset[int]], _Change | None]]
    ways = [_returns_nothing, _negated, _dropped, _returns_argument]
    nodes = list(_own(function))
    found = ((way(node, function, ran) for node in reversed(nodes)) for way in ways)
    firsts = [next((change for change in changes if change), None) for changes in found]
    return [change for change in firsts if change]


def _returns_nothing(node: ast.stmt, function: Function, ran: frozenset[int]) -> _Change | None:
    value = _returned(node, ran)
    return _Change(value, "None", f"{function.name} returns nothing") if value else None


def _returns_argument(node: ast.stmt, function: Function, ran: frozenset[int]) -> _Change | None:
    value = _returned(node, ran)
    names = [each.arg for each in function.args.args if each.arg not in {"self", "cls"}]
    if value is None or not names or ast.unparse(value) == names[0] or _answers(value, function.name):
        return None
    return _Change(value, names[0], f"{function.name} returns {names[0]} as it is")


def _answers(value: ast.expr, name: str) -> bool:
    """Whether it says yes or no: what it is asked about may count as the same."""
    if isinstance(value, ast.BoolOp):
        return any(_answers(each, name) for each in value.values)
    is_not = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
    said = value.func if isinstance(value, ast.Call) else None
    called = ast.unparse(said).rpartition(".")[2] if said else ""
    return isinstance(value, ast.Compare) or is_not or any(map(ANSWERS.match, (name, called)))


def _returned(node: ast.stmt, ran: frozenset[int]) -> ast.expr | None:
    if not isinstance(node, ast.Return) or node.lineno not in ran:
        return None
    is_nothing = isinstance(node.value, ast.Constant) and node.value.value is None
    return None if is_nothing else node.value


def _negated(node: ast.stmt, _: Function, ran: frozenset[int]) -> _Change | None:
    """Not that of a loop, which might never end."""
    if isinstance(node, ast.If):
        asked = node.test if any(inner.lineno in ran for inner in node.body + node.orelse) else None
    elif node.lineno in ran and isinstance(node, (ast.Return, ast.Assign, ast.AugAssign, ast.Expr)):
        asked = next((inner.test for inner in ast.walk(node) if isinstance(inner, ast.IfExp)), None)
    else:
        asked = None
    test = ast.unparse(asked) if asked else ""
    return _Change(asked, f"(not ({test}))", f"`if {test}` is the other way round") if asked else None


def _dropped(node: ast.stmt, _: Function, ran: frozenset[int]) -> _Change | None:
    if node.lineno not in ran or not _does_something(node):
        return None
    return _Change(node, "pass", f"`{ast.unparse(node).partition(chr(10))[0]}` is left out")


def _does_something(node: ast.stmt) -> bool:
    """Without it, a name is still there that others read."""
    if isinstance(node, ast.Expr):
        called = node.value.value if isinstance(node.value, ast.Await) else node.value
        if not isinstance(called, ast.Call):
            return False
        return ast.unparse(called.func).rpartition(".")[2] not in TELLS_ONLY
    if isinstance(node, ast.Assign):
        return not any(
            isinstance(name, ast.Name)
            for target in node.targets
            for name in ast.walk(target)
            if isinstance(getattr(name, "ctx", None), ast.Store)
        )
    return isinstance(node, (ast.AugAssign, ast.Delete))


def _replaced(text: str, change: _Change) -> str:
    lines = text.encode().split(b"\n")
    node = change.node
    last, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    head, tail = lines[node.lineno - 1][: node.col_offset], lines[last - 1][end:]
    lines[node.lineno - 1 : last] = [head + change.instead.encode() + tail]
    return b"\n".join(lines).decode()
