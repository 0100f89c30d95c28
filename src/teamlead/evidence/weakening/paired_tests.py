"""Which test is which, before a change and after it: by file, class and name, or by what it does."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from teamlead.core.evidence.names_of_tests import file_of, moves, parent_of, title_of
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.assertions import Assertion, assertions, words_of
from teamlead.evidence.weakening.expected_errors import expected_error, expects_less
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.evidence.weakening.same_assertions import meaning
from teamlead.evidence.weakening.single_tests import Test, tests_of

ALIKE = 0.5
SAME_BODY = 0.75
"""Of the lines of a test that took its assertions along under another name."""
MOST_PAIRS = 2500
MOST_COMPARED = 200
"""Changed assertions of one test: each is held against each."""


def named_tests(texts: Iterable[Text], side: str) -> dict[str, Test]:
    """Returns them by file, class and name."""
    found: dict[str, Test] = {}
    for text in texts:
        seen = Counter[str]()
        for test in tests_of(getattr(text, side) or "", language(text.path)):
            name = "::".join((text.path, *test.groups, test.name))
            seen[name] += 1
            found[f"{name} ({seen[name]})" if seen[name] > 1 else name] = test
    return found


def paired_tests(had: Mapping[str, Test], has: Mapping[str, Test]) -> dict[str, str]:
    """Returns the name that each test of before has now, without those that are gone."""
    pairs = {name: name for name in had if name in has and _body(had[name]) == _body(has[name])}
    pairs |= _moved_as_they_are(had, has, pairs)
    pairs |= _renamed(had, has, pairs)
    taken = {*pairs.values()}
    pairs |= {name: name for name in had if name in has and name not in pairs and name not in taken}
    taken = {*pairs.values()}
    moved = moves([name for name in had if name not in pairs], [name for name in has if name not in taken])
    pairs |= {name: now for name, now in moved.items() if not _is_another(name, had[name], now, has[now])}
    return {name: pairs[name] for name in had if name in pairs}


def new_tests(texts: Sequence[Text]) -> dict[str, Test]:
    """Returns those that stand for no test of before."""
    had, has = named_tests(texts, "before"), named_tests(texts, "after")
    known = {*paired_tests(had, has).values()}
    return {name: test for name, test in has.items() if name not in known}


def likeness_of(old: Assertion, now: Assertion) -> float:
    aside = _set_aside(old, now)
    both = (old.words | now.words) - aside
    if not both:
        return 1.0 if aside or set(old.values) & set(now.values) else 0.0
    return len((old.words & now.words) - aside) / len(both)


def _set_aside(old: Assertion, now: Assertion) -> set[str]:
    """Any error stands in the place of the one that was expected."""
    had, has = expected_error(old.text), expected_error(now.text)
    if had is None or has is None or not expects_less(had, has):
        return set()
    return {"match", *(words_of(had.kind) if has.broad else ()), *(words_of(has.kind) if has.broad else ())}


def _moved_as_they_are(
    had: Mapping[str, Test], has: Mapping[str, Test], pairs: Mapping[str, str]
) -> dict[str, str]:
    free = defaultdict[tuple[str, ...], list[str]](list)
    for name in has:
        if name not in pairs:
            free[_body(has[name])].append(name)
    found: dict[str, str] = {}
    for name in had:
        candidates = free[_body(had[name])] if name not in pairs else []
        if candidates:
            found[name] = next((one for one in candidates if title_of(one) == title_of(name)), candidates[0])
            candidates.remove(found[name])
    return found


def _renamed(had: Mapping[str, Test], has: Mapping[str, Test], pairs: Mapping[str, str]) -> dict[str, str]:
    """Those that took all their assertions to a new name, while their own is given to another test."""
    taken = {*pairs.values()}
    changed = [name for name in had if name in has and name not in pairs and name not in taken]
    new = [name for name in has if name not in had and name not in taken]
    found: dict[str, str] = {}
    for name in changed if len(changed) * len(new) <= MOST_PAIRS else []:
        asserted = _meanings(had[name])
        for now in new if asserted and not asserted <= _meanings(has[name]) else []:
            if asserted <= _meanings(has[now]) and _same_body(had[name], has[now]):
                found[name] = now
                new.remove(now)
                break
    return found


def _body(test: Test) -> tuple[str, ...]:
    """Its lines without what is above its name, and without its name."""
    first, *rest = test.lines[test.line - test.first :]
    return tuple(line for each in (first.replace(test.name, "", 1), *rest) if (line := each.strip()))


def _same_body(old: Test, now: Test) -> bool:
    had = Counter(_body(old))
    return (had & Counter(_body(now))).total() >= SAME_BODY * had.total()


def _meanings(test: Test) -> Counter[str]:
    return Counter(meaning(one.text) for one in assertions(test.lines, test.first))


def _is_another(name: str, before: Test, now: str, after: Test) -> bool:
    """Of another name or class, and it asserts, but nothing that the test in whose place it stands did."""
    if title_of(name) == title_of(now) and (
        parent_of(name) == parent_of(now) or file_of(name) != file_of(now)
    ):
        return False
    had = assertions(before.lines, before.first)[:MOST_COMPARED]
    has = assertions(after.lines, after.first)[:MOST_COMPARED]
    return bool(had and has) and not any(likeness_of(old, new) >= ALIKE for old in had for new in has)
