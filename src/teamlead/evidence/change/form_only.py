"""Work that was to change the form alone, and drops or adds what a program does."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change.asked_form import Form, form_alone, renamed
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.statements import parsed, statements
from teamlead.evidence.sources.tokens import Token, tokens
from teamlead.evidence.weakening.files_of_tests import Text, shown, sources
from teamlead.ports.checking import Claim

CLAIM = "it changes the form alone"
_IDLE = ("Pass(", "Expr(value=Constant(", "Import(", "ImportFrom(")
_WORD = re.compile(r"[^\W\d]\w*")
_FREE = frozenset({";", "(", ")", ","})
"""What a formatter of lines of words may add, and take away."""


class Line(NamedTuple):
    form: str
    path: str
    line: int
    text: str


def examine_form_only(claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    kind = form_alone(claim.task)
    code = sources(texts) if kind else []
    dropped, added = differences(code, kind, renamed(claim.task)) if code else ([], [])
    found = [f"{each.path}:{each.line} {shown(each.text)} is gone" for each in dropped]
    found += [f"{each.path}:{each.line} {shown(each.text)} is new" for each in added]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"the task asks for another form, and more was changed: {in_brief(found)}",
            details=tuple(found),
            question=f"Which sentence of the plan asks for more than another form: {in_brief(found)}?",
        )


def differences(texts: Sequence[Text], kind: Form, names: Mapping[str, str]) -> tuple[list[Line], list[Line]]:
    """The lines that are gone, and those that are new. What is moved or named anew may need some new ones."""
    before = [line for text in texts for line in _lines(text.path, text.before or "", kind, names)]
    after = [line for text in texts for line in _lines(text.path, text.after or "", kind, names)]
    if kind == "place":
        before, after = _without_lost_words(before, after)
    dropped, added = _lacking(before, after), _lacking(after, before)
    return dropped, [] if kind == "place" else added


def _lacking(these: Sequence[Line], those: Sequence[Line]) -> list[Line]:
    """Those that stand fewer times there, wherever lines are broken there."""
    here, there = (Counter(line.form for line in lines) for lines in (these, those))
    whole, other = (f" {' '.join(line.form for line in lines)} " for lines in (these, those))
    return [
        line
        for line in {line.form: line for line in these}.values()
        if there[line.form] < here[line.form]
        and other.count(f" {line.form} ") < whole.count(f" {line.form} ")
        and _WORD.search(line.text)
    ]


def _lines(path: str, text: str, kind: Form, names: Mapping[str, str]) -> list[Line]:
    for old, new in names.items():
        text = re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", new, text)
    spoken = language(path)
    if spoken == "python" and (tree := parsed(text)):
        if kind == "hints":
            text = ast.unparse(_without_hints(tree))
        return [
            Line(each.form, path, each.line, each.text)
            for each in statements(path, text)
            if not each.form.startswith(_IDLE)
        ]
    if kind == "hints":
        # In other languages hints are no words of their own.
        return []
    shown_lines = text.split("\n")
    lines: dict[int, list[str]] = {}
    for token in tokens(text, spoken):
        if token.text not in _FREE:
            lines.setdefault(token.line, []).append(_plain(token))
    return [Line(" ".join(words), path, at, shown_lines[at - 1].strip()) for at, words in lines.items()]


def _plain(token: Token) -> str:
    """Says the same of a string, whatever quotes it has."""
    if token.string and token.text[:1] in {"'", '"'}:
        inner = token.text[1:-1].replace("\\'", "'").replace('\\"', '"')
        return f'"{inner}"'
    return token.text


def _without_lost_words(before: list[Line], after: list[Line]) -> tuple[list[Line], list[Line]]:
    """What is called otherwise now is called nothing here."""
    old, new = ({word for line in lines for word in _WORD.findall(line.form)} for lines in (before, after))

    def plain(found: re.Match[str]) -> str:
        return "_" if (found[0] in old) != (found[0] in new) else found[0]

    return (
        [line._replace(form=_WORD.sub(plain, line.form)) for line in before],
        [line._replace(form=_WORD.sub(plain, line.form)) for line in after],
    )


def _without_hints(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(...)
    return tree
