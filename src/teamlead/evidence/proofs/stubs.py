"""The old source with the new names in it, which do nothing: tests of them can fail by what they assert.

What is new is told by its first level: functions, classes, values; of classes that were there, their methods.
"""

import ast
import re
from collections.abc import Iterator
from typing import TypeAlias

from teamlead.evidence.proofs.go_functions import functions
from teamlead.evidence.sources.brackets import code
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.public_names import public_names
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import Text

_Named: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_OF_ERRORS = re.compile(r"Error|Exception|Warning")
_MODULE = re.compile(r"^\s*(?:export|import)\b(?!\s*\()", re.MULTILINE)
_PACKAGE = re.compile(r"^package \w+", re.MULTILINE)
_GO_HEAD = re.compile(r"^(?P<head>func (?:\([^)\n]*\) )?(?P<name>\w+)\([^\n]*?) \{", re.MULTILINE)
_LENIENT = """
def _lenient(function, **new):
    def call(*args, **kwargs):
        given = {name: kwargs.pop(name, value) for name, value in new.items()}
        try:
            came = function(*args, **kwargs)
        except TypeError:
            return None
        if function.__name__ == "__init__":
            for name, value in given.items():
                try:
                    setattr(args[0], name, value)
                except AttributeError:
                    pass
        return came
    return call
"""
"""What a function is given now, it did not take before. To keep it in an attribute does nothing, either."""


def with_stubs(text: Text) -> str | None:
    """As it was, with these names. None: nothing of it can be given a name."""
    if text.after is None:
        return None
    before = text.before or ""
    match language(text.path):
        case "python":
            added = list(_python(before, text.after))
            added = [_LENIENT, *added] if any("_lenient(" in each for each in added) else added
        case "javascript":
            added = list(_javascript(text.path, before, text.after))
        case "go":
            added = list(_go(text.before, text.after))
        case _:
            return None
    if text.before is None and not added and language(text.path) != "python":
        return None
    return "\n".join((before, *added, "")) if added or text.before is None else None


def _python(before: str, after: str) -> Iterator[str]:
    had, has = parsed(before), parsed(after)
    if had is None or has is None:
        return
    known, names = _top(had), _top(has)
    for name, node in names.items():
        if name not in known:
            yield _of_python(name, node)
        elif isinstance(node, ast.ClassDef) and isinstance(old := known[name], ast.ClassDef):
            yield from _methods(name, old, node)
        elif new := _given_now(known[name], node):
            yield f"{name} = _lenient({name}, {new})"


def _top(tree: ast.Module | ast.ClassDef) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in tree.body:
        if isinstance(node, _Named):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {each.id: node for each in targets if isinstance(each, ast.Name)}
    return found


def _of_python(name: str, node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef):
        if any(_OF_ERRORS.search(ast.unparse(base)) for base in node.bases):
            return f"class {name}(Exception): ..."
        return (
            f"class {name}:\n    def __init__(self, *args, **kwargs): ...\n"
            "    def __getattr__(self, name):\n        return lambda *args, **kwargs: None"
        )
    if isinstance(node, ast.AsyncFunctionDef):
        return f"async def {name}(*args, **kwargs): ..."
    return f"def {name}(*args, **kwargs): ..." if isinstance(node, ast.FunctionDef) else f"{name} = None"


def _methods(owner: str, old: ast.ClassDef, new: ast.ClassDef) -> Iterator[str]:
    known = _top(old)
    for name, node in _top(new).items():
        if name not in known:
            plain = isinstance(node, ast.FunctionDef) and not node.decorator_list
            yield f"{owner}.{name} = {'lambda *args, **kwargs: None' if plain else 'None'}"
        elif new_names := _given_now(known[name], node):
            yield f"{owner}.{name} = _lenient({owner}.{name}, {new_names})"


def _given_now(old: ast.stmt, new: ast.stmt) -> str:
    """Its new parameters, as arguments with their defaults; empty: it takes what it took."""
    if not (isinstance(old, ast.FunctionDef) and isinstance(new, ast.FunctionDef)):
        return ""
    if old.decorator_list or new.decorator_list or ast.dump(old.args) == ast.dump(new.args):
        return ""
    had = _parameters(old)
    return (
        ", ".join(f"{name}={value}" for name, value in _parameters(new).items() if name not in had) or "**{}"
    )


def _parameters(node: ast.FunctionDef) -> dict[str, str]:
    """With what each is if it is not given, as far as that is a plain value."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(plain) - len(given.defaults)), *given.defaults, *given.kw_defaults]
    return {
        each.arg: ast.unparse(default) if isinstance(default, ast.Constant) else "None"
        for each, default in zip([*plain, *given.kwonlyargs], defaults, strict=True)
    }


def _javascript(path: str, before: str, after: str) -> Iterator[str]:
    names = sorted(public_names(after, "javascript") - public_names(before, "javascript") - {"default"})
    module = not path.endswith((".cjs", ".cts")) and _MODULE.search(before or after)
    for number, name in enumerate(names):
        if module:
            yield f"function stub_{number}() {{}}\nexport {{ stub_{number} as {name} }};"
        else:
            yield f"module.exports.{name} = function () {{}};"


def _go(before: str | None, after: str) -> Iterator[str]:
    read = code(after, "go")
    known = {found["name"] for found in _GO_HEAD.finditer(before or "")}
    results = {each.function.name: each.results for each in functions(read)} if read else {}
    heads = [found for found in _GO_HEAD.finditer(after) if found["name"] in results.keys() - known]
    package = _PACKAGE.search(after)
    if before is None and heads and package:
        yield package[0]
    for found in heads:
        nothing = ", ".join(f"*new({result.type})" for result in results[found["name"]])
        yield f"{found['head']} {{\n\treturn {nothing}\n}}" if nothing else f"{found['head']} {{}}"
