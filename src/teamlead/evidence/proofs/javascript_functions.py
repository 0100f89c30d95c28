"""The functions of JavaScript source, read by its words and brackets."""

import re
from collections.abc import Iterator

from teamlead.evidence.proofs.faults import Condition, Function
from teamlead.evidence.sources.brackets import Code, Span

_NAME = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_HEADED = frozenset({"if", "for", "while", "switch", "catch", "with"})
_ENTERED = frozenset({"else", "try", "do", "finally", "catch", "{", "}", ";"})
_STATEMENT_ENDS, _VALUE_ENDS = frozenset({";"}), frozenset({",", ";"})
_OPERATOR = re.compile(r"(?!\+\+|--|!$|!!)[-+*/%&|^=!<>?.:,]+$")
_GOING_ON = frozenset({"in", "instanceof", "typeof", "new", "await", "of", "void", "delete"})


def functions(read: Code) -> list[Function]:
    """Those with a name of their own first: others are told of best by what they are in."""
    found = [function for at in range(len(read.words)) if (function := _function(read, at))]
    return sorted(found, key=lambda function: function.name.startswith("a function"))


def _function(read: Code, at: int) -> Function | None:
    if read.words[at].string:
        return None
    if read.word(at) == "=>":
        name, argument = _named(read, _begin_of_arrow(read, at)), _first_argument(read, at - 1)
        if read.word(at + 1) != "{":
            value = Span(at + 1, _end(read, at + 1, _VALUE_ENDS))
            return Function(name, argument, (), (), (value,))
    elif read.word(at) == "{" and read.word(at - 1) == ")":
        head = read.opened[at - 1]
        name, argument = _declared(read, head), _first_argument(read, at - 1)
    else:
        return None
    at = at + 1 if read.word(at) == "=>" else at
    return _with_body(read, Span(at + 1, read.closed[at] - 1), name, argument) if name else None


def _begin_of_arrow(read: Code, at: int) -> int:
    first = read.opened.get(at - 1, at - 1)
    return first - 1 if read.word(first - 1) == "async" else first


def _named(read: Code, first: int) -> str:
    """By what it is assigned to."""
    name = read.word(first - 2) if read.word(first - 1) in {"=", ":"} else ""
    return name if _NAME.fullmatch(name) else "a function"


def _declared(read: Code, head: int) -> str:
    """`head`: where its parameters begin. Empty: it is no function, or one whose name is computed."""
    word, before = read.word(head - 1), read.word(head - 2)
    if word == "function" or (word == "*" and before == "function"):
        first = head - 1 - (word == "*")
        return _named(read, first - 1 if read.word(first - 1) == "async" else first)
    is_name = _NAME.fullmatch(word) and word not in _HEADED and before not in {"for", "."}
    return word if is_name else ""


def _first_argument(read: Code, at: int) -> str:
    """`at`: the last word of the parameters."""
    start = read.opened.get(at)
    name = read.word(at) if start is None else read.word(start + 1)
    alone = start is None or read.word(start + 2) in {",", ")", "="}
    return name if alone and _NAME.fullmatch(name) and not name.startswith("_") else ""


def _with_body(read: Code, body: Span, name: str, argument: str) -> Function:
    statements, conditions, returned = list[Span](), list[Condition](), list[Span]()
    at = body.first
    while at <= body.last:
        word = read.word(at)
        if word in _HEADED and "(" in {read.word(at + 1), read.word(at + 2)}:
            start = at + 1 if read.word(at + 1) == "(" else at + 2
            at = read.after(start)
            if word == "if" and at > start + 2:
                conditions.append(Condition(Span(start + 1, at - 2), tuple(_inner(read, at))))
        elif word in _ENTERED:
            at += 1
        elif word in {"case", "default"} or read.word(at + 1) == ":":
            while at <= body.last and read.word(at) != ":":
                at = read.after(at)
            at += 1
        else:
            span = Span(at, _end(read, at, _STATEMENT_ENDS))
            if word != "return":
                statements.append(span)
            elif span.last > at and not read.next_line(at):
                returned.append(Span(at + 1, span.last))
            at = span.last + 1
    return Function(name, argument, statements, conditions, returned)


def _inner(read: Code, at: int) -> Iterator[Span]:
    """What is done under a condition that ends before, and otherwise."""
    span, behind = _branch(read, at)
    yield span
    if read.word(behind) == "else" and read.word(behind + 1) != "if":
        yield _branch(read, behind + 1)[0]


def _branch(read: Code, at: int) -> tuple[Span, int]:
    """With the number of the word behind it."""
    if read.word(at) == "{":
        return Span(at + 1, read.closed[at] - 1), read.after(at)
    last = _end(read, at, _STATEMENT_ENDS)
    return Span(at, last), last + 1 + (read.word(last + 1) == ";")


def _end(read: Code, at: int, ends: frozenset[str]) -> int:
    """Returns the last word of what begins here, which one of `ends` ends, a bracket around it, or a line."""
    while True:
        last = read.closed.get(at, at)
        behind = read.word(last + 1)
        if not behind or behind in ends or last + 1 in read.opened:
            return last
        if read.next_line(last) and not _goes_on(read.word(last), behind):
            return last
        at = last + 1


def _goes_on(word: str, behind: str) -> bool:
    """Whether a statement does, though a line ends between these words."""
    if word in _GOING_ON or behind in {"in", "instanceof"} or behind[0] in "([`":
        return True
    return bool(_OPERATOR.match(word) or _OPERATOR.match(behind))
