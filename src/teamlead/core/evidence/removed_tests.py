"""Which tests a plan lets go, as its task names them: by their names, by patterns, or by their files."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from msgspec.structs import replace

from teamlead.core.evidence.values import Evidence, GoneTest
from teamlead.core.policy.scope import in_scope

_PARTS = re.compile(r"::|\s[>›]\s|#")


def lets_go(named: Sequence[str], test: str) -> bool:
    """`test` as a runner names it, or a file of which all are gone (`tests/test_a.py: all 3 tests`)."""
    file, whole, _ = test.partition(": all ")
    if whole:
        return in_scope(file, named)
    plain = test.partition("[")[0]
    parts = [part for part in _PARTS.split(plain) if part]
    shorter = (part.rpartition(mark)[2] for part in parts for mark in "./")
    spellings = dict.fromkeys((test, plain, *parts, *shorter))
    return any(fnmatchcase(each, pattern) for each in spellings for pattern in named) or any(
        in_scope(file, named) for file in (parts[0], *_modules(parts[0]))
    )


def _modules(dotted: str) -> Iterator[str]:
    """The files that unittest may mean by its names."""
    words = dotted.split(".")
    return (f"{'/'.join(words[:end])}.py" for end in range(1, len(words)))


def let_go(
    named: Sequence[str], evidence: tuple[Evidence, ...], *, some: bool = False
) -> tuple[Evidence, ...]:
    """Nobody objects to the loss of tests that may go; it is shown all the same.

    `some`: tests go, and nobody knows which.
    """
    return tuple(replace(item, verdict="flagged") if _only(named, item, some) else item for item in evidence)


def _only(named: Sequence[str], item: Evidence, some: bool) -> bool:
    lost = item.kind == "tests" and item.verdict == "objected" and bool(item.gone)
    return lost and all(some or _may_go(named, test) for test in item.gone)


def _may_go(named: Sequence[str], test: GoneTest) -> bool:
    return in_scope(test.file, named) or (bool(test.name) and lets_go(named, test.name))
