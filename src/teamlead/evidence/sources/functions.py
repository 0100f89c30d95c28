"""The functions of a source text: what each is given, what it reads of that, and whether it does anything."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.evidence.sources.languages import Language
from teamlead.evidence.sources.statements import is_docstring, parsed
from teamlead.evidence.sources.tokens import Token, tokens

_WORD = re.compile(r"[^\W\d]\w*")
_STARTS: dict[Language, frozenset[str]] = {
    "javascript": frozenset({"function"}),
    "go": frozenset({"func"}),
    "rust": frozenset({"fn"}),
}
_BLOCKS = frozenset({"if", "for", "while", "switch", "catch", "with", "function"})
_OPEN, _CLOSED = frozenset("([{"), frozenset(")]}")
EMPTY = "an empty body"
_UNDONE = re.compile(
    r"not.?(?:yet.?)?implemented|unimplemented|^\W?(?:todo|fixme|stub)(?:\W?$|\W*:)", re.IGNORECASE
)
"""What a text says that is raised in the place of a result."""


class Function(NamedTuple):
    name: str
    """With those of the classes and functions around it, divided by dots."""
    line: int
    parameters: tuple[str, ...]
    """That it may be expected to read: those whose name does not say otherwise."""
    read: frozenset[str]
    """All names in its body."""
    bound: bool
    """Somebody else says what it is given: a base class, a decorator."""
    stub: str = ""
    """How it says that it does nothing yet; empty for one that does something."""

    @property
    def own_name(self) -> str:
        return self.name.rpartition(".")[2]


def functions(text: str, spoken: Language) -> list[Function]:
    if spoken == "python":
        tree = parsed(text)
        return list(_of_python(tree, "", bound=False)) if tree else []
    return list(_of_tokens(tokens(text, spoken), spoken)) if spoken in _STARTS else []


def _of_python(node: ast.AST, outer: str, *, bound: bool) -> Iterator[Function]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.ClassDef):
            named = f"{outer}{each.name}."
            yield from _of_python(each, named, bound=bool(each.bases or each.decorator_list))
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            yield _function(each, outer, method=isinstance(node, ast.ClassDef), bound=bound)
            yield from _of_python(each, f"{outer}{each.name}.", bound=False)
        elif not isinstance(each, ast.expr):
            yield from _of_python(each, outer, bound=bound)


def _function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, outer: str, *, method: bool, bound: bool
) -> Function:
    arguments = node.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    names = [each.arg for each in given if not each.arg.startswith("_")]
    decorated = [_last(each) for each in node.decorator_list]
    if method and "staticmethod" not in decorated and given:
        names = [name for name in names if name != given[0].arg]
    body = [each for each in node.body if not is_docstring(node, each)]
    read = {name for part in body for name in _read_in(part)}
    # These read whatever there is.
    wide = bool(read & {"locals", "vars", "eval", "exec"})
    special = node.name.startswith("__") and node.name.endswith("__")
    free = set(decorated) <= {"staticmethod", "classmethod"}
    return Function(
        name=f"{outer}{node.name}",
        line=node.lineno,
        parameters=() if wide else tuple(names),
        read=frozenset(read - _overwritten(body)),
        bound=bound or special or not free,
        stub=_python_stub(body),
    )


def _read_in(part: ast.stmt) -> Iterator[str]:
    """Names of which something is made: not those that are only mentioned, or thrown away."""
    idle = {
        id(each.value)
        for each in ast.walk(part)
        if isinstance(each, ast.Expr)
        or (
            isinstance(each, ast.Assign)
            and all(isinstance(one, ast.Name) and one.id == "_" for one in each.targets)
        )
    }
    for each in ast.walk(part):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and id(each) not in idle:
            yield each.id


def _overwritten(body: Sequence[ast.stmt]) -> set[str]:
    """Names that get another value before anything is read of them."""
    found: set[str] = set()
    seen: set[str] = set()
    for each in body:
        read = {
            one.id for one in ast.walk(each) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
        }
        seen |= read
        if isinstance(each, ast.Assign):
            found |= {one.id for one in each.targets if isinstance(one, ast.Name)} - seen
        elif not isinstance(each, ast.Expr):
            # What is done under a condition, or for each, is beyond this.
            break
    return found


def _last(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _python_stub(body: Sequence[ast.stmt]) -> str:
    for each in body:
        for node in ast.walk(each):
            if isinstance(node, ast.Raise) and node.exc and _last(node.exc) == "NotImplementedError":
                return "raise NotImplementedError"
            if isinstance(node, ast.Raise | ast.Assert) and _says_undone(node):
                return ast.unparse(node)
    if all(isinstance(each, ast.Pass) or _is_dots(each) for each in body):
        return ast.unparse(body[0]) if body else "nothing but a docstring"
    return ""


def _says_undone(node: ast.stmt) -> bool:
    texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return any(isinstance(text, str) and _UNDONE.search(text) for text in texts)


def _is_dots(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _of_tokens(found: Sequence[Token], spoken: Language) -> Iterator[Function]:
    for index, token in enumerate(found):
        if token.text in _STARTS[spoken] and not token.string:
            function = _read(found, index, spoken)
            if function:
                yield function
        elif token.text == "=>" and spoken == "javascript":
            function = _arrow(found, index)
            if function:
                yield function
        elif token.text == "throw" and spoken == "javascript":
            function = _method_to_come(found, index)
            if function:
                yield function


def _read(found: Sequence[Token], index: int, spoken: Language) -> Function | None:
    at = index + 1
    method = spoken == "go" and _text(found, at) == "("
    if method and index and found[index - 1].line == found[index].line:
        # The type of a function.
        return None
    if method:
        at = _closed(found, at) + 1
    if not _WORD.fullmatch(_text(found, at)):
        return None
    name = found[at]
    while at < len(found) and _text(found, at) != "(":
        if _text(found, at) in "{;":
            return None
        at += 1
    end = _closed(found, at)
    given = list(_parameters(found[at + 1 : end]))
    start = _body(found, end + 1)
    if not start:
        return None
    body = found[start + 1 : _closed(found, start)]
    return Function(
        name=name.text,
        line=name.line,
        parameters=tuple(given),
        read=frozenset(word for each in body for word in _WORD.findall(each.text)),
        # Whoever calls a method by its interface says what it is given.
        bound=method or any(each.text == "self" for each in found[at + 1 : end]),
        stub=_stub(body, spoken) or (_panic(body, given) if spoken == "go" else ""),
    )


def _panic(body: Sequence[Token], given: Sequence[str]) -> str:
    """A body that only gives up, whatever it is given; one that hands on what it is given helps others."""
    if [each.text for each in body[:2]] != ["panic", "("] or _closed(body, 1) != len(body) - 1:
        return ""
    words = {word for each in body[2:-1] for word in _WORD.findall(each.text)}
    undone = any(_UNDONE.search(word) for word in words)
    says = " ".join(each.text for each in body[2:-1])
    return f"panic({says})" if undone or (given and not words & {*given}) else ""


def _method_to_come(found: Sequence[Token], index: int) -> Function | None:
    """`name(one) { throw new Error('not implemented') }`, and `name = function () { ... }`."""
    if [each.text for each in found[index - 2 : index]] != [")", "{"]:
        return None
    at, depth = index - 2, 0
    while at > 0:
        depth += (found[at].text in _CLOSED) - (found[at].text in _OPEN)
        if depth == 0:
            break
        at -= 1
    name = at - 1
    if found[name].text == "function" and _text(found, name - 1) in {"=", ":"}:
        name -= 2
    # With a name of its own, it was read as a function.
    elif _text(found, name - 1) in {"function", "*"}:
        return None
    if found[name].text in _BLOCKS or not _WORD.fullmatch(found[name].text):
        return None
    body = found[index : _closed(found, index - 1)]
    stub = _stub(body, "javascript")
    if not stub:
        return None
    return Function(found[name].text, found[name].line, (), frozenset(), bound=False, stub=stub)


def _arrow(found: Sequence[Token], index: int) -> Function | None:
    """`const name = (one, other) => ...`: others are handed on where they stand."""
    at = index - 1
    depth = 0
    # What is given without brackets is all that it is given: those further up belong to others.
    bare = _text(found, at - 1) in {"=", "async"}
    while at > 0 and not bare:
        depth += (found[at].text in _CLOSED) - (found[at].text in _OPEN)
        if depth < 0 or (depth == 0 and found[at].text in {"=", ";", "=>"}):
            return None
        if depth == 0 and found[at].text == "(":
            break
        at -= 1
    start = at - 2 if _text(found, at - 1) == "async" else at - 1
    if start < 1 or found[start].text != "=" or not _WORD.fullmatch(found[start - 1].text):
        return None
    end = _closed(found, index + 1) if _text(found, index + 1) == "{" else _ended(found, index + 1)
    body = found[index + 2 : end] if _text(found, index + 1) == "{" else found[index + 1 : end]
    return Function(
        name=found[start - 1].text,
        line=found[start - 1].line,
        parameters=tuple(_parameters(found[at:index] if bare else found[at + 1 : index - 1])),
        read=frozenset(word for each in body for word in _WORD.findall(each.text)),
        bound=False,
        stub=_stub(body, "javascript"),
    )


def _ended(found: Sequence[Token], at: int) -> int:
    """Finds where an expression ends: at a semicolon, or where what is around it is closed."""
    while at < len(found) and found[at].text not in _CLOSED | {";", ","}:
        at = _closed(found, at) + 1 if found[at].text in _OPEN and not found[at].string else at + 1
    return at


def _text(found: Sequence[Token], at: int) -> str:
    return found[at].text if at < len(found) else ";"


def _closed(found: Sequence[Token], at: int) -> int:
    """Finds where the bracket that opens here is closed."""
    depth = 0
    for index in range(at, len(found)):
        if not found[index].string:
            depth += (found[index].text in _OPEN) - (found[index].text in _CLOSED)
        if depth == 0:
            return index
    return len(found)


def _body(found: Sequence[Token], at: int) -> int:
    """Finds where it opens, behind the type of what is returned; 0 where it has none."""
    while at < len(found) and found[at].text != ";":
        if found[at].text == "{":
            return at
        at = _closed(found, at) + 1 if found[at].text in _OPEN else at + 1
    return 0


def _parameters(found: Sequence[Token]) -> Iterator[str]:
    depth, first = 0, True
    for token in found:
        if depth == 0 and first and token.text not in {"mut", "&", "..."}:
            first = False
            if _WORD.fullmatch(token.text) and not token.text.startswith("_") and token.text != "self":
                yield token.text
        depth += (token.text in _OPEN | {"<"}) - (token.text in _CLOSED | {">"})
        first = first or (depth == 0 and token.text == ",")


def _stub(body: Sequence[Token], spoken: Language) -> str:
    """How it says that it does nothing yet."""
    for token, after, value in zip(body, body[1:], body[2:], strict=False):
        if spoken == "rust" and token.text in {"unimplemented", "todo"} and after.text == "!":
            return f"{token.text}!()"
        if spoken == "go" and after.text == "(" and value.string and _UNDONE.search(value.text):
            return f"{token.text}({value.text})"
    if spoken == "javascript":
        for index, token in enumerate(body):
            said = [each for each in body[index : index + 5] if each.string and _UNDONE.search(each.text)]
            if token.text == "throw" and said:
                return f"throw {said[0].text}"
    return "" if body else EMPTY
