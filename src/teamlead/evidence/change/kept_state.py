"""Functions that do something else from some call on: what they count is kept from one call to the next."""

import ast
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from teamlead.evidence.change.python_reads import Read
from teamlead.evidence.sources.tokens import Token

KIND = "number of calls"
_DECLARE = frozenset({"var", "let", "const", "function", "class", "static", "mut"})
_COUNT = frozenset({"++", "--", "+=", "-="})
_COMPARE = frozenset({"<", ">", "<=", ">=", "==", "===", "!=", "!==", "%"})
_GROW = frozenset({"append", "add", "push", "extend", "insert"})


def counts_in_python(tree: ast.Module) -> Iterator[Read]:
    shared = {
        target.id
        for each in tree.body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
        if isinstance(target, ast.Name)
    }
    shared |= {each.name for each in tree.body if isinstance(each, ast.ClassDef)}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        kept = {name for each in ast.walk(function) if isinstance(each, ast.Global) for name in each.names}
        defaults = [*function.args.defaults, *function.args.kw_defaults]
        if any(isinstance(each, ast.List | ast.Dict | ast.Set) for each in defaults):
            kept |= {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
        kept |= shared | {function.name}
        changed = {_root(node) for each in ast.walk(function) for node in _changed(each)} & kept
        grown = {_root(node) for each in ast.walk(function) for node in _grown(each)} & kept
        tests = [each.test for each in ast.walk(function) if isinstance(each, ast.If | ast.IfExp | ast.While)]
        parts = [part for test in tests for part in ast.walk(test)]
        asked_for = {part.id for part in parts if isinstance(part, ast.Name)}
        measured = {_root(part.args[0]) for part in parts if _is_length(part)}
        for name in sorted((changed & asked_for) | (grown & measured)):
            yield KIND, f"{function.name} counts in {name}", function.lineno


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.AugAssign):
        yield node.target


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _grown(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _GROW:
        yield node.func.value


def _is_length(node: ast.AST) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call) or not node.args:
        return False
    return isinstance(node.func, ast.Name) and node.func.id == "len"


def counts_in_words(found: Sequence[Token]) -> Iterator[Read]:
    """In languages that we have no parser for: by words in a row."""
    depth, shared, counted = 0, set[str](), dict[str, int]()
    compared = set[str]()
    for index, token in enumerate(found):
        depth += 0 if token.string else (token.text in {"{", "("}) - (token.text in {"}", ")"})
        before = found[index - 1].text if index else ""
        if depth == 0 and before in _DECLARE:
            shared.add(token.text)
        elif depth and token.text in _COUNT:
            for name in (_word_before(found, index), _word(found, index + 1)):
                counted.setdefault(name, token.line)
        elif depth and token.text in _COMPARE:
            compared |= {_word_before(found, index), _word(found, index + 1)}
    for name in sorted(shared & counted.keys() & compared):
        yield KIND, f"counts in {name}", counted[name]


def _word_before(found: Sequence[Token], index: int) -> str:
    """The first name of what stands there: `calls` of `calls.made`."""
    index -= 1
    while index >= 2 and found[index - 1].text == ".":
        index -= 2
    return _word(found, index)


def _word(found: Sequence[Token], index: int) -> str:
    return found[index].text if 0 <= index < len(found) else ""
