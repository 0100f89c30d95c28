"""Two runs of the same tests: before a change, and after it.

Tests are compared by name where both runs told all names, otherwise by number. A test that got another name
in its file or class, or moved to another file, is still there.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from teamlead.core.evidence.names_of_tests import Roll, alike, file_of, moves, parent_of
from teamlead.core.evidence.values import SuiteDelta, SuiteRun

MOST_NAMES = 50
MOST_DECIDING = 500
"""Of those that decide by name whether tests may be gone."""
MORE = re.compile(r"and \d+ more")
"""Stands behind the last of so many names."""
_NUMBERS = re.compile(r"(\d+) tests? (skipped )?before, (\d+|none) now")


def compare(before: SuiteRun | None, after: SuiteRun | None) -> SuiteDelta:
    """Without a run before, whatever fails is new; without one after, everything has vanished."""
    if after is None:
        lost = before is not None and before.ran
        return SuiteDelta(vanished=(f"{_tests(lost)} before, none now",) if lost else ())
    if before is None:
        return SuiteDelta(new_failures=_first(_failures(after)))
    if set(before.programs) <= set(after.programs) and before.complete and after.complete:
        return _by_name(before, after)
    return _by_number(before, after)


def fewer(lost: Sequence[str]) -> int:
    """How many tests do not run any more, where nothing but numbers says so; otherwise 0."""
    told = [_NUMBERS.fullmatch(each) for each in lost]
    now = [(each, 0 if each[3] == "none" else int(each[3])) for each in told if each]
    return sum(abs(int(each[1]) - number) for each, number in now) if all(told) else 0


def repeated(delta: SuiteDelta, again: SuiteRun) -> SuiteDelta:
    """New failures that a second run does not have are flaky."""
    failed = set(_failures(again))
    still = [name for name in delta.new_failures if name in failed or (again.failed and not _named(again))]
    flaky = [name for name in delta.new_failures if name not in still]
    return SuiteDelta(
        new_failures=tuple(still),
        old_failures=delta.old_failures,
        fixed=delta.fixed,
        added=delta.added,
        vanished=delta.vanished,
        skipped=delta.skipped,
        flaky=(*delta.flaky, *flaky),
        replaced=delta.replaced,
    )


def _by_name(before: SuiteRun, after: SuiteRun) -> SuiteDelta:
    had, has = Roll(before.names or {}), Roll(after.names or {})
    gone = [name for name, status in had.names.items() if has.end_of(name, status) is None]
    new = [name for name in has.names if had.end_of(name) is None]
    moved = moves(gone, new)
    origin = {now: name for name, now in moved.items()}
    ran = [name for name, status in had.names.items() if status != "skipped"]
    ends = {name: has.end_of(moved.get(name, name), had.names[name]) for name in ran}
    failed = [name for name, status in has.names.items() if status == "failed"]
    before_too = {name for name in failed if had.end_of(origin.get(name, name)) == "failed"}
    return SuiteDelta(
        new_failures=_first(name for name in failed if name not in before_too),
        old_failures=_first(name for name in failed if name in before_too),
        fixed=_first(name for name in ran if had.names[name] == "failed" and ends[name] == "passed"),
        added=_first(
            (name for name in new if has.names[name] == "passed" and name not in origin), MOST_DECIDING
        ),
        vanished=_first(_with_whole_files([name for name in ran if ends[name] is None], has), MOST_DECIDING),
        skipped=_first((name for name in ran if ends[name] == "skipped"), MOST_DECIDING),
        replaced=_first(
            f"{name} → {moved[name]}" for name in ran if name in moved and _is_another(name, moved[name])
        ),
    )


def _is_another(name: str, now: str) -> bool:
    """In the same place, and of quite another name."""
    return parent_of(name) == parent_of(now) and not alike(name, now)


def _with_whole_files(gone: list[str], has: Roll) -> Iterable[str]:
    left = {file_of(name) for name in has.names}
    lost = Counter(file_of(name) for name in gone)
    whole = {file: number for file, number in lost.items() if number > 1 and file not in left}
    yield from (f"{file}: all {number} tests" for file, number in whole.items())
    yield from (name for name in gone if file_of(name) not in whole)


def _by_number(before: SuiteRun, after: SuiteRun) -> SuiteDelta:
    """Failures often have names all the same."""
    missing = before.ran - after.ran
    unrun = min(missing, after.skipped - before.skipped)
    more = after.passed > before.passed
    new, old, fixed = _failing(before, after)
    tests = f"{_tests(before.total)} before, {after.total} now"
    return SuiteDelta(
        new_failures=_first(new),
        old_failures=_first(old),
        fixed=_first(fixed if more else ()),
        added=(tests,) if more and after.total > before.total else (),
        vanished=(tests,) if missing > max(unrun, 0) else (),
        skipped=(f"{_tests(before.skipped)} skipped before, {after.skipped} now",) if unrun > 0 else (),
    )


class _Failing(NamedTuple):
    new: Sequence[str]
    old: Sequence[str]
    fixed: Sequence[str]


def _failing(before: SuiteRun, after: SuiteRun) -> _Failing:
    if _named(before) and _named(after):
        had, has = _failures(before), _failures(after)
        return _Failing(
            [name for name in has if name not in had],
            [name for name in has if name in had],
            [name for name in had if name not in has],
        )
    numbers = f"{_tests(before.failed)} failed before, {after.failed} now"
    return _Failing(
        [numbers] if after.failed > before.failed else [],
        [numbers] if 0 < after.failed <= before.failed else [],
        [numbers] if after.failed < before.failed else [],
    )


def _failures(run: SuiteRun) -> dict[str, None]:
    """By name, or a sentence."""
    if _named(run):
        return {name: None for name, status in (run.names or {}).items() if status == "failed"}
    return {f"{_tests(run.failed)} failed": None}


def _named(run: SuiteRun) -> bool:
    return run.failed == sum(status == "failed" for status in (run.names or {}).values())


def _tests(number: int) -> str:
    return f"{number} {'test' if number == 1 else 'tests'}"


def _first(names: Iterable[str], most: int = MOST_NAMES) -> tuple[str, ...]:
    listed = tuple(names)
    more = len(listed) - most
    return listed if more <= 0 else (*listed[:most], f"and {more} more")
