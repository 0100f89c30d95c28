"""Numbers that no test program writes are no numbers, and break nothing."""

import pytest

from teamlead.evidence.suites.suite_results import read_suite

LONG = "9" * 5000


@pytest.mark.parametrize("number", ["²", LONG, "٣"])
@pytest.mark.parametrize(
    "output",
    [
        "Ran 3 tests in 0.01s\n\nOK (skipped={})\n",
        "Ran {} tests in 0.01s\n\nOK\n",
        "===== {} passed in 0.01s =====\n",
        "test result: ok. {} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        "Tests:       {} passed, {} total\n",
        "      Tests  {} passed ({})\n",
    ],
)
def test_a_strange_number_of_tests_is_read_as_nothing_worse_than_none(output: str, number: str) -> None:
    found = read_suite(output.replace("{}", number))
    assert found is None or found.passed < 10**9
