"""Errors that are thrown away: in source where somebody heard of them before, and in tests."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change import asked
from teamlead.evidence.change.dropped_errors import (
    Thrown,
    begin,
    called,
    calls,
    empty_catches,
    guarded,
    thrown_away,
    unchecked,
)
from teamlead.evidence.sources.brackets import Code, Span, code
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import Text, is_test, sources
from teamlead.ports.checking import Claim

IN_SOURCE = "errors go where they went before"
IN_TESTS = "its tests fail where something goes wrong"
_ASKED = re.compile(
    r"\b(?:ignor\w*|swallow\w*|suppress\w*|best.effort|never (?:fail|raise|throw|panic|crash)\w*|silent\w*"
    r"|tolera\w*|fall(?:s|ing)? back|fallback|(?:not|n't) (?:raise|throw|fail|panic|crash)\w*"
    r"|recover\w*|robust\w*)",
    re.IGNORECASE,
)
_NOTICED = re.compile(r"[eE]rror|[fF]ail|[fF]atal|panic|[aA]ssert|expect|\bt\b|exit|[lL]og")
_ASSERTS = re.compile(r"[aA]ssert\w*|expect|should|\w*[eE]qual\w*|ok|t|same|is")


def examine_swallowed(claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    if not _ASKED.search(asked.words(claim.task)):
        found = [
            f"{text.path}:{each.line}: {each.what}" for text in sources(texts) for each in _in_source(text)
        ]
        if found:
            question = (
                f"Which sentence of the plan asks that nobody hears of these errors: {in_brief(found)}?"
            )
            yield _item("change", IN_SOURCE, found, question)
    tests = [text for text in texts if text.after and is_test(text.path, text.after)]
    found = [f"{text.path}:{each.line}: {each.what}" for text in tests for each in _in_test(text)]
    if found:
        question = f"What does this hide, and do the lines behind it run: {in_brief(found)}?"
        yield _item("tests", IN_TESTS, found, question)


def _item(kind: Literal["change", "tests"], claim: str, found: list[str], question: str) -> Evidence:
    told = f"errors are thrown away: {in_brief(found)}"
    return Evidence(
        "tests" if kind == "tests" else "change",
        "flagged",
        claim,
        told,
        details=tuple(found),
        question=question,
    )


def _in_source(text: Text) -> Iterator[Thrown]:
    if text.before is None or text.after is None:
        return
    spoken = language(text.path)
    had = Counter(calls(text.before, spoken))
    for name, thrown in guarded(text.after, spoken):
        # What is new was never told of; what was guarded before still is.
        if had[name] and name not in {each for each, _ in guarded(text.before, spoken)}:
            yield thrown
    if spoken == "go":
        yield from unchecked(text.before, text.after)


def _in_test(text: Text) -> Iterator[Thrown]:
    spoken = language(text.path)
    known = {each.what for each in _hidden(text.before or "", spoken)}
    yield from (each for each in _hidden(text.after or "", spoken) if each.what not in known)


def _hidden(text: str, spoken: Language) -> Iterator[Thrown]:
    if spoken == "python":
        tree = parsed(text)
        tests = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)] if tree else []
        for test in tests if tree else ():
            if not test.name.startswith("test"):
                continue
            for node in ast.walk(test):
                for body, line in thrown_away(node):
                    if any(_asserts(each) for part in body for each in ast.walk(part)):
                        told = f"in {test.name!r}, what its assertions say is caught and dropped"
                        yield Thrown(told, line)
    elif read := code(text, spoken):
        yield from _recovered(read) if spoken == "go" else ()
        for span, line in empty_catches(read) if spoken == "javascript" else ():
            words = [read.word(each) for each in range(span.first, span.last + 1)]
            if any(_ASSERTS.fullmatch(word) for word in words):
                yield Thrown(f"whatever fails from `{read.brief(span)}` on is caught and dropped", line)


def _asserts(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and "assert" in called(node).lower())


def _recovered(read: Code) -> Iterator[Thrown]:
    for at, word in enumerate(read.words):
        if word.text != "recover" or read.word(at + 1) != "(":
            continue
        start = _around(read, at)
        while start >= 0 and read.word(start - 1) != ")":
            start = _around(read, start)
        if start < 0:
            continue
        inside = [read.word(each) for each in range(start, read.closed[start])]
        kept = read.word(at - 1) == "=" and read.word(at - 2) != "_"
        if not kept and not any(_NOTICED.search(each) for each in inside if each != "recover"):
            yield Thrown(
                f"a panic is caught and dropped: `{read.brief(Span(begin(read, at), at + 2))}`", word.line
            )


def _around(read: Code, at: int) -> int:
    """Where the block begins that this stands in; -1: in none."""
    opened = (each for each, end in read.closed.items() if each < at < end and read.word(each) == "{")
    return max(opened, default=-1)
