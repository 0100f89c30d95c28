"""Modules outside of the folders of tests that help to test, and that only tests import.

That only tests import a module is no sign by itself: of a library nobody else does. It has to help tests,
too: it imports a test program, or all of its functions assert.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from posixpath import normpath

from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.system.git import Git

MOST_IMPORTERS = 100
_PROGRAMS = frozenset({"pytest", "unittest", "hypothesis", "nose", "mock"})
_BROUGHT_IN = re.compile(r"(?:\brequire\(|\bimport\(|\bfrom |\bimport )\s*(['\"])(?P<name>[^'\"\n]+)\1")
_SCRIPT_PROGRAMS = re.compile(
    r"(?:node:)?(?:assert|test)(?:/.*)?|chai|sinon|vitest|mocha|jest|expect|@jest/.*|@testing-library/.*"
)


def helpers(
    git: Git, commits: Sequence[str], paths: Iterable[str], is_test: Callable[[str], bool]
) -> list[str]:
    """Of these changed files, which exist in both commits: the base and the work."""
    base, work = commits
    texts = read_texts(
        git, base, work, [path for path in paths if language(path) in {"python", "javascript"}]
    )
    found = [
        text.path for text in texts if text.before and (_helps(text.before, text) or _helps(text.after, text))
    ]
    return [path for path in found if _only_tests_import(git, commits, path, is_test, {path})]


def _helps(source: str | None, text: Text) -> bool:
    if source is None:
        return False
    if language(text.path) == "javascript":
        return any(_SCRIPT_PROGRAMS.fullmatch(found["name"]) for found in _BROUGHT_IN.finditer(source))
    tree = parsed(source)
    if tree is None:
        return False
    own = [
        each for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    programs = any(name.partition(".")[0] in _PROGRAMS for name in _python_imports(tree, text.path))
    return programs or (bool(own) and all(map(_asserts, own)))


def _asserts(function: ast.stmt) -> bool:
    return not isinstance(function, ast.ClassDef) and any(
        isinstance(each, ast.Assert)
        or (isinstance(each, ast.Raise) and each.exc and "AssertionError" in ast.unparse(each.exc))
        for each in ast.walk(function)
    )


def _only_tests_import(
    git: Git, commits: Sequence[str], path: str, is_test: Callable[[str], bool], seen: set[str]
) -> bool:
    """Through others, too. By either version; and somebody does."""
    importers = {name for commit in commits for name in _importers(git, commit, path)} - {path}
    if not importers or len(importers) > MOST_IMPORTERS:
        return False
    others = [name for name in sorted(importers) if not is_test(name) and name not in seen]
    seen |= {*others}
    return all(_only_tests_import(git, commits, name, is_test, seen) for name in others)


def _importers(git: Git, commit: str, path: str) -> Iterator[str]:
    file = PurePosixPath(path)
    word = file.parent.name if file.stem in {"__init__", "index"} else file.stem
    told = git.run("grep", "-l", "-z", "-w", "-F", "-e", word, commit, "--", ok=(0, 1)).fields
    named = [field.decode("utf-8", "replace").partition(":")[2] for field in told]
    named = [name for name in named if language(name) == language(path)][: MOST_IMPORTERS + 1]
    for text in read_texts(git, commit, commit, named):
        if text.after and _imports(text.path, text.after, path):
            yield text.path


def _imports(importer: str, source: str, path: str) -> bool:
    if language(path) == "javascript":
        there = PurePosixPath(importer).parent
        wanted = {path, str(PurePosixPath(path).with_suffix("")), str(PurePosixPath(path).parent)}
        names = (found["name"] for found in _BROUGHT_IN.finditer(source))
        return any(name.startswith(".") and normpath(there / name) in wanted for name in names)
    tree = parsed(source)
    dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return tree is not None and any(
        dotted == name or dotted.endswith(f".{name}") for name in _python_imports(tree, importer)
    )


def _python_imports(tree: ast.Module, path: str) -> Iterator[str]:
    """All that may be meant: of `from a import b`, both `a` and `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = PurePosixPath(path).parts[: -node.level] if node.level else ()
            whole = ".".join((*above, *filter(None, [node.module])))
            yield from filter(None, (whole, *(f"{whole}.{alias.name}".lstrip(".") for alias in node.names)))
