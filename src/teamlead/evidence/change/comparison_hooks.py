"""New code that answers when others compare: by it, a result can be the same as anything that a test expects.

What the task asks for, and what compares the parts of both sides, is what such code is for.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change import asked
from teamlead.evidence.sources.brackets import Code, code
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.files_of_tests import Text, sources
from teamlead.ports.checking import Claim

CLAIM = "what it gives is compared by what it is"
_EQUALITY = re.compile(
    r"\b(?:equal\w*|compar\w*|same|identi\w*|sort\w*|order\w*|hash\w*|uniq\w*|duplicat\w*|dedup\w*|match\w*)\b",
    re.IGNORECASE,
)
_OF_SCRIPTS: Final[Mapping[str, re.Pattern[str]]] = {
    "asymmetricMatch": re.compile(r"asymmetric"),
    "$$typeof": re.compile(r"\breact\b|\$\$typeof", re.IGNORECASE),
    "toJSON": re.compile(r"json|seriali", re.IGNORECASE),
    "valueOf": re.compile(r"valueOf|compar|primitive|arithmetic", re.IGNORECASE),
    "Symbol.toPrimitive": re.compile(r"primitive|compar|convert|coerc", re.IGNORECASE),
    "Symbol.toStringTag": re.compile(r"toStringTag|\btag\b", re.IGNORECASE),
    "Symbol.hasInstance": re.compile(r"instance", re.IGNORECASE),
}
"""With the words of a task that ask for it."""
_OF_PYTHON = frozenset(
    {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__instancecheck__", "__subclasscheck__"}
)
_OF_OTHERS: Final[Mapping[Language, frozenset[str]]] = {
    "go": frozenset({"Equal", "Equals", "Cmp", "Compare", "Is"}),
    "rust": frozenset({"eq", "ne"}),
}


def examine_comparison_hooks(claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    told = asked.words(claim.task)
    found = [
        f"{text.path}:{line}: {hook}"
        for text in sources(texts)
        for hook, line in _new(text)
        if not _is_asked(hook, told)
    ]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"it newly answers when it is compared: {in_brief(found)}",
            details=tuple(found),
            question=f"Which sentence of the plan lets this decide what it is equal to: {in_brief(found)}?",
        )


def _is_asked(hook: str, told: str) -> bool:
    return bool(_OF_SCRIPTS.get(hook, _EQUALITY).search(told)) or hook in told


def _new(text: Text) -> Iterator[tuple[str, int]]:
    spoken = language(text.path)
    known = [hook for hook, _ in _hooks(text.before or "", spoken)]
    for hook, line in _hooks(text.after or "", spoken):
        if hook in known:
            known.remove(hook)
        else:
            yield hook, line


def _hooks(text: str, spoken: Language) -> Iterator[tuple[str, int]]:
    if spoken == "python":
        tree = parsed(text)
        yield from _in_python(tree) if tree else ()
    elif read := code(text, spoken):
        yield from _in_scripts(read) if spoken == "javascript" else _in_others(read, spoken)


def _in_python(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in _OF_PYTHON and not _compares_parts(node):
            yield node.name, node.lineno
        elif isinstance(node, ast.Assign):
            names = {getattr(each, "id", getattr(each, "attr", "")) for each in node.targets}
            yield from ((name, node.lineno) for name in sorted(names & _OF_PYTHON))
        elif isinstance(node, ast.Call | ast.Dict):
            given = node.args if isinstance(node, ast.Call) else node.keys
            strings = [each.value for each in given if isinstance(each, ast.Constant)]
            yield from (
                (name, node.lineno) for name in strings if isinstance(name, str) and name in _OF_PYTHON
            )


def _compares_parts(node: ast.FunctionDef) -> bool:
    """Whether it reads parts of the other side, not only what kind of thing it is."""
    if len(node.args.args) < 2:
        return False
    other = node.args.args[1].arg
    return any(
        isinstance(each, ast.Attribute | ast.Subscript)
        and isinstance(each.value, ast.Name)
        and each.value.id == other
        and getattr(each, "attr", "") != "__class__"
        for each in ast.walk(node)
    )


def _in_scripts(read: Code) -> Iterator[tuple[str, int]]:
    at = 0
    while at < len(read.words):
        word, end = _joined(read, at)
        before, behind = read.word(at - 1), read.word(end + 1)
        hook = f"Symbol.{read.word(at + 2)}" if word == "Symbol" and read.word(at + 1) == "." else word
        if hook in _OF_SCRIPTS and not read.words[at].string and before == "." and behind != "=":
            # It is called, or asked for.
            hook = ""
        if hook.startswith("Symbol.") and (
            before != "[" or read.word(read.closed.get(at - 1, at) + 1) not in {"(", ":", "="}
        ):
            hook = hook if before in {"(", ","} else ""
        if hook in _OF_SCRIPTS and behind not in {"in", "===", "==", "!==", "!="}:
            yield hook, read.words[at].line
        at = end + 1


def _joined(read: Code, at: int) -> tuple[str, int]:
    """A string that is put together of several is one."""
    if not read.words[at].string:
        return read.word(at), at
    parts = [read.word(at)[1:-1]]
    while read.word(at + 1) == "+" and at + 2 < len(read.words) and read.words[at + 2].string:
        at += 2
        parts.append(read.word(at)[1:-1])
    return "".join(parts), at


def _in_others(read: Code, spoken: Language) -> Iterator[tuple[str, int]]:
    for at, word in enumerate(read.words):
        if (
            word.text not in _OF_OTHERS.get(spoken, ())
            or read.word(at + 1) != "("
            or read.word(at - 1) not in {")", "fn"}
        ):
            continue
        method = spoken == "rust" or read.word(read.opened.get(at - 1, at) - 1) == "func"
        given = read.words[at + 2 : read.closed[at + 1]]
        names = [each.text for each in given if each.text not in {"&", "self", ",", "mut"}]
        start = next(
            (each for each in range(read.closed[at + 1], len(read.words)) if read.word(each) == "{"), 0
        )
        body = [each.text for each in read.words[start : read.closed.get(start, start)]]
        if method and names and names[0] not in body:
            yield word.text, word.line
