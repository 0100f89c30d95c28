"""Where source throws errors away: what is tried, and who would have heard of it."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from teamlead.evidence.sources.brackets import Code, Span, code
from teamlead.evidence.sources.languages import Language
from teamlead.evidence.sources.statements import parsed

_BROAD = frozenset({"", "Exception", "BaseException", "AssertionError"})
_ERROR = re.compile(r"err|error|\w+Err|err\w+")
_CONSTANTS = frozenset({"return", "null", "undefined", "false", "true"})
_IDLE = ast.Pass | ast.Continue | ast.Break


class Thrown(NamedTuple):
    what: str
    line: int


def calls(text: str, spoken: Language) -> Iterator[str]:
    if spoken == "python":
        tree = parsed(text)
        yield from (called(each) for each in ast.walk(tree) if isinstance(each, ast.Call)) if tree else ()
    elif read := code(text, spoken):
        yield from (word for word, _ in called_words(read, Span(0, len(read.words) - 1)))


def called(node: ast.Call) -> str:
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def called_words(read: Code, span: Span) -> Iterator[tuple[str, int]]:
    for at in range(span.first, span.last + 1):
        word = read.words[at]
        if read.word(at + 1) == "(" and word.text.isidentifier() and not word.string:
            yield word.text, at


def guarded(text: str, spoken: Language) -> Iterator[tuple[str, Thrown]]:
    """Calls whose errors are thrown away, whatever they are."""
    if spoken == "python":
        tree = parsed(text)
        for node in ast.walk(tree) if tree else ():
            for body, line in thrown_away(node):
                shown = f"`{ast.unparse(body[0]).partition(chr(10))[0]}` may fail unheard"
                for part in body:
                    for each in ast.walk(part):
                        if isinstance(each, ast.Call):
                            yield called(each), Thrown(shown, line)
    elif spoken == "javascript" and (read := code(text, spoken)):
        for span, line in empty_catches(read):
            for name, _ in called_words(read, span):
                yield name, Thrown(f"`{name}()` may fail unheard", line)


def thrown_away(node: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
    if isinstance(node, ast.Try):
        for handler in node.handlers:
            if {*_types(handler.type)} & _BROAD and all(map(_is_idle, handler.body)):
                yield node.body, handler.lineno
    elif isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            given = item.context_expr
            named = given.args if isinstance(given, ast.Call) and called(given) == "suppress" else []
            if {name for each in named for name in _types(each)} & _BROAD:
                yield node.body, node.lineno


def _types(node: ast.expr | None) -> list[str]:
    if isinstance(node, ast.Tuple):
        return [name for each in node.elts for name in _types(each)]
    return [str(getattr(node, "attr", getattr(node, "id", ""))) if node else ""]


def _is_idle(node: ast.stmt) -> bool:
    """It does nothing, or gives something that is the same for every error."""
    given = node.value if isinstance(node, ast.Expr | ast.Return) else None
    plain = isinstance(given, ast.Constant) or (
        isinstance(given, ast.List | ast.Dict | ast.Tuple) and not ast.unparse(given)[1:-1]
    )
    return isinstance(node, _IDLE) or plain or (isinstance(node, ast.Return) and given is None)


def empty_catches(read: Code) -> Iterator[tuple[Span, int]]:
    """What is tried, where all that goes wrong in it is caught and dropped; `.catch(() => {})` too."""
    for at, word in enumerate(read.words):
        if word.text != "catch" or word.string:
            continue
        if read.word(at - 1) == "}" and read.word(read.opened[at - 1] - 1) == "try":
            start = read.after(at + 1) if read.word(at + 1) == "(" else at + 1
            if read.word(start) == "{" and _drops(read, Span(start + 1, read.closed[start] - 1)):
                yield Span(read.opened[at - 1] + 1, at - 2), word.line
        elif read.word(at - 1) == "." and read.word(at + 1) == "(":
            inside = [read.word(each) for each in range(at + 2, read.closed[at + 1])]
            if not any(
                each.isidentifier() and each not in {"undefined", "null", "function"} for each in inside
            ):
                first = at - 2
                while first > 0 and read.words[first - 1].line == read.words[at - 2].line:
                    first -= 1
                yield Span(first, at - 2), word.line


def _drops(read: Code, span: Span) -> bool:
    inside = [read.word(each) for each in range(span.first, span.last + 1)]
    return not any(
        word.isidentifier() and word not in {"return", "null", "undefined", "false", "true"}
        for word in inside
    )


def unchecked(before: str, after: str) -> Iterator[Thrown]:
    """Calls whose errors were looked at, and of which none is now."""
    had, has = code(before, "go"), code(after, "go")
    if had is None or has is None:
        return
    checked = {name for name, at in called_words(had, Span(0, len(had.words) - 1)) if _is_checked(had, at)}
    now = [(name, at) for name, at in called_words(has, Span(0, len(has.words) - 1)) if name in checked]
    still = {name for name, at in now if _is_checked(has, at)}
    for name, at in now:
        if name not in still and _is_dropped(has, at):
            yield Thrown(f"the error of `{name}()` was looked at, and is not any more", has.words[at].line)


def begin(read: Code, at: int) -> int:
    """Of the statement that a call stands in."""
    while at > 0 and not read.next_line(at - 1) and read.word(at - 1) not in {"{", ";", "}"}:
        at -= 1
    return at


def _is_checked(read: Code, at: int) -> bool:
    first = begin(read, at)
    words = [read.word(each) for each in range(first, at)]
    if words[:1] == ["return"]:
        return True
    names = [word for word in words if _ERROR.fullmatch(word)]
    behind = [
        read.word(each) for each in range(read.after(at + 1), min(read.after(at + 1) + 12, len(read.words)))
    ]
    return bool(names) and names[-1] in behind


def _is_dropped(read: Code, at: int) -> bool:
    first = begin(read, at)
    words = [read.word(each) for each in range(first, at)]
    if words[:1] in (["defer"], ["go"]):
        return False
    left = words[: words.index("=")] if "=" in words else words[: words.index(":=")] if ":=" in words else []
    alone = all(word.isidentifier() or word == "." for word in words)
    return alone or bool(left and left[-1] == "_") or (bool(left) and bool(_ERROR.fullmatch(left[-1])))
