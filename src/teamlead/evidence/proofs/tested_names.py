"""What new lines of tests use by name, and in which files it may be: by what they import, not by a word."""

import ast
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.evidence.proofs.python_statements import parsed
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import Text

_FROM = re.compile(r"""\b(?:require\(|from|import\(?)\s*['"](\.[^'"]*)['"]""")
_USED = re.compile(
    r"(?<![\w$])([^\W\d][\w$]{2,})\s*\(|\.([^\W\d][\w$]{2,})|(?<=[({,\[=])\s*([^\W\d][\w$]{2,})\s*(?=[)},\]])"
)
_WHOLE = re.compile(
    r"(?:\bmodule\.exports\s*=(?!=)|\bexport\s+default)\s*(?:async\s+)?(?:(?:function|class)\b\s*\*?\s*)?([^\W\d][\w$]*)"
)
_GO_IMPORT = re.compile(r'^\s*(?:import\s+)?(?:\w+\s+)?"([^"\n]+)"', re.MULTILINE)


class Used(NamedTuple):
    names: frozenset[str]
    files: frozenset[str]
    """What is meant by them is in one of these."""
    owners: frozenset[str] | None = None
    """Classes that its file names; None: nobody knows."""


def used(text: Text, code: Mapping[str, str]) -> Used:
    """`code`: all of the project that may be meant, by its paths."""
    known = set((text.before or "").split("\n"))
    lines = [number for number, line in enumerate((text.after or "").split("\n"), 1) if line not in known]
    match language(text.path):
        case "python":
            return _python(text.after or "", set(lines), code)
        case "javascript":
            files = frozenset(_required(text.path, text.after or "", code))
            # A test calls what a module exports as a whole as it likes.
            whole = {found[1] for path in files for found in _WHOLE.finditer(code[path])}
            return Used(_words(text.after or "", lines) | whole, files)
        case "go":
            return Used(
                _words(text.after or "", lines), frozenset(_of_packages(text.path, text.after or "", code))
            )
        case _:
            return Used(frozenset(), frozenset())


def _python(text: str, lines: Collection[int], code: Mapping[str, str]) -> Used:
    tree = parsed(text)
    if tree is None:
        return Used(frozenset(), frozenset())
    imported: set[str] = set()
    names, owners = set[str](), set[str]()
    origin: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            imported |= {module, *(f"{module}.{each.name}".strip(".") for each in node.names)}
            origin |= {each.asname or each.name: each.name for each in node.names}
            owners |= {each.name for each in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names |= {origin.get(node.id, node.id)} if node.lineno in lines else set()
        elif isinstance(node, ast.Attribute):
            names |= {node.attr} if node.lineno in lines else set()
            owners.add(node.attr)
    return Used(frozenset(names), frozenset(_modules(imported, code)), frozenset(owners))


def _modules(imported: Collection[str], code: Mapping[str, str]) -> Iterator[str]:
    """The files of these modules, and those of a package that hands on what they hold."""
    for path in code:
        dotted = PurePosixPath(path).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for name in imported:
            if name and (dotted == name or dotted.endswith(f".{name}")):
                yield path
                if path.endswith("__init__.py"):
                    yield from _handed_on(path, code)


def _handed_on(package: str, code: Mapping[str, str]) -> Iterator[str]:
    """Modules that a package itself imports from."""
    tree = parsed(code[package])
    folder = posixpath.dirname(package)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.ImportFrom) and node.module:
            last = node.module.rpartition(".")[2]
            yield from (
                place for place in (f"{folder}/{last}.py", f"{folder}/{last}/__init__.py") if place in code
            )


def _words(text: str, lines: Sequence[int]) -> frozenset[str]:
    all_lines = text.split("\n")
    new = "\n".join(all_lines[number - 1] for number in lines)
    return frozenset(name for found in _USED.finditer(new) for name in found.groups() if name)


def _required(path: str, text: str, code: Mapping[str, str]) -> Iterator[str]:
    """By relative places, and what these ask for themselves."""
    left, seen = [(path, text)], {path}
    while left:
        place, source = left.pop()
        for asked in _FROM.findall(source):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(place), asked))
            for other in _forms(target):
                if other in code and other not in seen:
                    seen.add(other)
                    left.append((other, code[other]))
                    yield other


def _forms(target: str) -> Iterator[str]:
    target = "" if target == "." else target
    stem = re.sub(r"\.[cm]?js$", "", target)
    yield target
    for suffix in (".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts"):
        yield f"{stem}{suffix}"
        yield f"{stem}/index{suffix}".removeprefix("/")
    # Of a package's own folder, what is called so.
    if not target:
        yield "index.js"


def _of_packages(path: str, text: str, code: Mapping[str, str]) -> Iterator[str]:
    """Those of its own folder, and of the packages that it imports."""
    imported = _GO_IMPORT.findall(text)
    for other in code:
        folder = posixpath.dirname(other)
        if folder == posixpath.dirname(path) or any(
            folder and name.endswith(f"/{folder}") for name in imported
        ):
            yield other


def owner(text: str, line: int) -> frozenset[str]:
    """The class around a line of Python, and those that derive from it. Empty: none."""
    tree = parsed(text)
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)] if tree else []
    around = [node for node in classes if node.lineno <= line <= (node.end_lineno or line)]
    found = {node.name for node in around}
    for _ in classes:
        found |= {node.name for node in classes if not found.isdisjoint(_bases(node))}
    return frozenset(found)


def _bases(node: ast.ClassDef) -> set[str]:
    return {ast.unparse(base).rpartition(".")[2] for base in node.bases}
