import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamlead.core.amounts import parse_duration, show_cost, show_duration


@pytest.mark.parametrize(
    ("written", "seconds"),
    [(90, 90.0), (1.5, 1.5), ("90", 90.0), ("90s", 90.0), ("15m", 900.0), (" 2 h ", 7200.0), ("1d", 86400.0)],
)
def test_numbers_and_texts_with_a_unit_are_durations(written: object, seconds: float) -> None:
    assert parse_duration(written) == seconds


@pytest.mark.parametrize(
    "written", [True, "soon", "-3s", "1h30m", "", "3 weeks", "9" * 30, float("inf"), float("nan"), [1], None]
)
def test_anything_else_is_no_duration(written: object) -> None:
    assert parse_duration(written) is None


@given(st.floats(min_value=0, max_value=1e7).map(lambda seconds: round(seconds, 3)))
def test_what_is_shown_reads_back_as_the_same_duration(seconds: float) -> None:
    assert parse_duration(show_duration(seconds)) == seconds


def test_small_costs_are_not_rounded_away() -> None:
    assert [show_cost(usd) for usd in (0.0, 0.0042, 0.25, 3.14159, 12)] == [
        "$0.00",
        "$0.0042",
        "$0.25",
        "$3.14",
        "$12.00",
    ]
