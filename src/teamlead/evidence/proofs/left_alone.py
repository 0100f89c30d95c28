"""The new tests, with what they set of the code that they test left alone: does it work for others, too?

What a test switches on is taken out of it, statement by statement: of Python by its syntax tree, elsewhere
where a statement is a line of its own.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from teamlead.core.evidence.values import USED_AS_BY_ALL, CheckResult, Evidence, Proofs, Verdict
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.change.switched_on import switched_on
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.variants import Files, entries, stored
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

_WHOLE = re.compile(r"\s*(?:t\.|os\.)?[\w.]+(?:\s*=(?![=>]).*|\(.*\))\s*;?\s*")
_PAIRS = {")": "(", "]": "[", "}": "{"}


class _LeftAlone(NamedTuple):
    files: Files
    taken_out: list[str]
    """With their places."""
    whole: bool
    """All of them could be taken out."""


async def left_alone(bench: Bench) -> Proofs:
    checks = [check for check in bench.case.checks if check.passed and check.suite]
    found = await bench.look(_found, bench) if checks else None
    if found is None or not found.taken_out:
        return Proofs()
    ran = None
    for check in checks:
        ran = await _run(bench, check, found)
        if ran is None:
            return Proofs()
        if not ran.passed:
            lasts = await _again(bench, check, ran, found)
            return Proofs((_only_if_set(check, ran, found),) if lasts else ())
    told = f"all tests pass where this is left alone: {listed(found.taken_out)}"
    return Proofs((_item(check, ran, "proven", told),) if ran and found.whole else ())


async def _run(bench: Bench, check: CheckResult, found: _LeftAlone, repetition: int = 0) -> Ran | None:
    return await bench.run_with(bench.work, found.files, check, repetition=repetition)


async def _again(bench: Bench, check: CheckResult, ran: Ran, found: _LeftAlone) -> bool:
    """Not where it cannot be built: that fails no test."""
    second = await _run(bench, check, found, repetition=1) if _failed(ran) else None
    return second is not None and _failed(ran) == _failed(second)


def _failed(ran: Ran) -> list[str]:
    names = (ran.end.suite.names or {}) if ran.end.suite else {}
    return sorted(name for name, status in names.items() if status == "failed")


def _found(git: Git, bench: Bench) -> _LeftAlone:
    texts = read_texts(git, bench.base, bench.work, [change.path for change in bench.changes])
    files: dict[str, str] = {}
    taken_out: list[str] = []
    count = 0
    for text, settings in switched_on(texts):
        count += len(settings)
        now, lines = without(
            text.path, text.after or "", {setting.line: setting.name for setting in settings}
        )
        if lines:
            files[text.path] = now
            taken_out += [setting.at(text.path) for setting in settings if setting.line in lines]
    modes = entries(git, bench.work, list(files))
    made = {
        path: stored(git, now.encode(), entry.mode) for path, now in files.items() if (entry := modes[path])
    }
    return _LeftAlone(made, list(dict.fromkeys(taken_out)), len(taken_out) == count)


def without(path: str, text: str, lines: Mapping[int, str]) -> tuple[str, frozenset[int]]:
    """The text without what these lines set, by its name, and those of them that it could be taken out of."""
    if language(path) == "python":
        tree = parsed(text)
        return _without_nodes(text, list(_edits(tree, lines))) if tree else (text, frozenset())
    parts = text.split("\n")
    whole = frozenset(
        line for line in lines if _WHOLE.fullmatch(parts[line - 1]) and _closed(parts[line - 1])
    )
    return "\n".join("" if number in whole else part for number, part in enumerate(parts, 1)), whole


def _closed(line: str) -> bool:
    return all(line.count(opens) == line.count(closes) for closes, opens in _PAIRS.items())


class _Edit(NamedTuple):
    line: int
    """That asked for it."""
    node: ast.stmt | ast.expr
    instead: str


def _edits(tree: ast.Module, lines: Mapping[int, str]) -> Iterator[_Edit]:
    for node in ast.walk(tree):
        if isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                if item.optional_vars is None:
                    yield from _at(item.context_expr, lines, "__import__('contextlib').nullcontext()")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and _gives_nothing(decorator):
                    yield from _at(decorator, lines, "(lambda it: it)")
        elif isinstance(node, ast.Expr) or (
            isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and not _names(node)
        ):
            yield from _at(node, lines, "pass")


def _names(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    """What comes later may need it."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return not all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)


def _gives_nothing(decorator: ast.Call) -> bool:
    """It knows its value, so that the function has no parameter for it."""
    name = decorator.func.attr if isinstance(decorator.func, ast.Attribute) else ""
    needed = 3 if name == "object" else 2
    return (
        name == "dict"
        or len(decorator.args) >= needed
        or any(each.arg == "new" for each in decorator.keywords)
    )


def _at(node: ast.stmt | ast.expr, lines: Mapping[int, str], instead: str) -> Iterator[_Edit]:
    last = node.end_lineno or node.lineno
    asked = [
        line for line, name in lines.items() if node.lineno <= line <= last and name in ast.unparse(node)
    ]
    yield from (_Edit(line, node, instead) for line in asked)


def _without_nodes(text: str, edits: Sequence[_Edit]) -> tuple[str, frozenset[int]]:
    content = text.encode().split(b"\n")
    places = {(edit.node.lineno, edit.node.col_offset): edit for edit in edits}
    for _, edit in sorted(places.items(), reverse=True):
        first, last = edit.node.lineno - 1, (edit.node.end_lineno or edit.node.lineno) - 1
        before, after = content[first][: edit.node.col_offset], content[last][edit.node.end_col_offset :]
        content[first : last + 1] = [before + edit.instead.encode() + after]
    return b"\n".join(content).decode(), frozenset(edit.line for edit in edits)


def _only_if_set(check: CheckResult, ran: Ran, found: _LeftAlone) -> Evidence:
    failed, set_there = listed(_failed(ran)), listed(found.taken_out)
    told = f"{failed} passes only where a test sets what the change brings in: {set_there}"
    asked = (
        f"{told}. Which sentence of the plan says that this has to be set, and who sets it where it is used?"
    )
    return _item(check, ran, "flagged", told, asked)


def _item(check: CheckResult, ran: Ran, verdict: Verdict, found: str, question: str = "") -> Evidence:
    command = look_again(check.command, ran.commit, ran.end.room)
    return Evidence(
        "proof", verdict, USED_AS_BY_ALL, found, command=command, log=ran.end.log, question=question
    )
