"""One test before and after a change: does it still assert as much?"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.evidence.weakening.assertions import Assertion, Strength, assertions, values_of
from teamlead.evidence.weakening.findings import Finding, shown
from teamlead.evidence.weakening.single_tests import Test

ALIKE = 0.5
MOST_COMPARED = 200
"""Changed assertions of one test: each is held against each."""

_TOLERANCE = re.compile(r"\b(?:r?tol|atol|rel|abs|delta|eps(?:ilon)?|rel_tol|abs_tol) ?[=:] ?([\d.eE+-]+)")
_LAST = re.compile(r"(?:InDelta|InEpsilon)\w*\(.*, ?([\d.eE+-]+)\)")
_BOUND = re.compile(r"\babs\(.*\) ?<=? ?([\d.eE+-]+)")
_DIGITS = re.compile(r"(?:places|decimal|significant) ?= ?(\d+)|toBeCloseTo\(.*, ?(\d+)\)")


class Rest(NamedTuple):
    """What else the change did."""

    added: frozenset[str] = frozenset()
    """Words and literals of all that was added to tests: what moved there was not removed."""
    gone: frozenset[str] = frozenset()
    """Names that the code no longer defines: what speaks of them has to change."""

    def holds(self, assertion: Assertion) -> bool:
        parts = {*assertion.values, *assertion.words}
        return bool(parts) and parts <= self.added

    def obsolete(self, *lost: Assertion) -> bool:
        return all(self.gone & one.words for one in lost)


def compare(path: str, before: Test, after: Test, rest: Rest) -> Iterator[Finding]:
    had, has = assertions(before.lines, before.first), assertions(after.lines, after.first)
    had_texts, has_texts = {one.text for one in had}, {one.text for one in has}
    gone = [one for one in had if one.text not in has_texts][:MOST_COMPARED]
    new = [one for one in has if one.text not in had_texts][:MOST_COMPARED]
    pairs = _paired(gone, new)
    for old, now in pairs:
        if finding := _changed(path, old, now, [one for one in new if one is not now]):
            yield finding._replace(objected=finding.objected and not rest.obsolete(old))
    lost = [one for one in gone if all(one is not old for old, _ in pairs) and one.strength > Strength.EMPTY]
    if had and not has and not _moved(lost, rest):
        sentence = f"the test {before.name!r} asserts nothing any more"
        yield Finding(path, after.line, sentence, not rest.obsolete(*lost))
    elif _weight(has) < _weight(had):
        for one in lost:
            if not rest.holds(one) and not _kept(one, new):
                sentence = f"{shown(one.text)} was removed from the test {before.name!r}"
                yield Finding(path, after.line, sentence, not rest.obsolete(one))


def _moved(lost: Sequence[Assertion], rest: Rest) -> bool:
    return all(rest.holds(one) for one in lost)


def _weight(found: Sequence[Assertion]) -> int:
    return sum(one.strength for one in found)


def _paired(gone: Sequence[Assertion], new: Sequence[Assertion]) -> list[tuple[Assertion, Assertion]]:
    """Those that speak of the same, the most alike first."""
    alike = sorted(
        ((likeness, old, now) for old in gone for now in new if (likeness := _likeness(old, now)) >= ALIKE),
        key=lambda found: (-found[0], abs(found[1].line - found[2].line)),
    )
    pairs: list[tuple[Assertion, Assertion]] = []
    for _, old, now in alike:
        if not any(old is one or now is other for one, other in pairs):
            pairs.append((old, now))
    return pairs


def _likeness(old: Assertion, now: Assertion) -> float:
    both = old.words | now.words
    if not both:
        return 1.0 if set(old.values) & set(now.values) else 0.0
    return len(old.words & now.words) / len(both)


def _changed(path: str, old: Assertion, now: Assertion, others: Sequence[Assertion]) -> Finding | None:
    became = f"{shown(old.text)} became {shown(now.text)}"
    if now.strength < old.strength and not (old.plain and now.strength == Strength.VAGUE):
        return None if _kept(old, others) else Finding(path, now.line, f"a weaker assertion: {became}")
    if _looser(old.text, now.text):
        return Finding(path, now.line, f"a larger tolerance: {became}")
    was, is_now = _expected(old.text), _expected(now.text)
    if now.strength == old.strength and was - is_now and is_now - was:
        return Finding(path, now.line, f"another expectation: {became}", objected=False)
    return None


def _kept(old: Assertion, others: Sequence[Assertion]) -> bool:
    """Another assertion, or a helper, has got all its values."""
    values = set(old.values)
    return bool(values) and any(one.strength >= old.strength and values <= set(one.values) for one in others)


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
