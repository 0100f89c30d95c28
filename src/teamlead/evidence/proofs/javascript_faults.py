"""JavaScript source that is wrong in one place: in what way tests would have to notice."""

import re
import shlex
from collections.abc import Collection, Iterator

from teamlead.evidence.proofs.faults import (
    ANSWERS,
    TELLS_ONLY,
    Edit,
    Fault,
    Function,
    began,
    in_turns,
    negated,
    planted,
)
from teamlead.evidence.proofs.javascript_functions import functions
from teamlead.evidence.sources.brackets import Code, Span, code

_SHOWN_ONLY = frozenset({"toString", "inspect", "main"})
_TELLING = frozenset({"console", "logger", "log", "debug"})
_ENDING = frozenset({"next", "done", "cb", "callback", "resolve", "reject"})
"""Without them a test only waits until its time is over."""
_TIDYING = frozenset({"close", "unref", "clearTimeout", "clearInterval", "removeListener"})
_NEVER_LEFT_OUT = frozenset(
    """
    const let var throw import export break continue yield super debugger function class async new return
    """.split()  # noqa: SIM905 - a table of names reads better without quotes
)
_ASSIGNMENT = re.compile(r"(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=")
_NOTHING = re.compile(
    r"null|undefined|false|void 0|(?:\w+\.)?(?:reject|next|done|cb|callback)\(.*|new \w*Error\(.*", re.DOTALL
)
"""Nearly the same as nothing, or only handed on."""
_COMPARES = frozenset({"!", "!!", "==", "===", "!=", "!==", "<", ">", "<=", ">=", "instanceof", "in"})
_MOST_IN_A_LINE = 1000
"""Characters. What has longer lines was written by a program."""


def check_of_syntax(path: str) -> str:
    """Shell. It ends with an error for what is no JavaScript that node knows."""
    return f"NODE_OPTIONS= node --check {shlex.quote(f'./{path}')}"


def faults(text: str, ran: Collection[int]) -> list[Fault]:
    """Of the lines that ran, those that tell most first: one of each function, then a second one."""
    read = code(text, "javascript")
    if read is None or any(len(line) > _MOST_IN_A_LINE for line in text.split("\n")):
        return []
    found = (function for function in functions(read) if function.name not in _SHOWN_ONLY)
    return [planted(read, edit) for edit in in_turns(_of_function(read, each, ran) for each in found)]


def _of_function(read: Code, function: Function, ran: Collection[int]) -> list[Edit]:
    """At most one of each kind."""
    ways = (_returns_nothing, negated, _dropped, _returns_argument)
    firsts = [next(iter(way(read, function, ran)), None) for way in ways]
    return [edit for edit in firsts if edit]


def _returns_nothing(read: Code, function: Function, ran: Collection[int]) -> Iterator[Edit]:
    for value in began(read, function.returned, ran):
        if not _NOTHING.fullmatch(read.source(value)):
            yield Edit(value, "undefined", f"{function.name} returns nothing")


def _returns_argument(read: Code, function: Function, ran: Collection[int]) -> Iterator[Edit]:
    name = function.argument
    for value in began(read, function.returned, ran):
        is_other = not _NOTHING.fullmatch(read.source(value)) and read.source(value) != name
        if name and is_other and not _answers(read, value, function.name):
            yield Edit(value, name, f"{function.name} returns {name} as it is")


def _answers(read: Code, value: Span, name: str) -> bool:
    """Whether it says yes or no: what it is asked about may count as the same."""
    words = read.outside(value)
    called = words[-3] if len(words) > 2 and words[-2:] == ["(", ")"] else ""
    compares = not _COMPARES.isdisjoint(words) and "?" not in words
    return compares or any(map(ANSWERS.match, (name, called)))


def _dropped(read: Code, function: Function, ran: Collection[int]) -> Iterator[Edit]:
    for statement in began(read, function.statements, ran):
        if _does_something(read, statement):
            yield Edit(statement, ";", f"`{read.brief(statement)}` is left out")


def _does_something(read: Code, statement: Span) -> bool:
    """Without it, a name is still there that others read."""
    words = read.outside(statement)
    if words[0] in _NEVER_LEFT_OUT:
        return False
    if any(_ASSIGNMENT.fullmatch(word) for word in words) or {"++", "--", "delete"} & {words[0], words[-1]}:
        return True
    called = [word for word in words if word[0].isalpha() and word != "await"]
    if words[-1] != ")" or "=>" in words or "assert" in called or not called:
        return False
    return called[0] not in _TELLING and called[-1] not in TELLS_ONLY | _ENDING | _TIDYING
