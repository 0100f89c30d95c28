"""The changed test files of one piece of work, test by test."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from teamlead.core.naming import file_of, moves
from teamlead.evidence.weakening import bodies, disabled_tests
from teamlead.evidence.weakening.assertions import Strength, assertions, is_comment, values_of, words_of
from teamlead.evidence.weakening.bodies import Rest
from teamlead.evidence.weakening.files_of_tests import Text, language
from teamlead.evidence.weakening.findings import Finding
from teamlead.evidence.weakening.single_tests import Test, outside, tests_of

_DEFINED = re.compile(
    r"\b(?:def|class|function|func|fn|const|let|var|interface|type|struct|enum|trait|module)\s+"
    r"(?:\([^)\n]*\)\s*)?(?:self\.)?(\w+)"
)


def read_tests(tests: Sequence[Text], code: Sequence[Text]) -> Iterator[Finding]:
    """`code` is what changed beside the tests."""
    gone = frozenset(_defined(code, "before") - _defined(code, "after"))
    added = frozenset(
        part for text in tests for line in _added(text) for part in (*words_of(line), *values_of(line))
    )
    rest = Rest(added, gone)
    had = _named(tests, "before")
    has = _named(tests, "after")
    moved = moves([name for name in had if name not in has], [name for name in has if name not in had])
    same = {name: moved.get(name, name) for name in had if moved.get(name, name) in has}
    for name, now in same.items():
        path = file_of(now)
        if had[name].lines != has[now].lines:
            yield from bodies.compare(path, had[name], has[now], rest)
            yield from disabled_tests.in_test(path, language(path), had[name], has[now])
    yield from _deleted({name: test for name, test in had.items() if name not in same}, tests, rest)
    for name in has.keys() - set(same.values()):
        yield from _empty(file_of(name), has[name])
    for text in tests:
        yield from _shared(text, rest)


def _named(texts: Iterable[Text], side: str) -> dict[str, Test]:
    found: dict[str, Test] = {}
    for text in texts:
        seen = Counter[str]()
        for test in tests_of(getattr(text, side) or "", language(text.path)):
            seen[test.name] += 1
            again = f" ({seen[test.name]})" if seen[test.name] > 1 else ""
            found[f"{text.path}::{test.name}{again}"] = test
    return found


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
    """What was merged into another test is still there; what goes with the code it tested, one should see."""
    lost: dict[str, list[Finding]] = {}
    for name, test in deleted.items():
        claims = assertions(test.lines, test.first)
        if claims and all(rest.holds(claim) for claim in claims):
            continue
        path = file_of(name)
        obsolete = bool(rest.gone & set(re.findall(r"\w+", "\n".join(test.lines))))
        why = ", with the code that it tested" if obsolete else ""
        finding = Finding(path, test.line, f"the test {test.name!r} was deleted{why}", not obsolete)
        lost.setdefault(path, []).append(finding)
    absent = {text.path for text in texts if text.after is None}
    for path, findings in lost.items():
        if path in absent and len(findings) > 1:
            objected = any(finding.objected for finding in findings)
            yield Finding(path, 0, f"the file was deleted with all its {len(findings)} tests", objected)
        else:
            yield from findings


def _defined(texts: Iterable[Text], side: str) -> set[str]:
    return {name for text in texts for name in _DEFINED.findall(getattr(text, side) or "")}


def _empty(path: str, test: Test) -> Iterator[Finding]:
    claims = assertions(test.lines, test.first)
    if claims and all(claim.strength == Strength.EMPTY for claim in claims):
        yield Finding(path, test.line, f"the new test {test.name!r} cannot fail", objected=False)


def _shared(text: Text, rest: Rest) -> Iterator[Finding]:
    """What stands outside of single tests, and holds for several."""
    if text.before is None or text.after is None or text.before == text.after:
        return
    spoken = language(text.path)
    before = outside(text.before, tests_of(text.before, spoken))
    after = outside(text.after, tests_of(text.after, spoken))
    yield from disabled_tests.outside_tests(text.path, spoken, before, after)
    if spoken == "javascript":
        yield from disabled_tests.narrowed(text.path, text.before, text.after)
    if before != after:
        yield from bodies.compare(text.path, _all_of(before), _all_of(after), rest)


def _all_of(text: str) -> Test:
    return Test("what tests share", 0, 1, tuple(text.split("\n")))
