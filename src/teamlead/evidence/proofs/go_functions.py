"""The functions of Go source, read by its words and brackets."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from teamlead.evidence.proofs.faults import Condition, Function
from teamlead.evidence.sources.brackets import Code, Span

_NAME = re.compile(r"[^\W\d]\w*")
_TYPE_WORDS = frozenset({"map", "chan", "func", "interface", "struct"})
_HEADED = frozenset({"if", "for", "switch", "select"})
_STAYS_OPEN = re.compile(r"(?!\+\+|--)[-+*/%&|^=!<>?.:,;({\[]+$")


class Parameter(NamedTuple):
    name: str
    """Empty: it has none."""
    type: str


class GoFunction(NamedTuple):
    function: Function
    given: tuple[Parameter, ...]
    results: tuple[Parameter, ...]
    body: int
    """The number of the word that its body begins with."""
    is_alone: bool
    """It belongs to no type, and has no types of its own."""


def functions(read: Code) -> list[GoFunction]:
    """Those with a name of their own first: others are told of best by what they are in."""
    found, bodies = list[GoFunction](), set[int]()
    for at, word in enumerate(read.words):
        if word.text == "func" and (function := _function(read, at, bodies)):
            found.append(function)
    return sorted(found, key=lambda each: each.function.name == "a function")


def _function(read: Code, at: int, bodies: set[int]) -> GoFunction | None:
    """None: it is only a type, or has a body that another function has."""
    name, start = "a function", at + 1
    is_alone = _is_declared(read, at) and read.word(at + 2) == "("
    if _is_declared(read, at):
        start = read.after(start) if read.word(start) == "(" else start
        name, start = read.word(start), start + 1
        start = read.after(start) if read.word(start) == "[" else start
    if read.word(start) != "(":
        return None
    end = read.closed[start]
    body = _body(read, end + 1)
    if body is None or body in bodies:
        return None
    bodies.add(body)
    given = tuple(_parameters(read, Span(start + 1, end - 1)))
    inside = Span(body + 1, read.closed[body] - 1)
    argument = given[0].name if given and not given[0].type.startswith("...") else ""
    results = _results(read, end + 1, body)
    return GoFunction(_with_body(read, inside, name, argument), given, results, body, is_alone)


def _is_declared(read: Code, at: int) -> bool:
    """Otherwise it is a value or a type."""
    return at == 0 or read.words[at].start == 0 or read.text[read.words[at].start - 1] == "\n"


def _body(read: Code, at: int) -> int | None:
    """`at`: behind the parameters. It begins in the same line, and no type does so."""
    line = read.words[at - 1].line
    while at < len(read.words) and read.words[at].line == line and at not in read.opened:
        if read.word(at) == "{" and read.word(at - 1) not in {"interface", "struct"}:
            return at
        if read.word(at) in {",", ";", "=", ":=", ":"}:
            return None
        line = read.words[read.closed.get(at, at)].line
        at = read.after(at)
    return None


def _results(read: Code, at: int, body: int) -> tuple[Parameter, ...]:
    if at == body:
        return ()
    if read.word(at) == "(" and read.after(at) == body:
        return tuple(_parameters(read, Span(at + 1, body - 2)))
    return (Parameter("", read.source(Span(at, body - 1))),)


def _parameters(read: Code, span: Span) -> Iterator[Parameter]:
    """Go names all of them, or none."""
    parts = read.parts(span)
    if not any(_is_named(read, part) for part in parts):
        yield from (Parameter("", read.source(part)) for part in parts)
        return
    kind, found = "", list[Parameter]()
    for part in reversed(parts):
        kind = read.source(Span(part.first + 1, part.last)) if part.last > part.first else kind
        found.append(Parameter(read.word(part.first), kind))
    yield from reversed(found)


def _is_named(read: Code, part: Span) -> bool:
    first, second = read.word(part.first), read.word(part.first + 1)
    if part.first == part.last or first in _TYPE_WORDS or not _NAME.fullmatch(first) or second == ".":
        return False
    # A type with a type of its own in brackets has nothing behind them.
    return second != "[" or read.closed[part.first + 1] != part.last


def _with_body(read: Code, body: Span, name: str, argument: str) -> Function:
    statements, conditions, returned = list[Span](), list[Condition](), list[Span]()
    at = body.first
    while at <= body.last:
        word = read.word(at)
        if word in _HEADED:
            start = _block(read, at + 1)
            if start is None:
                break
            if word == "if":
                conditions.append(Condition(_test(read, Span(at + 1, start - 1)), tuple(_inner(read, start))))
            at = start + 1
        elif word in {"{", "}", ";", "else"}:
            at += 1
        elif word in {"case", "default"} or read.word(at + 1) == ":":
            while at <= body.last and read.word(at) != ":":
                at = read.after(at)
            at += 1
        else:
            span = Span(at, _end(read, at))
            if word != "return":
                statements.append(span)
            elif span.last > at:
                returned.append(Span(at + 1, span.last))
            at = span.last + 1
    return Function(name, argument, statements, conditions, returned)


def _block(read: Code, at: int) -> int | None:
    """Finds where the block of a header begins: before the brace of a value there is no white space."""
    while at < len(read.words):
        if read.word(at) == "{" and read.text[read.words[at].start - 1] in " \t":
            return at
        at = read.after(at)
    return None


def _test(read: Code, header: Span) -> Span:
    """What stands behind its first statement, where it has one."""
    first, at = header.first, header.first
    while at <= header.last:
        first = at + 1 if read.word(at) == ";" else first
        at = read.after(at)
    return Span(first, header.last)


def _inner(read: Code, start: int) -> Iterator[Span]:
    """What is done in a block, and otherwise."""
    end = read.closed[start]
    yield Span(start + 1, end - 1)
    if read.word(end + 1) == "else" and read.word(end + 2) == "{":
        yield Span(end + 3, read.closed[end + 2] - 1)


def _end(read: Code, at: int) -> int:
    """Returns the last word of the statement that begins here: a line ends it, unless more has to come."""
    while True:
        last = read.closed.get(at, at)
        if last + 1 >= len(read.words) or read.word(last + 1) == ";" or last + 1 in read.opened:
            return last
        if read.next_line(last) and not _STAYS_OPEN.match(read.word(last)):
            return last
        at = last + 1
