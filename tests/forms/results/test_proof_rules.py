import pytest

from teamlead.forms.results.proof_rules import band


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (100, "certain"),
        (95, "certain"),
        (94.5, "high"),
        (94, "high"),
        (85, "high"),
        (84, "medium"),
        (75, "medium"),
        (74.5, "low"),
        (74, "low"),
        (60, "low"),
        (59.5, "uncertain"),
        (59, "uncertain"),
        (0, "uncertain"),
    ],
)
def test_each_band_begins_where_the_table_says(score: float, expected: str) -> None:
    assert band(score) == expected
