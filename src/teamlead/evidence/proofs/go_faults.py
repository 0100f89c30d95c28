"""Go source that is wrong in one place: in what way tests would have to notice. It still compiles.

go refuses names that are never used, so what is left out stays in a function that nobody calls, and of what
is not returned the values are still made.
"""

import re
from collections.abc import Collection, Iterator

from teamlead.evidence.proofs.faults import (
    TELLS_ONLY,
    Edit,
    Fault,
    began,
    in_turns,
    negated,
    planted,
)
from teamlead.evidence.proofs.go_functions import GoFunction, functions
from teamlead.evidence.sources.brackets import Code, Span, code

_SHOWN_ONLY = frozenset({"String", "GoString", "Error", "Format", "main", "init"})
_TELLING = frozenset({"log", "slog", "logger", "klog", "glog"})
_TELLS = frozenset({word.title() for word in TELLS_ONLY} | {"Println", "Printf", "Fatal", "Fatalf", "Helper"})
_TIDYING = frozenset({"Lock", "Unlock", "RLock", "RUnlock", "Close", "Done", "panic", "close"})
_NEVER_LEFT_OUT = frozenset(
    {"go", "defer", "var", "const", "type", "break", "continue", "goto", "fallthrough"}
)
_ASSIGNMENT = re.compile(r"(?:[-+*/%&|^]|<<|>>|&\^)?=")
_ZERO = re.compile(r"nil|0(?:\.0)?|false|\"\"|``|[\w.]+\{\}")


def faults(text: str, ran: Collection[int]) -> list[Fault]:
    """Of the lines that ran, those that tell most first: one of each function, then a second one."""
    read = code(text, "go")
    if read is None:
        return []
    found = (each for each in functions(read) if each.function.name not in _SHOWN_ONLY)
    return [planted(read, edit) for edit in in_turns(_of_function(read, each, ran) for each in found)]


def _of_function(read: Code, each: GoFunction, ran: Collection[int]) -> list[Edit]:
    """At most one of each kind."""
    several = (
        _returns_nothing(read, each, ran),
        negated(read, each.function, ran),
        _dropped(read, each, ran),
        _returns_argument(read, each, ran),
    )
    return [edit for ways in several if (edit := next(ways, None))]


def _returns_nothing(read: Code, each: GoFunction, ran: Collection[int]) -> Iterator[Edit]:
    """Not where it would hide an error: few tests look for each."""
    nothing = ", ".join(f"*new({result.type})" for result in each.results)
    if [result.type for result in each.results] != ["error"]:
        yield from _returns(read, each, ran, nothing, f"{each.function.name} returns nothing")


def _returns_argument(read: Code, each: GoFunction, ran: Collection[int]) -> Iterator[Edit]:
    name, results = each.function.argument, [result.type for result in each.results]
    if name not in {"", "_"} and results and results[0] == each.given[0].type:
        rest = ", ".join([name, *(f"*new({result})" for result in results[1:])])
        yield from _returns(read, each, ran, rest, f"{each.function.name} returns {name} as it is")


def _returns(
    read: Code, each: GoFunction, ran: Collection[int], instead: str, sentence: str
) -> Iterator[Edit]:
    for values in began(read, each.function.returned, ran):
        parts = read.parts(values)
        said = [read.source(part) for part in parts]
        if all(map(_ZERO.fullmatch, said)) or said[0] == each.function.argument:
            continue
        if len(parts) == len(each.results):
            used = "; ".join(f"_ = {value}" for value in said if value != "nil")
        else:
            used = f"{', '.join('_' for _ in each.results)} = {read.source(values)}"
        word = Span(values.first - 1, values.last)
        yield Edit(word, f"{used}; return {instead}", sentence)


def _dropped(read: Code, each: GoFunction, ran: Collection[int]) -> Iterator[Edit]:
    for statement in began(read, each.function.statements, ran):
        if _does_something(read, statement):
            said = read.source(statement)
            yield Edit(statement, f"_ = func() {{ {said} }}", f"`{read.brief(statement)}` is left out")


def _does_something(read: Code, statement: Span) -> bool:
    words = read.outside(statement)
    if words[0] in _NEVER_LEFT_OUT or ":=" in words or words[0] in {"_", "err"}:
        return False
    if any(_ASSIGNMENT.fullmatch(word) for word in words) or words[-1] in {"++", "--"}:
        return True
    called = [word for word in words if word[0].isalpha()]
    if words[-1] != ")" or not called:
        return False
    return called[0] not in _TELLING and called[-1] not in _TELLS | _TIDYING
