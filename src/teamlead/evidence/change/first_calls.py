"""Functions of which only the first call counts: what it was given is kept, and what others give is not."""

import ast
from collections.abc import Iterator, Sequence

from teamlead.evidence.change.python_reads import Read
from teamlead.evidence.sources.brackets import Code, Span, code
from teamlead.evidence.sources.languages import Language

KIND = "first call"
_DECLARE = frozenset({"var", "let", "const", "static"})
_NOTHING = frozenset({"nil", "null", "undefined", "0", '""', "false"})


def first_calls_in_python(tree: ast.Module) -> Iterator[Read]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _of_function(node, tree)


def _of_function(node: ast.FunctionDef | ast.AsyncFunctionDef, tree: ast.Module) -> Iterator[Read]:
    given = {each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)} - {
        "self",
        "cls",
    }
    shared = {
        name for each in ast.walk(node) if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names
    }
    for stated in tree.body:
        targets = (
            stated.targets
            if isinstance(stated, ast.Assign)
            else [stated.target]
            if isinstance(stated, ast.AnnAssign)
            else []
        )
        shared |= {target.id for target in targets if isinstance(target, ast.Name)}
    shared |= {node.name}
    derived = _derived(node, given) - shared
    for each in ast.walk(node):
        if not isinstance(each, ast.If) or not given:
            continue
        asked = {*_names(each.test)}
        kept = asked & shared
        if not kept or asked & derived:
            continue
        for inner in each.body:
            targets = inner.targets if isinstance(inner, ast.Assign) else []
            if isinstance(inner, ast.Assign) and any(_root(target) in kept for target in targets):
                read = sorted({*_names(inner.value)} & derived)
                keyed = any({*_names(target)} & derived for target in targets)
                if read and not keyed and _is_unset(each.test):
                    yield KIND, f"{node.name} keeps {read[0]} of its first call", inner.lineno


def _is_unset(test: ast.expr) -> bool:
    """It asks whether something is not there yet."""
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not)
    if isinstance(test, ast.Compare):
        return isinstance(test.ops[0], ast.Is | ast.Eq | ast.NotIn)
    return False


def _derived(node: ast.AST, given: set[str]) -> set[str]:
    """What is made of what it is given."""
    found = {*given}
    for each in ast.walk(node):
        if isinstance(each, ast.Assign) and {*_names(each.value)} & found:
            found |= {target.id for target in each.targets if isinstance(target, ast.Name)}
    return found


def _names(node: ast.AST) -> Iterator[str]:
    return (each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def first_calls_in_words(text: str, spoken: Language) -> Iterator[Read]:
    read = code(text, spoken)
    if read is None:
        return
    shared = {*_shared(read)}
    for at in range(len(read.words)):
        if read.word(at) != "{" or not (head := _head(read, at)):
            continue
        given = {*_given(read, head)}
        body = Span(at + 1, read.closed[at] - 1)
        for name, line in _kept(read, body, given, shared) if given else ():
            yield KIND, f"{name} of the first call is kept", line


def _shared(read: Code) -> Iterator[str]:
    depth = 0
    for at, word in enumerate(read.words):
        if word.string:
            continue
        depth += (word.text == "{") - (word.text == "}")
        if depth == 0 and word.text in _DECLARE and read.word(at + 1) == "(":
            inside = range(at + 2, read.closed[at + 1])
            yield from (read.word(each) for each in inside if each == at + 2 or read.next_line(each - 1))
        elif depth == 0 and word.text in _DECLARE:
            yield read.word(at + 1)


def _head(read: Code, at: int) -> Span | None:
    """What a function with this body is given."""
    for end in range(at - 1, max(at - 8, 0), -1):
        if read.word(end) == ")" and not read.words[end].string:
            start = read.opened[end]
            before = read.word(start - 1)
            if before in {"if", "for", "while", "switch", "catch", "func"} and read.word(start - 2) != "=":
                return None
            # In Go, the type of what is returned may stand in brackets behind.
            first = read.opened.get(start - 1, start) if before == ")" else start
            return Span(first + 1, read.closed[first] - 1) if read.closed[first] > first + 1 else None
    return None


def _given(read: Code, head: Span) -> Iterator[str]:
    for part in read.parts(head):
        first = read.word(part.first)
        if first.isidentifier():
            yield first


def _kept(read: Code, body: Span, given: set[str], shared: set[str]) -> Iterator[tuple[str, int]]:
    at = body.first
    while at <= body.last:
        word, line = read.word(at), read.words[at].line
        if word == "Do" and read.word(at - 1) == "." and read.word(at + 1) == "(":
            inside = {each.text for each in read.words[at + 2 : read.closed[at + 1]]}
            yield from ((name, line) for name in sorted(inside & given))
        elif word in shared and not _words(read, Span(at + 2, min(at + 3, body.last))) & given:
            yield from _assigned(read, body, at, given, line)
        elif word == "if":
            yield from _under_condition(read, at, given, shared)
        at += 1


def _assigned(read: Code, body: Span, at: int, given: set[str], line: int) -> Iterator[tuple[str, int]]:
    """`kept = kept || made(given)`, `kept ??= made(given)`."""
    behind = [read.word(each) for each in range(at + 1, at + 4)]
    twice = behind[:1] == ["="] and behind[1] == read.word(at) and behind[2] in {"||", "??"}
    if twice or behind[0] in {"||=", "??="}:
        last = at + 2
        while last < body.last and not read.next_line(last) and read.word(last) != ";":
            last += 1
        yield from ((name, line) for name in sorted(_words(read, Span(at + 2, last)) & given))


def _under_condition(read: Code, at: int, given: set[str], shared: set[str]) -> Iterator[tuple[str, int]]:
    """`if (!kept) { kept = made(given) }`, `if kept == nil { kept = made(given) }`."""
    start = read.closed[at + 1] + 1 if read.word(at + 1) == "(" else at + 1
    while start < len(read.words) and read.word(start) not in {"{", ";"} and read.word(at + 1) != "(":
        start = read.after(start)
    asked = _words(read, Span(at + 1, start - 1))
    kept = asked & shared
    unset = "!" in asked or bool(asked & _NOTHING)
    if not kept or asked & given or not unset:
        return
    end = read.closed.get(start, start + 12) if start < len(read.words) else start
    for each in range(start, min(end, len(read.words) - 2)):
        if read.word(each) in kept and read.word(each + 1) == "=":
            last = each + 2
            while last < end and not read.next_line(last) and read.word(last) != ";":
                last += 1
            for name in sorted(_words(read, Span(each + 2, last)) & given):
                yield name, read.words[each].line


def _words(read: Code, span: Span) -> set[str]:
    inside: Sequence[str] = [each.text for each in read.words[span.first : span.last + 1] if not each.string]
    return {*inside}
