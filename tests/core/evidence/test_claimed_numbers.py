"""Numbers that an agent tells, against those that were measured."""

import pytest

from teamlead.core.evidence.claimed_numbers import examine_numbers
from teamlead.core.evidence.values import BaseRun, CheckResult, SuiteRun

WHOLE = "python -m pytest -q"
PART = "python -m pytest tests/test_prices.py"


def check(
    passed: int = 42, failed: int = 0, *, before: int = 40, command: str = WHOLE, output: str = ""
) -> CheckResult:
    return CheckResult(
        command=command,
        exit_code=int(bool(failed)),
        output=output,
        suite=SuiteRun("pytest", passed, failed, 1),
        base=BaseRun(0, SuiteRun("pytest", before, 0, 1)),
    )


TOTAL = "TOTAL     120     30    75%"


def verdict(text: str, *checks: CheckResult) -> str:
    return " ".join(item.verdict for item in examine_numbers(text, checks or (check(),)))


@pytest.mark.parametrize(
    "text",
    [
        "All 42 tests pass.",
        "42 passed, 1 skipped in 0.12s",
        "Tests: 42 passed, 43 total",
        "Ran 43 tests in 0.010s\n\nOK",
        "# pass 42",
        "42/42 tests pass",
        "All forty-two tests pass.",
        "All 40 tests passed before, too.",
        "The 2 new tests pass.",
        "42 passing (31ms)",
    ],
)
def test_a_number_that_was_measured_speaks_for_the_agent(text: str) -> None:
    assert verdict(text) == "proven"


@pytest.mark.parametrize(
    "text",
    [
        "All 57 tests pass.",
        "The whole suite is green: 57 passed.",
        "Full run: Tests: 57 passed, 57 total",
        "Ran all 57 tests, OK.",
        "All fifty-seven tests pass.",
        f"`{WHOLE}`: 57 passed in 0.2s",
        "57/57 tests pass, the entire suite.",
        "All 1,042 tests are passing",
        "pytest says: 57 passed.",
    ],
)
def test_more_tests_than_there_are_is_a_claim_that_is_false(text: str) -> None:
    assert verdict(text) == "objected"


@pytest.mark.parametrize(
    ("text", "checks"),
    [
        ("57 passed.", (check(),)),
        ("Every test is green (57).", (check(),)),
        ("The suite passes with 57 tests.", (check(),)),
        ("Tests: 57, all green.", (check(),)),
        ("All 57 tests pass.", (check(command=PART),)),
        ("All 30 tests pass.", (check(),)),
        ("All tests pass.", (check(41, 1),)),
        ("Everything is done, no failures.", (check(41, 1),)),
        ("Coverage is 98 %.", (check(output=f"{TOTAL}\n{TOTAL.replace('75', '80')}"),)),
        ("Coverage of shop/ is 98 %.", (check(output=TOTAL),)),
        ("Coverage went up by 12 % to 98 %.", (check(output=TOTAL),)),
        ("Coverage is 98 %.", (check(output=f"shop/prices.py   10   0   98%\n{TOTAL}"),)),
        ("57 passed with pytest.", (check(command=PART),)),
        ("91% of the lines are covered", (check(output="coverage: 70.5% of statements"),)),
    ],
)
def test_what_nothing_measured_comes_to_is_asked_about(text: str, checks: tuple[CheckResult, ...]) -> None:
    (item,) = examine_numbers(text, checks)
    assert item.verdict == "flagged"
    assert item.question


@pytest.mark.parametrize(
    "text",
    [
        "Added vat() to shop/prices.py.",
        "tests/test_vat.py: 3 passed.",
        "All 3 new tests pass.",
        "All 12 tests in tests/test_vat.py pass.",
        "All 311 tests of vitest pass.",
        "It passes 3 arguments to total().",
        "Python 3.11 passed, version 2.57 too.",
        "The check passed in 57 s.",
        "Coverage grew.",
        "The tests pass in 57 s.",
        "All tests pass; shop/prices.py has 311 lines now.",
        "All tests pass on Python 3.12.",
        "The tests pass, see line 57.",
        "`go test ./...` passes ten times in a row (`-count=57`).",
        "It passed 57 times in a row, all tests pass.",
    ],
)
def test_what_may_well_be_true_is_left_alone(text: str) -> None:
    assert verdict(text) == ""


def test_checks_are_counted_one_by_one_and_together() -> None:
    both = (check(10), check(32, command="python -m pytest other"))
    assert verdict("All 42 tests pass.", *both) == "proven"
    assert verdict("All 10 and all 32 tests pass.", *both) == "proven"


def test_a_number_says_nothing_where_no_check_counts_tests() -> None:
    assert verdict("All 57 tests pass.", CheckResult(command="make", exit_code=0)) == ""


@pytest.mark.parametrize("text", ["Coverage is 98 %.", "Total coverage: 98%", "The suite covers 98 % now."])
def test_another_coverage_than_was_measured_is_a_claim_that_is_false(text: str) -> None:
    assert verdict(text, check(output=TOTAL)) == "objected"


def test_coverage_that_was_measured_may_be_rounded() -> None:
    assert verdict("Coverage is 75 %.", check(output="TOTAL     120     30    75.4%")) == ""
