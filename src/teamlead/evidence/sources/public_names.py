"""The names that a source text has for others."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from teamlead.evidence.sources.languages import Language
from teamlead.evidence.sources.statements import Defining, parsed
from teamlead.evidence.sources.tokens import Token, tokens

_WORD = re.compile(r"[^\W\d][\w$]*")
_GO = frozenset({"func", "type", "const", "var"})
_RUST = frozenset({"fn", "struct", "enum", "trait", "const", "static", "type", "mod", "union"})
_SCRIPT = frozenset({"function", "class", "const", "let", "var", "interface", "type", "enum"})
_OPEN, _CLOSED = frozenset("([{"), frozenset(")]}")


def public_names(text: str, spoken: Language) -> set[str]:
    if spoken == "python":
        tree = parsed(text)
        return _of_python(tree) if tree else set()
    found = tokens(text, spoken)
    if spoken == "javascript":
        return {*_exported(found)}
    if spoken == "go":
        return {*_of_go(found)}
    return {*_of_rust(found)} if spoken == "rust" else set()


def bound_names(text: str, spoken: Language) -> set[str]:
    """Those that may be brought in from there, if only because it brings them in itself."""
    tree = parsed(text) if spoken == "python" else None
    return {*_bound(tree)} if tree else public_names(text, spoken)


def _of_python(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and "__all__" in {
            each.id for each in node.targets if isinstance(each, ast.Name)
        }:
            shown = ast.walk(node.value)
            return {str(each.value) for each in shown if isinstance(each, ast.Constant) and each.value}
    own = {
        name
        for node in tree.body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        for name in _bound(node)
    }
    return {name for name in own if not name.startswith("_") and name != "main"}


def _bound(node: ast.AST) -> Iterator[str]:
    """What its first level makes known, under whatever condition."""
    if isinstance(node, Defining):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))
    elif isinstance(node, ast.Module | ast.If | ast.Try | ast.With | ast.ExceptHandler):
        for each in ast.iter_child_nodes(node):
            yield from _bound(each)


def _exported(found: Sequence[Token]) -> Iterator[str]:
    words = [token.text for token in found]
    # What is exported whole may have parts: `module.exports = cart`, `cart.add = add`.
    owners = ["exports", *(words[at + 4] for at in range(len(words) - 4) if _is_whole(words, at))]
    for at, word in enumerate(words):
        after = words[at + 1 : at + 4]
        if word == "export" and after:
            names = after[1:] if after[0] in {"async", "declare", "abstract"} else after
            if names[0] in _SCRIPT and len(names) > 1:
                yield words[words.index(names[0], at) + (2 if names[1] == "*" else 1)]
            elif names[0] == "{":
                yield from _listed(words, at + 1)
        elif word in owners and len(after) == 3 and (after[0], after[2]) == (".", "="):
            yield after[1]
        elif _is_whole(words, at) and words[at + 4] == "{":
            yield from _keys(words, at + 4)


def _is_whole(words: Sequence[str], at: int) -> bool:
    return [*words[at : at + 4]] == ["module", ".", "exports", "="] and at + 4 < len(words)


def _listed(words: Sequence[str], at: int) -> Iterator[str]:
    """`{ one, two as three }`."""
    for word, after in pairwise(words[at + 1 :]):
        if word == "}":
            return
        if _WORD.fullmatch(word) and after in {",", "}"}:
            yield word


def _keys(words: Sequence[str], at: int) -> Iterator[str]:
    depth = 0
    for before, word in pairwise(words[at - 1 :]):
        depth += (word in _OPEN) - (word in _CLOSED)
        if depth == 0 and word == "}":
            return
        if depth == 1 and before in {"{", ","}:
            plain = word.strip("\"'")
            if _WORD.fullmatch(plain):
                yield plain


def _of_go(found: Sequence[Token]) -> Iterator[str]:
    words = [token.text for token in found]
    if words[:2] == ["package", "main"]:
        return
    depth = 0
    for at, word in enumerate(words[:-1]):
        depth += (word in _OPEN) - (word in _CLOSED) if not found[at].string else 0
        if depth or word not in _GO:
            continue
        name = at + 1
        if word == "func" and words[name] == "(":
            name = words.index(")", name) + 1 if ")" in words[name:] else name
        if words[name : name + 1] and words[name][0].isupper():
            yield words[name]


def _of_rust(found: Sequence[Token]) -> Iterator[str]:
    words = [token.text for token in found]
    for at, word in enumerate(words):
        if word != "pub":
            continue
        rest = [each for each in words[at + 1 : at + 6] if each not in {"async", "unsafe", "extern"}]
        if len(rest) > 1 and rest[0] in _RUST and _WORD.fullmatch(rest[1]):
            yield rest[2] if rest[:2] == ["const", "fn"] and len(rest) > 2 else rest[1]
