"""Where a script of JavaScript puts its own in the place of a part of a package or of a builtin."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from teamlead.evidence.sources.tokens import Token

_BUILTINS = frozenset(
    {
        "Object",
        "Array",
        "String",
        "Number",
        "Boolean",
        "Function",
        "Promise",
        "Map",
        "Set",
        "WeakMap",
        "WeakSet",
    }
    | {"RegExp", "Date", "Math", "JSON", "Reflect", "Symbol", "Error", "console", "process", "Buffer"}
    | {"global", "globalThis", "expect", "describe", "jest"}
)
_TEST_NAMES = frozenset(
    {"expect", "assert", "describe", "it", "test", "jest", "vi", "chai", "suite", "beforeEach", "afterEach"}
)
_TEST_PACKAGE = re.compile(
    r"(?:node:)?(?:assert|test)(?:/\w+)?|assert|chai|expect(?:\.js)?|tape|tap|ava|mocha|jest|vitest|jasmine|should"
    r"|power-assert|@jest/.+|@playwright/test"
)
_FREE = frozenset({"process.exitCode", "process.env", "process.title"})
"""Made to be set."""
_SETTERS = frozenset(
    {"Object.defineProperty", "Object.defineProperties", "Object.assign", "Object.setPrototypeOf"}
    | {"Reflect.set", "Reflect.defineProperty", "Reflect.deleteProperty"}
)
_SETS = re.compile(r"(?:[-+*/%&|^]|\|\||&&|\?\?)?=(?![=>]).*")
_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")


def replaced_in_scripts(found: Sequence[Token]) -> Iterator[tuple[str, int, bool]]:
    """What is set, in which line, and whether it is part of what decides on tests."""
    words = [token.text for token in found]
    packages = dict(_packages(words, found))
    for at, word in enumerate(words):
        if found[at].string or (at and words[at - 1] in {".", "?."}):
            continue
        owner, end = _owner(words, at, packages)
        if not owner:
            continue
        path, end = _path(words, end)
        shown = ".".join((word if word != "require" else f"require({owner})", *path))
        deciding = _decides(owner, path)
        if path and end < len(words) and _SETS.fullmatch(words[end]) and not _is_free(shown):
            yield f"{shown} =", found[at].line, deciding
        elif shown in _SETTERS and words[end : end + 1] == ["("]:
            owner, end = _owner(words, end + 1, packages)
            path, end = _path(words, end) if owner else ([], end)
            if owner and words[end : end + 1] == [","]:
                yield f"{shown}({'.'.join((owner, *path))}, ...)", found[at].line, _decides(owner, path)


def _owner(words: Sequence[str], at: int, packages: dict[str, str]) -> tuple[str, int]:
    """What others bring that stands here, and where it ends."""
    word = words[at] if at < len(words) else ""
    if word == "require" and words[at + 1 : at + 2] == ["("] and words[at + 3 : at + 4] == [")"]:
        package = words[at + 2].strip("\"'`")
        return ("" if package.startswith((".", "/")) else package), at + 4
    if word in packages:
        return packages[word], at + 1
    return (word if word in _BUILTINS else ""), at + 1


def _path(words: Sequence[str], at: int) -> tuple[list[str], int]:
    path = []
    while at + 1 < len(words):
        if words[at] == "." and _WORD.fullmatch(words[at + 1]):
            path.append(words[at + 1])
            at += 2
        elif words[at] == "[" and words[at + 2 : at + 3] == ["]"]:
            path.append(words[at + 1].strip("\"'"))
            at += 3
        else:
            break
    return path, at


def _is_free(shown: str) -> bool:
    return any(shown == each or shown.startswith(f"{each}.") for each in _FREE)


def _decides(owner: str, path: Sequence[str]) -> bool:
    given = path[0] if owner in {"global", "globalThis"} and path else owner
    return given in _TEST_NAMES or bool(_TEST_PACKAGE.fullmatch(given))


def _packages(words: Sequence[str], found: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The names that packages are brought in by: `const name = require('x')`, `import name from 'x'`."""
    for at, word in enumerate(words):
        if (
            word == "require"
            and words[at + 1 : at + 2] == ["("]
            and at + 2 < len(words)
            and found[at + 2].string
        ):
            package = words[at + 2].strip("\"'`")
            if (
                at > 1
                and words[at - 1] == "="
                and _WORD.fullmatch(words[at - 2])
                and not package.startswith((".", "/"))
            ):
                # It may be a part of it that is brought in.
                yield words[at - 2], package
        elif word == "import":
            line = words[at : at + 40]
            end = line.index("from") + 1 if "from" in line else 0
            if end and end < len(line) and not line[end].strip("\"'").startswith((".", "/")):
                for name, after in pairwise(line[1 : end + 1]):
                    if _WORD.fullmatch(name) and name not in {"as", "type", "from"} and after != "as":
                        yield name, line[end].strip("\"'")
