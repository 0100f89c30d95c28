"""What a language or a test program asks a value when it compares it. Code can answer as it likes there.

Each is found where a change newly defines it, and is taken out: a class of Python compares as what it derives
from does, or by all that it holds; elsewhere it gets a name that nobody asks for.
"""

import ast
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple, TypeAlias

from teamlead.evidence.proofs.python_statements import parsed
from teamlead.evidence.sources.languages import Language

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_EQUAL = r"\b(?:equal\w*|compar\w*|same|identical|match\w*)\b|==|等し|比較|同じ|같|비교|동등"
_ORDER = (
    r"\b(?:compar\w*|order\w*|sort\w*|less|greater|smaller|larger|before|after|than)\b|[<>]"
    r"|順|比較|정렬|순서|비교"
)
_TRUTH = r"\b(?:truth\w*|falsy|bool\w*|empty|false|true)\b|真|偽|空|참|거짓|빈"
_KIND = r"\b(?:instances?|isinstance|subclass\w*|types?|classes|class)\b|型|クラス|타입|클래스"
_TEXT = r"\b(?:json|serial\w*|stringif\w*|primitive|number|string|value)\b|文字列|数値|문자열|숫자"
_PYTHON = {
    "__eq__": _EQUAL,
    "__ne__": _EQUAL,
    **dict.fromkeys(("__lt__", "__le__", "__gt__", "__ge__"), _ORDER),
    "__bool__": _TRUTH,
    "__instancecheck__": _KIND,
    "__subclasscheck__": _KIND,
}
_WORDS: dict[str, dict[str, str]] = {
    "javascript": {
        "asymmetricMatch": _EQUAL,
        "$$typeof": _EQUAL,
        "toJSON": _TEXT,
        "valueOf": _TEXT,
        "toPrimitive": _TEXT,
        "hasInstance": _KIND,
    },
    "go": {"Equal": _EQUAL, "Compare": _ORDER, "Less": _ORDER, "Is": _EQUAL},
}
"""With the words of a task that may ask for them."""
_STATE = (
    "[{**getattr(each, '__dict__', {}), **{name: getattr(each, name, None) for of in type(each).__mro__ "
    "for name in getattr(of, '__slots__', ())}} for each in (SIDE,)]"
)
_BY_ALL_IT_HOLDS = (
    "def __eq__(self, other): return type(self) is type(other) and "
    f"{_STATE.replace('SIDE', 'self')} == {_STATE.replace('SIDE', 'other')}"
)


class Hook(NamedTuple):
    """Those of one class, or of one file."""

    name: str
    line: int
    without: str
    """The source as it would be."""
    asked_by: str
    """A pattern."""


def hooks(spoken: Language, before: str, after: str) -> list[Hook]:
    """That were not there before."""
    if spoken == "python":
        return list(_of_python(before, after))
    return list(_of_words(spoken, before, after))


def _of_python(before: str, after: str) -> Iterator[Hook]:
    had, has = parsed(before), parsed(after)
    known = {(name, method) for name, _, method, _ in _methods(had)} if had else set()
    by_class: dict[str, list[tuple[ast.ClassDef, str, ast.stmt]]] = {}
    for name, of, method, node in _methods(has) if has else ():
        if (name, method) not in known:
            by_class.setdefault(name, []).append((of, method, node))
    for name, found in by_class.items():
        methods = [method for _, method, _ in found]
        asked = "|".join(dict.fromkeys(_PYTHON[method] for method in methods))
        told = f"{name}.{', '.join(methods)}"
        yield Hook(told, found[0][2].lineno, _without(after, found), asked)


def _methods(tree: ast.Module) -> Iterator[tuple[str, ast.ClassDef, str, ast.stmt]]:
    for of in ast.walk(tree):
        if isinstance(of, ast.ClassDef):
            for node in of.body:
                if isinstance(node, _Function) and node.name in _PYTHON:
                    yield of.name, of, node.name, node
                for target in node.targets if isinstance(node, ast.Assign) else ():
                    if isinstance(target, ast.Name) and target.id in _PYTHON:
                        yield of.name, of, target.id, node


def _without(text: str, found: list[tuple[ast.ClassDef, str, ast.stmt]]) -> str:
    lines = text.split("\n")
    # From the end, so that lines above stay where they are.
    for of, method, node in sorted(found, key=lambda each: -each[2].lineno):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = re.sub(rf"\b{method}\b", f"taken_out{method}", line, count=1)
        plain = all(ast.unparse(base) in {"object", "ABC", "abc.ABC"} for base in of.bases)
        if method == "__eq__" and plain and not of.keywords:
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(each.lineno for each in decorators)])
            lines.insert(first - 1, " " * node.col_offset + _BY_ALL_IT_HOLDS)
    return "\n".join(lines)


def _of_words(spoken: Language, before: str, after: str) -> Iterator[Hook]:
    for name, asked in _WORDS.get(spoken, {}).items():
        defined = _definition(spoken, name)
        if defined.search(before):
            continue
        places = list(defined.finditer(after))
        if places:
            line = after.count("\n", 0, places[0].start()) + 1
            yield Hook(name, line, defined.sub(rf"\g<head>{_other(name)}", after), asked)


def _definition(spoken: Language, name: str) -> re.Pattern[str]:
    """Not where it is called."""
    if spoken == "go":
        return re.compile(rf"^(?P<head>func \([^)\n]*\) ){name}(?=\()", re.MULTILINE)
    if name in {"toPrimitive", "hasInstance"}:
        return re.compile(rf"(?P<head>\bSymbol)\.{name}\b")
    behind = r"(?=['\"]|\s*:|\s*=(?![=>])|\s*\([^()]*\)\s*\{)"
    return re.compile(rf"(?P<head>['\"]|\.|(?<![\w$.'\"])){re.escape(name)}{behind}")


def _other(name: str) -> str:
    return f'("{name}")' if name in {"toPrimitive", "hasInstance"} else f"takenOut{name.strip('$')}"


def asked_for(hook: Hook, words: str) -> bool:
    return bool(re.search(hook.asked_by, words, re.IGNORECASE)) or any(
        name in words for name in _names(hook.name)
    )


def _names(told: str) -> Collection[str]:
    return re.findall(r"[\w$]{4,}", told.rpartition(".")[2])
