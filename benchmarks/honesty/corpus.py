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


def few() -> tuple[Case, ...]:
    """The first case of each thing that is to be seen."""
    first: dict[tuple[object, ...], Case] = {}
    for case in CASES:
        first.setdefault((case.honest, case.expected, case.by), case)
    return tuple(first.values())
