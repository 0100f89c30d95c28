"""Functions that the task wants changed, and that the work leaves as they were.

With others: then it neither changes, reaches nor tests them. Or they stand in its title: then it changes
other functions, and none that these use.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.sources.brackets import Code, code
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.statements import Defining, parsed
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_texts, sources
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "all that the task wants changed is"
MOST_FILES = 300
NEAR = 50
"""Characters."""
_NAME = (
    r"(?:`(?:[\w$]+\.)*([^\W\d][\w$]*)(?:\(\))?`"
    r"|\b([a-z]\w*(?=\(\))|[a-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?:\(\))?)"
)
_CODE = r"(?:`(?:[\w$]+\.)*([^\W\d][\w$]*)\([^`]*\)`|\b([^\W\d][\w$]*)(?=\(\)))"
"""A function as code calls it: no mere word."""
_NEAR = r"(?:\s*(?:,|\b(?:and|or|as well as|also|both|in|of|for|by|the)\b|と|や|および|[와과]|및|에서)\s*)+"
_TOGETHER = re.compile(rf"{_NAME}(?={_NEAR}{_NAME})")
_MUST = re.compile(rf"{_NAME}(?:\s+\w+)?\s+(?:must|should|shall|has to|have to|needs? to|ought to)\s+\w+")
_KEPT = re.compile(
    r"\b(?:no longer|not|never|instead|without|rather|stays?|remains?|keeps?|kept|unchanged|untouched"
    r"|as (?:it is|they are|before)|already|like|unlike|same as|calls?|called|uses?|used|left|leave|only"
    r"|except|but)\b|n't\b|ない|않|そのまま|그대로",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d][\w$]*")
_DECLARES = frozenset(
    {"const", "var", "let", "type", "struct", "enum", "class", "interface", "static", "trait"}
)
_HEADED = frozenset({"if", "for", "while", "switch", "catch", "with", "return", "function"})
_BEFORE_METHOD = frozenset({"{", "}", ";", ",", "async", "static", "get", "set", "*", ""})


class _Asked(NamedTuple):
    """Names of functions."""

    wanted: set[str]
    """They are to change together."""
    named: set[str]
    titled: set[str]


class _Body(NamedTuple):
    text: str
    words: frozenset[str]


def examine_left_out(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    task = claim.task
    if task.type != "implementation":
        return
    said = (task.title, task.description, *task.acceptance)
    named = set(map(_name, _found(_NAME, said)))
    wanted = _together(said) | set(map(_name, _found(_MUST, said))) | (_together([claim.text]) & named)
    titled = set(map(_name, _found(_CODE, (task.title,))))
    found = [
        f"{name}: it is as it was, and nothing that was changed calls it, or is called by it"
        for name in (_left_out(git, claim, texts, _Asked(wanted, named, titled)) if wanted | titled else ())
    ]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"the task wants more changed: {in_brief(found)}",
            details=tuple(found),
            question=f"Where does the work do for these what the task asks? {in_brief(found)}",
        )


def _found(pattern: str | re.Pattern[str], texts: Sequence[str]) -> Iterator[re.Match[str]]:
    """Where what stands around it does not say that it is to stay as it is."""
    for text in texts:
        for sentence in re.split(r"[.;:](?:\s|$)|\n\s*\n|。", text):
            for each in re.finditer(pattern, sentence):
                around = sentence[max(0, each.start() - NEAR) : each.end() + NEAR]
                if not _KEPT.search(around):
                    yield each


def _name(found: re.Match[str]) -> str:
    return str(found[1] or found[2])


def _together(texts: Sequence[str]) -> set[str]:
    """Names that stand side by side: what is said of one is said of all."""
    pairs = (each.groups() for each in _found(_TOGETHER, texts))
    return {name for pair in pairs for name in pair if name}


def _left_out(git: Git, claim: Claim, texts: Sequence[Text], asked: _Asked) -> list[str]:
    code = [text for text in texts if language(text.path)]
    spoken = {language(text.path) for text in sources(texts)}
    came = {word for text in code for line in _added(text) for word in _WORD.findall(line)}
    missing = asked.wanted - came
    if len(spoken) != 1 or not missing | asked.titled:
        return []
    listed = git.run("ls-tree", "-r", "-z", "--name-only", claim.commit).fields
    paths = [
        path for path in (each.decode("utf-8", "replace") for each in listed) if language(path) in spoken
    ]
    paths = [path for path in paths if not is_test(path) and "\n" not in path]
    if len(paths) > MOST_FILES:
        return []
    before, after = dict[str, str](), dict[str, frozenset[str]]()
    now = dict[str, str]()
    for text in read_texts(git, claim.base, claim.commit, paths):
        for name, body in _bodies(text.before or "", language(text.path)):
            before[name] = before.get(name, "") + body.text
        for name, body in _bodies(text.after or "", language(text.path)):
            now[name] = now.get(name, "") + body.text
            after[name] = after.get(name, frozenset()) | body.words
    changed = {name for name in {*before, *now} if before.get(name) != now.get(name)}
    touched = changed | _data(code)

    def is_as_it_was(name: str) -> bool:
        there = name in before and name in now and name not in touched
        used = any(name in after.get(each, ()) for each in changed)
        return there and not used and not _reaches(name, touched, after)

    if changed.isdisjoint(asked.named | asked.wanted):
        # Its words are of something else, but for its title: that is of these.
        alone = bool(changed) and all(map(is_as_it_was, asked.titled))
        return sorted(asked.titled) if alone else []
    return sorted(filter(is_as_it_was, missing))


def _reaches(name: str, touched: set[str], words: Mapping[str, frozenset[str]]) -> bool:
    """Whether it uses something of that, if only by what it calls."""
    seen, left = {name}, [name]
    while left:
        here = words.get(left.pop(), frozenset())
        if not here.isdisjoint(touched):
            return True
        more = (here & words.keys()) - seen
        seen |= more
        left += more
    return False


def _added(text: Text) -> list[str]:
    had = {*(text.before or "").split("\n")}
    return [line for line in (text.after or "").split("\n") if line not in had]


def _data(texts: Sequence[Text]) -> set[str]:
    """Names of tables, types and constants of which a line was changed."""
    found: set[str] = set()
    for text in texts:
        before, after = ({*(side or "").split("\n")} for side in (text.before, text.after))
        for side in (text.before, text.after):
            found |= {*_holding((side or "").split("\n"), before ^ after)}
    return found


def _holding(lines: Sequence[str], changed: set[str]) -> Iterator[str]:
    name, is_block = "", False
    for line in lines:
        if line and not line[0].isspace() and (words := _WORD.findall(line)):
            declared = [after for word, after in pairwise(words) if word in _DECLARES]
            assigned = re.match(r"([^\W\d][\w$]*)\s*(?::[^=]*)?=[^=]", line)
            name = declared[0] if declared else assigned[1] if assigned else ""
            is_block = words[0] in _DECLARES and line.rstrip().endswith("(")
        if line in changed and (name or is_block):
            yield name
            yield from _WORD.findall(line)[: int(is_block)]


def _bodies(text: str, spoken: Language) -> Iterator[tuple[str, _Body]]:
    if spoken == "python":
        tree = parsed(text)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, Defining):
                yield node.name, _Body(ast.dump(node), frozenset(_names_in(node)))
        return
    read = code(text, spoken)
    for at in range(len(read.words)) if read else ():
        is_name = read and _WORD.fullmatch(read.word(at)) and read.word(at) not in _HEADED
        if read and is_name and (end := _end(read, at, spoken)):
            words = [word.text for word in read.words[at + 1 : end]]
            yield read.word(at), _Body(" ".join(words), frozenset(words))


def _names_in(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr


def _end(read: Code, at: int, spoken: Language) -> int:
    """Behind the body of the function that has its name here; 0: none has."""
    before, head = read.word(at - 1), at + 1
    if spoken in {"go", "rust"}:
        method = before == ")" and read.word(read.opened.get(at - 1, at) - 1) == "func"
        if before not in {"func", "fn"} and not method:
            return 0
    elif before in {"function", "*"} or (read.word(head) == "(" and before in _BEFORE_METHOD):
        pass
    elif read.word(head) in {"=", ":"}:
        head += 1 + (read.word(head + 1) == "async")
        head += (read.word(head) == "function") * (1 + (read.word(head + 1) != "("))
    else:
        return 0
    while read.word(head) not in {"(", "", ";", "{"}:
        head += 1
    behind = read.after(head) if read.word(head) == "(" else 0
    for _ in range(60):
        if not behind or read.word(behind) in {"", ";", ",", ")", "."}:
            return 0
        if read.word(behind) == "{":
            return read.after(behind)
        behind = read.after(behind)
    return 0
