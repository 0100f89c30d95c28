"""The changed tests of one piece of work, test by test: does each still assert as much?"""

import builtins
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from teamlead.core.evidence.names_of_tests import file_of
from teamlead.core.evidence.values import GoneTest
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening import disabled_tests
from teamlead.evidence.weakening.assertions import (
    Assertion,
    Strength,
    assertions,
    is_comment,
    values_of,
    words_of,
)
from teamlead.evidence.weakening.expected_errors import (
    ExpectedError,
    expected_error,
    expects_less,
    says_what,
)
from teamlead.evidence.weakening.files_of_tests import Finding, Text, shown
from teamlead.evidence.weakening.paired_tests import (
    ALIKE,
    MOST_COMPARED,
    likeness_of,
    named_tests,
    paired_tests,
)
from teamlead.evidence.weakening.same_assertions import meaning
from teamlead.evidence.weakening.single_tests import Test, all_tests_of, helpers_of, outside

_TOLERANCE = re.compile(r"\b(?:r?tol|atol|rel|abs|delta|eps(?:ilon)?|rel_tol|abs_tol) ?[=:] ?([\d.eE+-]+)")
_LAST = re.compile(r"(?:InDelta|InEpsilon)\w*\(.*, ?([\d.eE+-]+)\)")
_BOUND = re.compile(r"\babs\(.*\) ?<=? ?([\d.eE+-]+)")
_DIGITS = re.compile(r"(?:places|decimal|significant) ?= ?(\d+)|toBeCloseTo\(.*, ?(\d+)\)")
_TOKEN = re.compile(r"\"[^\"]*\"|'[^']*'|\w+|\S")
CLOSE = 0.8
LONGEST = 400
_CALL = re.compile(r"(?:self\.|this\.|cls\.)?(\w+)\(")
_MARK = re.compile(r"@pytest\.mark\.(\w+)")
_OF_PYTEST = frozenset({"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings"})
_CALLED = re.compile(r"(?<!def )(?<!func )(?<!function )\b([^\W\d]\w*)!?\(")
_DEFINED = re.compile(
    r"\b(?:def|class|function|func|fn|const|let|var|interface|type|struct|enum|trait|module)\s+"
    r"(?:\([^)\n]*\)\s*)?(?:self\.)?(\w+)"
)


NO_HELPERS: Mapping[str, Test] = {}


_CONDITION = re.compile(r"[\s}]*(?:if|elif|else if|unless|while|when|case|match)\b")
_RAISES = frozenset({"raise", "throw", "panic", "exit", "fail"})
_BUILT_IN = frozenset(dir(builtins))


def nowhere(_: str) -> bool | None:
    return None


class Added(NamedTuple):
    """A line that was added to tests."""

    parts: frozenset[str]
    """Its words and literals."""
    called: frozenset[str]
    decides: bool
    """It is a condition: an error may be raised by it."""


class Rest(NamedTuple):
    """What else the change did."""

    added: tuple[Added, ...] = ()
    asserted: frozenset[str] = frozenset()
    """Words and literals of all assertions that were added."""
    asserts: Callable[[str], bool | None] = nowhere
    """Whether a function does that stands in a file that was not changed; None: nobody knows."""
    gone: frozenset[str] = frozenset()
    """Names that the code no longer defines: what speaks of them has to change."""
    had: Mapping[str, Test] = NO_HELPERS
    """What tests could call, by name."""
    has: Mapping[str, Test] = NO_HELPERS

    def holds(self, assertion: Assertion) -> bool:
        """What moved was not removed: not where the same words stand there, and assert nothing any more."""
        parts = {*assertion.values, *assertion.words}
        found = {
            part
            for line in self.added
            if not parts <= line.parts or self._may_assert(line, assertion)
            for part in line.parts
        }
        return bool(parts) and parts <= found | self.asserted

    def stands(self, assertion: Assertion) -> bool:
        """Its words are there: what asserts now may get what came out from a name or a table."""
        parts = {*assertion.values, *assertion.words}
        return bool(parts) and parts <= {part for line in self.added for part in line.parts}

    def unsure(self, assertion: Assertion) -> bool:
        """Nobody knows whether what is called with it asserts."""
        parts = {*assertion.values, *assertion.words}
        lines = [line for line in self.added if parts <= line.parts]
        names = {name for line in lines for name in self._helpers(line, assertion)}
        return bool(names) and not self.asserted >= parts and all(self._known(name) is None for name in names)

    def _may_assert(self, line: Added, assertion: Assertion) -> bool:
        if line.decides and any(_RAISES & each.parts for each in self.added):
            return True
        return any(self._known(name) is not False for name in self._helpers(line, assertion))

    def _helpers(self, line: Added, assertion: Assertion) -> frozenset[str]:
        return line.called - assertion.words - _BUILT_IN

    def _known(self, name: str) -> bool | None:
        helper = self.has.get(name)
        return asserts_something(helper, self.has) if helper else self.asserts(name)

    def obsolete(self, *lost: Assertion) -> bool:
        return all(self.gone & one.words for one in lost)


def read_tests(
    tests: Sequence[Text], code: Sequence[Text], asserts: Callable[[str], bool | None] = nowhere
) -> Iterator[Finding]:
    """`code` is what changed beside the tests, `asserts` tells of functions that did not change."""
    gone = frozenset(_defined(code, "before") - _defined(code, "after"))
    added = tuple(
        Added(
            frozenset((*words_of(line), *values_of(line))),
            frozenset(_CALLED.findall(line)),
            bool(_CONDITION.match(line)),
        )
        for text in tests
        for line in _added(text)
    )
    asserted = frozenset(
        part for text in tests for one in _new_assertions(text) for part in (*words_of(one), *values_of(one))
    )
    helpers = _helpers(tests, "before"), _helpers(tests, "after")
    rest = Rest(added, asserted, asserts, gone, *helpers)
    had = named_tests(tests, "before")
    has = named_tests(tests, "after")
    same = paired_tests(had, has)
    for name, now in same.items():
        path = file_of(now)
        if had[name].lines != has[now].lines:
            yield from compare(path, had[name], has[now], rest)
            yield from disabled_tests.in_test(path, language(path), had[name], has[now])
    yield from _deleted({name: test for name, test in had.items() if name not in same}, tests, rest)
    for name in has.keys() - set(same.values()):
        yield from _empty(file_of(name), has[name])
    for text in tests:
        known = {has[now].line for now in same.values() if file_of(now) == text.path}
        yield from _shared(text, known, rest)


def _helpers(texts: Iterable[Text], side: str) -> dict[str, Test]:
    return {
        helper.name: helper
        for text in texts
        for helper in helpers_of(getattr(text, side) or "", language(text.path))
    }


def _new_assertions(text: Text) -> Iterator[str]:
    had, has = (
        Counter(one.text for one in assertions((each or "").split("\n"), 1))
        for each in (text.before, text.after)
    )
    yield from has - had


def asserts_something(test: Test, helpers: Mapping[str, Test]) -> bool:
    return any(one.strength > Strength.EMPTY for one in _asserted(test, helpers))


def _asserted(test: Test, helpers: Mapping[str, Test]) -> list[Assertion]:
    """What it asserts, with what the functions do that it calls."""
    # A call of one of these asserts what stands in it, whatever it is called.
    found = [one for one in assertions(test.lines, test.first) if _name_called(one) not in helpers]
    seen = {test.name}
    names = _called(test)
    while names:
        name = names.pop()
        if name in helpers and name not in seen:
            seen.add(name)
            helper = helpers[name]
            found += assertions(helper.lines[1:], helper.first + 1)
            names += _called(helper)
    return found


def _name_called(assertion: Assertion) -> str:
    found = _CALL.match(assertion.text)
    return found[1] if found else ""


def _called(test: Test) -> list[str]:
    return [name for line in test.lines if not is_comment(line) for name in _CALLED.findall(line)]


def newly_marked(tests: Sequence[Text], asked: str) -> Iterator[Finding]:
    """Tells of tests with a mark that the task asks for: with it they may be left out."""
    had, has = named_tests(tests, "before"), named_tests(tests, "after")
    for name in had.keys() & has.keys():
        old = {mark for line in had[name].lines for mark in _MARK.findall(line)}
        for mark in {mark for line in has[name].lines for mark in _MARK.findall(line)} - old:
            if mark not in _OF_PYTEST and re.search(rf"\b{mark}\b", asked):
                sentence = (
                    f"the test {has[name].name!r} is marked {mark!r}, as the task says, and may be left out"
                )
                path = file_of(name)
                gone = GoneTest(path, has[name].name)
                yield Finding(path, has[name].line, sentence, objected=False, gone=gone)


def _added(text: Text) -> list[str]:
    before = Counter(line.strip() for line in (text.before or "").split("\n"))
    found: list[str] = []
    for line in (text.after or "").split("\n"):
        if before[line.strip()]:
            before[line.strip()] -= 1
        elif not is_comment(line):
            found.append(line)
    return found


def _deleted(deleted: dict[str, Test], texts: Sequence[Text], rest: Rest) -> Iterator[Finding]:
    """Tells of deleted tests, unless they were merged into others. With the code they tested they may go."""
    lost: dict[str, list[Finding]] = {}
    for name, test in deleted.items():
        claims = assertions(test.lines, test.first)
        if claims and all(rest.holds(claim) for claim in claims):
            continue
        path = file_of(name)
        obsolete = bool(rest.gone & set(re.findall(r"\w+", "\n".join(test.lines))))
        why = ", with the code that it tested" if obsolete else ""
        sentence = f"the test {test.name!r} was deleted{why}"
        finding = Finding(path, test.line, sentence, not obsolete, GoneTest(path, test.name))
        lost.setdefault(path, []).append(finding)
    absent = {text.path for text in texts if text.after is None}
    for path, findings in lost.items():
        if path in absent and len(findings) > 1:
            objected = any(finding.objected for finding in findings)
            sentence = f"the file was deleted with all its {len(findings)} tests"
            yield Finding(path, 0, sentence, objected, GoneTest(path))
        else:
            yield from findings


def _defined(texts: Iterable[Text], side: str) -> set[str]:
    return {name for text in texts for name in _DEFINED.findall(getattr(text, side) or "")}


def _empty(path: str, test: Test) -> Iterator[Finding]:
    claims = assertions(test.lines, test.first)
    if claims and all(claim.strength == Strength.EMPTY for claim in claims):
        yield Finding(path, test.line, f"the new test {test.name!r} cannot fail", objected=False)


def _shared(text: Text, known: Collection[int], rest: Rest) -> Iterator[Finding]:
    """Looks at what stands outside of single tests, and holds for several."""
    if text.before is None or text.after is None or text.before == text.after:
        return
    spoken = language(text.path)
    before = outside(text.before, all_tests_of(text.before, spoken))
    after = outside(text.after, all_tests_of(text.after, spoken))
    yield from disabled_tests.outside_tests(text.path, before, after, text.after, known)
    if spoken == "javascript":
        yield from disabled_tests.narrowed(text.path, text.before, text.after)
    if before != after:
        yield from compare(text.path, _all_of(before), _all_of(after), rest)


def _all_of(text: str) -> Test:
    return Test("what tests share", 0, 1, tuple(text.split("\n")))


def compare(path: str, before: Test, after: Test, rest: Rest) -> Iterator[Finding]:
    had, has = _asserted(before, rest.had), _asserted(after, rest.has)
    had_texts, has_texts = {meaning(one.text) for one in had}, {meaning(one.text) for one in has}
    gone = [one for one in had if meaning(one.text) not in has_texts][:MOST_COMPARED]
    new = [one for one in has if meaning(one.text) not in had_texts][:MOST_COMPARED]
    pairs = _paired(gone, new)
    for old, now in pairs:
        if finding := _changed(path, old, now, [one for one in new if one is not now]):
            yield finding._replace(objected=finding.objected and not rest.obsolete(old))
    lost = [one for one in gone if all(one is not old for old, _ in pairs) and one.strength > Strength.EMPTY]
    moved = all(rest.holds(one) for one in lost) and _calls_unseen(after, rest)
    unsure = moved and any(rest.unsure(one) for one in lost)
    if had and not has and (unsure or not moved):
        sentence = f"the test {before.name!r} asserts nothing any more"
        yield Finding(path, after.line, sentence, not (unsure or rest.obsolete(*lost)))
    elif _weight(has) < _weight(had):
        for one in lost:
            weaker = not _calls_unseen(after, rest) and all(now.strength < one.strength for now in has)
            if (weaker or not rest.holds(one)) and not _kept(one, new):
                sentence = f"{_told(one)} was removed from the test {before.name!r}"
                least = one.strength if weaker else Strength.VAGUE
                instead = rest.stands(one) and any(now.strength >= least for now in new)
                yield Finding(path, after.line, sentence, not (instead or rest.obsolete(one)))


def _calls_unseen(test: Test, rest: Rest) -> bool:
    """It calls something that may assert: it stands in a file that was not changed, or in no function."""
    return not set(_called(test)) & rest.has.keys()


def _weight(found: Sequence[Assertion]) -> int:
    return sum(one.strength for one in found)


def _paired(gone: Sequence[Assertion], new: Sequence[Assertion]) -> list[tuple[Assertion, Assertion]]:
    """Pairs those that speak of the same, the most alike first, by their words and then by their text."""
    alike = sorted(
        ((likeness, old, now) for old in gone for now in new if (likeness := likeness_of(old, now)) >= ALIKE),
        key=lambda found: (
            -found[0],
            -_closeness(found[1], found[2]),
            abs(found[1].line - found[2].line),
        ),
    )
    pairs: list[tuple[Assertion, Assertion]] = []
    for _, old, now in alike:
        if not any(old is one or now is other for one, other in pairs):
            pairs.append((old, now))
    return pairs


def _changed(path: str, old: Assertion, now: Assertion, others: Sequence[Assertion]) -> Finding | None:
    became = f"{_told(old)} became {_told(now)}"
    if now.strength < old.strength and not (old.plain and now.strength == Strength.VAGUE):
        return None if _kept(old, others) else Finding(path, now.line, f"a weaker assertion: {became}")
    had, has = expected_error(old.text), expected_error(now.text)
    if had and expects_less(had, has) and not any(_says(one, had) for one in others):
        return Finding(path, now.line, f"a weaker expectation of an error: {became}")
    if _looser(old.text, now.text):
        return Finding(path, now.line, f"a larger tolerance: {became}")
    was, is_now = _expected(old.text), _expected(now.text)
    other = now.strength == old.strength and was - is_now and is_now - was
    if other and _closeness(old, now) >= CLOSE:
        return Finding(path, now.line, f"another expectation: {became}", objected=False)
    return None


def _closeness(old: Assertion, now: Assertion) -> float:
    """Of their texts, a literal as one: where both what is called and what it gives are others, it is low."""
    one, other = (_TOKEN.findall(each.text[:LONGEST]) for each in (old, now))
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _told(one: Assertion) -> str:
    """A failure in a condition, as Go has them, is shown as it stands."""
    return shown(re.sub("^unless ", "if ", one.text))


def _kept(old: Assertion, others: Sequence[Assertion]) -> bool:
    """Whether another assertion, or a helper, has got all its values."""
    values = set(old.values)
    return bool(values) and any(one.strength >= old.strength and values <= set(one.values) for one in others)


def _says(one: Assertion, error: ExpectedError) -> bool:
    """Whether an assertion of its own looks at what was expected of the error."""
    wanted = error.says or error.kind
    return one.strength >= Strength.PARTIAL and says_what(one.text, wanted)


def _expected(text: str) -> Counter[str]:
    for pattern in (_TOLERANCE, _LAST, _BOUND, _DIGITS):
        text = pattern.sub("", text)
    return Counter(values_of(text))


def _looser(old: str, now: str) -> bool:
    for pattern, factor in ((_TOLERANCE, 1), (_LAST, 1), (_BOUND, 1), (_DIGITS, -1)):
        numbers = _number(pattern, old), _number(pattern, now)
        if None not in numbers and numbers[1] * factor > numbers[0] * factor:  # type: ignore[operator]
            return True
    return False


def _number(pattern: re.Pattern[str], text: str) -> float | None:
    found = pattern.search(text)
    try:
        return float(next(group for group in found.groups() if group)) if found else None
    except ValueError:
        return None
