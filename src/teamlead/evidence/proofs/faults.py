"""A fault: source that is wrong in one place. A file for each language says which there are.

Those of languages that we have no parser for are edits of words; `Function` is what they are found in.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple, TypeVar

from teamlead.evidence.sources.brackets import Code, Span

TELLS_ONLY = frozenset({"print", "warn", "debug", "info", "warning", "error", "exception", "log", "critical"})
"""Calls that no test has to notice."""
ANSWERS = re.compile(
    r"_*(?:(?:is|has|can|should|are|was)(?:_|[A-Z])|bool$|isinstance$|issubclass$|callable$|hasattr$|any$|all$"
    r"|match$|search$|fullmatch$|(?:starts|ends)_?(?:with|With)$|test$|includes$|has$|some$|every$)"
)
"""Names of functions that say yes or no."""
_OF_ERRORS = re.compile(r"\b(?:e|err|error)\b")

Turn = TypeVar("Turn")


class Fault(NamedTuple):
    line: int
    sentence: str
    """What is wrong with it."""
    text: str


class Edit(NamedTuple):
    """Words, and what stands there instead."""

    words: Span
    instead: str
    sentence: str


class Condition(NamedTuple):
    test: Span
    inner: Sequence[Span]
    """What is done under it, and otherwise."""


class Function(NamedTuple):
    """With what stands in it, but not in functions in it."""

    name: str
    argument: str
    """Its first parameter; empty: none that could be returned."""
    statements: Sequence[Span]
    conditions: Sequence[Condition]
    returned: Sequence[Span]
    """What stands behind each `return`."""


def in_turns(several: Iterable[Iterable[Turn]]) -> Iterator[Turn]:
    """The first of each, then the second ones."""
    return (each for each in chain.from_iterable(zip_longest(*several)) if each)


def planted(read: Code, edit: Edit) -> Fault:
    first, last = read.words[edit.words.first], read.words[edit.words.last]
    text = read.text[: first.start] + edit.instead + read.text[last.end :]
    return Fault(first.line, edit.sentence, text)


def began(read: Code, spans: Sequence[Span], ran: Collection[int]) -> list[Span]:
    """Those that ran, the last one first."""
    return [span for span in reversed(spans) if read.words[span.first].line in ran]


def negated(read: Code, function: Function, ran: Collection[int]) -> Iterator[Edit]:
    """Where something ran that depends on it. Who asks for an error only hands it on."""
    for test, inner in reversed(function.conditions):
        lines = {read.words[at].line for span in inner for at in range(span.first, span.last + 1)}
        said = read.source(test)
        if began(read, [test], ran) and not lines.isdisjoint(ran) and not _OF_ERRORS.search(said):
            yield Edit(test, f"!({said})", f"`if {read.brief(test)}` is the other way round")
