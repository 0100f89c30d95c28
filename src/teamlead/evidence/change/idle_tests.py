"""New tests that assert nothing: they run the code, and pass whatever it gives."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change.words_that_assert import Code, asserts, code_of, own_names
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_files
from teamlead.evidence.weakening.paired_tests import new_tests
from teamlead.evidence.weakening.single_tests import Test
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "its new tests can fail"
MOST_FILES = 500
_LANGUAGES: frozenset[Language] = frozenset({"python", "javascript", "go", "rust"})
_AFTERWARDS = re.compile(r"def ((?:asyncT|t)ear[dD]own(?:_method)?)\b")
"""Asserts for every test of its class."""
_AFTER_EACH = re.compile(r"\bafterEach\(")
_IS_OFF = re.compile(
    r"\s*(?:x(?:it|test)\(|(?:it|test)\.(?:skip|todo)\(|#\[ignore|@(?:pytest\.mark|unittest)\.skip(?:\(|$)"
    r"|@(?:pytest\.)?fixture|pytest\.skip\(|self\.skipTest\(|t\.Skip)"
)
_NO_TEST = re.compile(r"TestMain$|Example|Benchmark")


class _Suspect(NamedTuple):
    text: Text
    test: Test
    code: Code

    @property
    def spoken(self) -> Language:
        return language(self.text.path)


def examine_idle_tests(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    suspects = list(_suspects([text for text in texts if is_test(text.path, f"{text.before}{text.after}")]))
    if not suspects:
        return
    listed = git.run("ls-tree", "-r", "-z", "--name-only", claim.commit).fields
    paths = frozenset(path for each in listed if "\n" not in (path := each.decode("utf-8", "replace")))
    helpers = {
        spoken: _Helpers(git, claim.commit, paths, spoken) for spoken in {each.spoken for each in suspects}
    }
    found = [
        f"{each.text.path}:{each.test.line}: the new test {each.test.name!r} asserts nothing"
        for each in suspects
        if not helpers[each.spoken].assert_for(each)
    ]
    if found:
        yield Evidence(
            "tests",
            "flagged",
            claim=CLAIM,
            found=in_brief(found),
            details=tuple(found),
            question=f"What would make it fail, other than an error on the way: {in_brief(found)}?",
        )


def _suspects(tests: Sequence[Text]) -> Iterator[_Suspect]:
    """New tests in which nothing asserts, unless what they call does."""
    new = new_tests(tests)
    for text in tests:
        spoken = language(text.path)
        own = {test.line: test for name, test in new.items() if name.startswith(f"{text.path}::")}
        if not own or spoken not in _LANGUAGES or _AFTER_EACH.search(text.after or ""):
            continue
        for code in code_of(text.after or "", spoken):
            test = own.get(code.line)
            if test and not _is_off(test) and not asserts(code, spoken, code.words):
                yield _Suspect(text, test, code)


def _is_off(test: Test) -> bool:
    """It does not run, so that it shows nothing, and hides nothing. Or it is no test."""
    first = test.lines[: test.line - test.first + 2]
    return bool(_NO_TEST.match(test.name)) or any(_IS_OFF.match(line) for line in first)


class _Helpers:
    """What tests may call that stands in any test file of the commit."""

    def __init__(self, git: Git, commit: str, paths: frozenset[str], spoken: Language) -> None:
        wanted = sorted(path for path in paths if language(path) == spoken and is_test(path))
        self._texts = read_files(git, commit, wanted[:MOST_FILES])
        self._paths, self._spoken = paths, spoken

    def assert_for(self, suspect: _Suspect) -> bool:
        text = suspect.text.after or ""
        own = own_names(suspect.text.path, text, self._spoken, self._paths)
        if asserts(suspect.code, self._spoken, own | self._asserting.keys()):
            return True
        called = {*suspect.code.words, *_AFTERWARDS.findall(text)}
        return any(self._asserting.get(word) for word in called)

    @cached_property
    def _asserting(self) -> dict[str, bool]:
        """By name, whether it asserts or calls what does."""
        codes = [code for text in self._texts for code in code_of(text, self._spoken) if not code.is_test]
        found = dict.fromkeys((code.name for code in codes), False)
        asserting = {code.name for code in codes if asserts(code, self._spoken, found.keys())}
        words = {code: code.words for code in codes}
        while more := {
            code.name
            for code in codes
            if code.name not in asserting and not asserting.isdisjoint(words[code])
        }:
            asserting |= more
        return {name: name in asserting for name in found}
