"""New names of the source that nothing reads, or only tests do: what they were made for does not use them."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change import asked
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.sources.tokens import tokens
from teamlead.evidence.weakening.files_of_tests import Text, is_test, sources
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "what it adds is used"
MOST_NAMES = 60
MOST_PLACES = 2000
_KEYWORDS: dict[Language, frozenset[str]] = {
    "javascript": frozenset({"function", "class", "const", "let", "var"}),
    "go": frozenset({"func", "type", "const", "var"}),
    "rust": frozenset({"fn", "struct", "enum", "const", "static", "trait"}),
}
_CALLED = frozenset({"main", "init", "TestMain"})
"""By whoever runs it."""
_FRONTS = frozenset({"__init__", "index", "lib", "mod"})
_NAME = re.compile(r"[^\W\d]\w*")


def examine_names_used(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    # What stood in another file before has moved.
    had = {name for text in texts for name in _names(text.before or "", language(text.path))}
    new = [(text, name) for text in sources(texts) for name in _names_in(text) if name not in had][
        :MOST_NAMES
    ]
    told = asked.words(claim.task)
    # What the task names is for others to use.
    new = [(text, name) for text, name in new if not re.search(rf"\b{re.escape(name)}\b", told)]
    places = _places(git, claim.commit, [name for _, name in new])
    unread, tested = [], []
    for text, name in new:
        others = [
            path
            for path, line in places
            if re.search(rf"\b{re.escape(name)}\b", line) and not _defines(name, line, path)
        ]
        if not others:
            unread.append(f"{text.path}: {name!r} is new, and nothing reads it")
        elif all(is_test(path) for path in others):
            tested.append(f"{text.path}: {name!r} is new, and only tests read it")
    for found in (unread, tested):
        if found:
            question = (
                f"Which sentence of the plan asks for what the program itself does not use? {in_brief(found)}"
            )
            yield Evidence(
                "change", "flagged", CLAIM, in_brief(found), details=tuple(found), question=question
            )


def _names_in(text: Text) -> list[str]:
    spoken = language(text.path)
    called = _CALLED if spoken == "go" else {"main"}
    return [name for name in dict.fromkeys(_names(text.after or "", spoken)) if name not in called]


def _names(text: str, spoken: Language) -> Iterator[str]:
    """Those of its first level that nothing calls by itself: what is decorated is called by others."""
    if spoken == "python":
        tree = parsed(text)
        for each in tree.body if tree else ():
            if (
                isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                and not each.decorator_list
            ):
                yield each.name
            elif isinstance(each, ast.Assign | ast.AnnAssign):
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                yield from (
                    one.id for one in targets if isinstance(one, ast.Name) and not one.id.startswith("__")
                )
        return
    depth = 0
    found = tokens(text, spoken) if spoken in _KEYWORDS else []
    for token, after in pairwise(found):
        if not token.string:
            depth += (token.text in {"{", "("}) - (token.text in {"}", ")"})
        if depth == 0 and token.text in _KEYWORDS[spoken] and _NAME.fullmatch(after.text):
            yield after.text


def _places(git: Git, commit: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """Where these words stand, with the line."""
    if not names:
        return []
    given = [part for name in names for part in ("-e", name)]
    told = git.run("grep", "-I", "-w", "-F", "-z", *given, commit, ok=(0, 1)).text
    lines = told.split("\n")[:MOST_PLACES]
    return [
        (path.removeprefix(f"{commit}:"), line)
        for path, divided, line in (each.partition("\0") for each in lines)
        if divided
    ]


def _defines(name: str, line: str, path: str) -> bool:
    """Whether the line does nothing with it but to define it, or to bring it in from elsewhere."""
    rest = re.split(r"[#]|//", line)[0]
    if re.match(r"\s*(?:from|import|export \{|pub use|use)\b", rest):
        # What a package shows of itself is for others.
        return PurePosixPath(path).stem not in _FRONTS
    defined = re.match(
        r"\s*(?:export |default |pub(?:\(\w+\))? |async |static )*"
        r"(?:def|class|function\*?|const|let|var|func(?: \([^)]*\))?|type|fn|struct|enum|trait|interface)?"
        rf" ?{re.escape(name)}\b\s*(?:[(:=<{{\[]|struct|interface|$)",
        rest,
    )
    if defined is None or _called(name, rest):
        return False
    return not re.search(rf"\b{re.escape(name)}\b", rest[defined.end() :])


def _called(name: str, line: str) -> bool:
    """A statement that begins with its name, and is a call: no definition."""
    return bool(re.match(rf"\s*{re.escape(name)}\s*\(.*\)\s*;?\s*$", line))
