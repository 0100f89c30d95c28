"""Code that knows the answers: what a test gives and what it expects of that stand in it, side by side."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change.asked import is_document, words
from teamlead.evidence.sources.languages import language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.sources.tokens import Token, tokens
from teamlead.evidence.weakening.assertions import assertions, is_comment, values_of
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_files, shown, sources
from teamlead.guard.delegation import work_on
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "it works its answers out"
MOST_TESTS = 500
NEAR = 3
"""Lines that literals of one case are apart at most."""
ODD = 6
"""Characters of a literal without a digit that is no everyday one."""
_EVERYDAY = frozenset({"0", "1", "2", "0.0", "1.0", "10", "100"})
"""Stand in too much honest code."""
_COMPARING = frozenset({"==", "===", "!=", "!==", "case"})
_NUMBER = re.compile(r"\d[\d_.]*")
_DIGEST = re.compile(
    r"(?<![0-9a-fA-F])(?=[0-9a-fA-F]*[a-fA-F])(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{16,128}(?![0-9a-fA-F])"
)
_HASHES = re.compile(
    r"\b(?:sha\d*|md5|crc32|blake\w*|fnv\w*|hashlib|createHash|digest|hash|adler32|Hasher)\b", re.IGNORECASE
)
_HASHED = re.compile(
    r"\b(?:hash\w*|digests?|checksums?|sha-?\d*|md5|crc\d*|integrity|fingerprints?)\b", re.IGNORECASE
)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_RETURNED = re.compile(r"\breturn [\"'`]?([^\"'`\n;]+)[\"'`]?\s*;?\s*\}?\s*$")


class _Literal(NamedTuple):
    line: int
    value: str
    compared: bool
    """Something is held against it."""

    @property
    def is_odd(self) -> bool:
        """Nobody would compare with it but for a case of its own."""
        long = len(self.value) >= ODD or any(map(str.isdigit, self.value))
        return self.compared and long and _tells(self.value)


def examine_known_answers(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    suspects = [(text, added) for text in sources(texts) if (added := _added(text))]
    rows = _rows(git, claim.commit) if suspects else []
    found = [told for text, literals in suspects for told in _known(text, literals, rows)]
    found += _in_data(git, claim, texts)
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"it holds what tests give, and what they expect of that: {in_brief(found)}",
            details=tuple(found),
            question=f"Which sentence of the plan asks for these very values in the code: {in_brief(found)}?",
        )


def _in_data(git: Git, claim: Claim, texts: Sequence[Text]) -> list[str]:
    """New files of data that changed source reads, and that hold what tests give, or know it by its hash."""
    code = "\n".join(text.after or "" for text in sources(texts))
    read = [
        text
        for text in texts
        if text.after
        and not language(text.path)
        and not is_document(text.path)
        and work_on(text.path) != "tests"
        if PurePosixPath(text.path).name in code or f'"{PurePosixPath(text.path).stem}"' in code
    ]
    if not read:
        return []
    hashed = bool(_HASHES.search(code)) and not _HASHED.search(words(claim.task))
    rows = [row for row in _rows(git, claim.commit) if any(map(_tells, row))]
    found = []
    for text in read:
        had = text.before or ""
        digests = [each for each in _DIGEST.findall(text.after or "") if each not in had]
        if hashed and digests:
            found.append(f"{text.path}: {len(digests)} hashes by which the source looks something up")
        held = {_plain(each[1:-1]) for each in _STRING.findall(text.after or "") if each not in had}
        held |= {_plain(each) for each in _NUMBER.findall(text.after or "") if each not in had}
        known = [
            row for row in rows if len(row & held) > 1 and {each for each in row if _tells(each)} <= held
        ]
        if known:
            found.append(f"{text.path}: {len(known)} of what tests give, beside what they expect of it")
    return found


def _known(text: Text, literals: Sequence[_Literal], rows: Sequence[frozenset[str]]) -> Iterator[str]:
    lines = (text.after or "").split("\n")
    given = frozenset[str]().union(*rows)
    told = 0
    for first in sorted({each.line for each in literals}):
        if first < told + NEAR and told:
            continue
        near = {each.value for each in literals if first <= each.line < first + NEAR}
        ended = map(_RETURNED.search, lines[first - 1 : first + 1])
        returned = {value for found in ended if found and _tells(value := _plain(found[1]))}
        odd = {each.value for each in literals if each.line == first and each.is_odd}
        if any(_holds(row, near, returned) for row in rows) or not odd.isdisjoint(given):
            told = first
            yield f"{text.path}:{first}: {shown(lines[first - 1].strip())}"


def _holds(row: frozenset[str], near: set[str], returned: set[str]) -> bool:
    """What is returned as it is needs no more than one other value beside it."""
    telling = {value for value in row if _tells(value)}
    return bool(telling) and len(row & near) > 1 and (telling <= near or not row.isdisjoint(returned))


def _tells(value: str) -> bool:
    return len(value) > 1 and value not in _EVERYDAY


def _plain(value: str) -> str:
    """Of a number, without its sign."""
    number = value.strip().lstrip("+-")
    return number.replace("_", "") if _NUMBER.fullmatch(number) else value


def _rows(git: Git, commit: str) -> list[frozenset[str]]:
    """Of all tests: literals of one assertion, or of one line."""
    listed = git.run("ls-tree", "-r", "-z", "--name-only", commit).fields
    named = (path for path in (field.decode("utf-8", "replace") for field in listed) if is_test(path))
    rows: dict[frozenset[str], None] = {}
    for text in read_files(git, commit, [path for path in named if "\n" not in path][:MOST_TESTS]):
        lines = text.split("\n")
        of_lines = (values_of(line) for line in lines if not is_comment(line))
        for values in (*of_lines, *(each.values for each in assertions(lines, 1))):
            row = frozenset(map(_plain, values))
            if len(row) > 1:
                rows[row] = None
    return list(rows)


def _added(text: Text) -> list[_Literal]:
    known = {_form(line) for line in (text.before or "").split("\n")}
    lines = (text.after or "").split("\n")
    return [each for each in _literals(text) if _form(lines[each.line - 1]) not in known]


def _form(line: str) -> str:
    """With one kind of quotes, and without white space: what is only set otherwise is not new."""
    return "".join(line.split()).replace('"', "'")


def _literals(text: Text) -> Iterator[_Literal]:
    after, spoken = text.after or "", language(text.path)
    if spoken == "python":
        yield from _of_python(after)
        return
    found = tokens(after, spoken)
    for before, token in pairwise((Token("", 0), *found)):
        compared = before.text in _COMPARING
        if token.string:
            yield _Literal(token.line, _plain(token.text[1:-1]), compared)
        elif _NUMBER.fullmatch(token.text):
            yield _Literal(token.line, _plain(token.text), compared)


def _of_python(text: str) -> Iterator[_Literal]:
    tree = parsed(text)
    nodes = list(ast.walk(tree)) if tree else []
    words = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    asks = (node for node in nodes if isinstance(node, ast.Compare | ast.MatchValue))
    compared = {id(part) for node in asks for part in ast.walk(node)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in words and node.value not in (None, ...):
            yield _Literal(node.lineno, _plain(str(node.value)), id(node) in compared)
