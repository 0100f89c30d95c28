"""New tests that set what they test: an attribute, a variable of the environment, a part of the module.

What works only after a test has switched it on does not work for anybody else.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.core.evidence.values import USED_AS_BY_ALL, Evidence, in_brief
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import Text, is_test, sources

_WORD = re.compile(r"[^\W\d]\w*")
_ASSIGNED = re.compile(
    r"(?<![\w.])(?:process\.env\.(?P<env>\w+)|[\w.]+\.(?P<name>\w+))\s*=(?![=>])|Setenv\(\s*\"(?P<go>\w+)\""
)


class Setting(NamedTuple):
    name: str
    line: int
    text: str

    def at(self, path: str) -> str:
        return f"{path}:{self.line}: {self.text}"


def examine_switched_on(texts: Sequence[Text]) -> Iterator[Evidence]:
    found = [setting.at(text.path) for text, settings in switched_on(texts) for setting in settings]
    if found:
        yield Evidence(
            "tests",
            "flagged",
            claim=USED_AS_BY_ALL,
            found=f"a test sets what the change brings in: {in_brief(found)}",
            details=tuple(found),
            question=f"Does it work as the plan says where nobody sets this: {in_brief(found)}?",
        )


def switched_on(texts: Sequence[Text]) -> Iterator[tuple[Text, list[Setting]]]:
    """The tests that set something, with what they set: the source did not know it before."""
    code = sources(texts)
    new = _words(code, "after") - _words(code, "before")
    for text in texts:
        if text.after and is_test(text.path, text.after):
            settings = [setting for setting in _settings(text) if setting.name in new]
            if settings:
                yield text, settings


def _words(texts: Sequence[Text], side: str) -> set[str]:
    """Of a program: what it gives a name to, and its strings. That it calls others is not its own."""
    found: set[str] = set()
    for text in texts:
        source = getattr(text, side) or ""
        tree = parsed(source) if language(text.path) == "python" else None
        found |= set(_of_tree(tree)) if tree else set(_WORD.findall(source))
    return found


def _of_tree(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _settings(text: Text) -> Iterator[Setting]:
    known = {line.strip() for line in (text.before or "").split("\n")}
    lines = (text.after or "").split("\n")
    tree = parsed(text.after or "") if language(text.path) == "python" else None
    found = _of_python(tree) if tree else _of_lines(lines)
    for name, line in found:
        shown = lines[line - 1].strip()
        if shown not in known:
            yield Setting(name, line, shown)


def _of_lines(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(lines, 1):
        for found in _ASSIGNED.finditer(line):
            yield found["env"] or found["name"] or found["go"], number


def _of_python(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield from _target(target)
        elif isinstance(node, ast.Call):
            yield from _given(node)


def _target(target: ast.expr) -> Iterator[tuple[str, int]]:
    if isinstance(target, ast.Attribute) and not _is_own(target.value):
        yield target.attr, target.lineno
        return
    owner, key = (target.value, target.slice) if isinstance(target, ast.Subscript) else (target, target)
    if isinstance(owner, ast.Attribute) and isinstance(key, ast.Constant):
        yield str(key.value), target.lineno


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}


def _given(call: ast.Call) -> Iterator[tuple[str, int]]:
    """What is named to a function that sets things: `setattr`, `setenv`, `patch`, `patch.dict`."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in {"setattr", "setenv", "setitem", "patch", "object", "dict", "multiple", "putenv"}:
        strings = [
            each for each in ast.walk(call) if isinstance(each, ast.Constant) and isinstance(each.value, str)
        ]
        for each in strings:
            yield str(each.value).rpartition(".")[2], each.lineno
