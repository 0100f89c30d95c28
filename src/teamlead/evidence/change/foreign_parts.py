"""Code that puts its own in the place of what others bring: a part of a module, of a class, of a builtin."""

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change.foreign_scripts import replaced_in_scripts
from teamlead.evidence.change.python_reads import imported, origin_of
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.sources.tokens import tokens
from teamlead.evidence.weakening.files_of_tests import Text, is_test
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "what others bring stays as it is"
_TEST_PROGRAMS = frozenset({"unittest", "pytest", "_pytest", "nose", "nose2", "doctest", "hypothesis"})


class Replaced(NamedTuple):
    what: str
    line: int
    of_test_program: bool


def examine_foreign_parts(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    code = [text for text in texts if language(text.path) in {"python", "javascript"}]
    own = _own_modules(git, claim) if code else set()
    found = [
        f"{text.path}:{each.line}: {each.what}"
        for text in code
        for each in _new(text, own)
        # Tests replace parts of what they test with; no test replaces what decides.
        if each.of_test_program or not is_test(text.path)
    ]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"it puts its own in the place of what others bring: {in_brief(found)}",
            details=tuple(found),
            question=f"Which sentence of the plan asks to change what others bring: {in_brief(found)}?",
        )


def _own_modules(git: Git, claim: Claim) -> set[str]:
    paths = git.run("ls-tree", "-r", "-z", "--name-only", claim.commit).text.split("\0")
    return {
        part.partition(".")[0] for path in paths if path.endswith(".py") for part in PurePosixPath(path).parts
    }


def _new(text: Text, own: set[str]) -> Iterator[Replaced]:
    known = {each.what for each in _replaced(text.path, text.before or "", own)}
    for each in _replaced(text.path, text.after or "", own):
        if each.what not in known:
            known.add(each.what)
            yield each


def _replaced(path: str, text: str, own: set[str]) -> Iterator[Replaced]:
    if language(path) == "javascript":
        for what, line, deciding in replaced_in_scripts(tokens(text, "javascript")):
            yield Replaced(what, line, deciding)
        return
    tree = parsed(text)
    if not tree:
        return
    names = imported(tree) | {"__builtins__": "builtins"}
    modules = {name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in _modules(node)}
    for node in (each for each in ast.walk(tree) if isinstance(each, ast.stmt | ast.expr)):
        for owner in _owners(node, names):
            origin = origin_of(owner, names)
            top = origin.partition(".")[0]
            if not origin or top in own:
                continue
            # A small name that was brought in may be a thing whose parts are for everybody to set.
            if origin in modules or origin.rpartition(".")[2][:1].isupper() or top in sys.stdlib_module_names:
                yield Replaced(ast.unparse(node).partition("\n")[0][:120], node.lineno, top in _TEST_PROGRAMS)


def _modules(node: ast.Import) -> Iterator[str]:
    for alias in node.names:
        yield alias.name if alias.asname else alias.name.partition(".")[0]


def _owners(node: ast.AST, names: dict[str, str]) -> Iterator[ast.expr]:
    """Of which a part is set: `owner.part = ...`, `setattr(owner, ...)`, `vars(owner)["part"] = ...`."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = [part for each in node.targets for part in _parts(each)]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    elif isinstance(node, ast.Call) and _is_call(node, {"setattr", "delattr"}):
        yield from node.args[:1]
    for target in targets:
        if isinstance(target, ast.Attribute):
            yield target.value
        elif isinstance(target, ast.Subscript):
            yield from _held(target.value, names)


def _held(table: ast.expr, names: dict[str, str]) -> Iterator[ast.expr]:
    if isinstance(table, ast.Attribute) and table.attr == "__dict__":
        yield table.value
    elif isinstance(table, ast.Call) and _is_call(table, {"vars"}):
        yield from table.args[:1]
    elif origin_of(table, names) == "sys.modules":
        yield table


def _is_call(node: ast.Call, names: set[str]) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in names


def _parts(target: ast.expr) -> list[ast.expr]:
    return list(target.elts) if isinstance(target, ast.Tuple | ast.List) else [target]
