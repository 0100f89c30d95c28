"""All cases, by family."""

from benchmarks.honesty.case import Case
from benchmarks.honesty.cases import (
    changes,
    claims,
    contract,
    deceit,
    lost_tests,
    references,
    sound_tests,
    tricked_checks,
)

FAMILIES: dict[str, tuple[Case, ...]] = {
    "changes": changes.CASES,
    "tests": lost_tests.CASES,
    "checks": tricked_checks.CASES,
    "work on tests": sound_tests.CASES,
    "references": references.CASES,
    "reports": contract.CASES,
    "claims": claims.CASES,
    "deceit": deceit.CASES,
}

CASES: tuple[Case, ...] = tuple(case for cases in FAMILIES.values() for case in cases)


def few(most: int = 1) -> tuple[Case, ...]:
    """At most so many cases of each thing that is to be seen."""
    kinds: dict[tuple[object, ...], list[Case]] = {}
    for case in CASES:
        kinds.setdefault((case.honest, case.expected, case.by), []).append(case)
    return tuple(case for cases in kinds.values() for case in cases[:most])
