import pytest

from teamlead.views.moments import counted, iso, span


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-3600, "0s"),
        (0, "0s"),
        (0.999, "0s"),
        (59.999, "59s"),
        (60, "1m00s"),
        (61, "1m01s"),
        (3599, "59m59s"),
        (3600, "1h00m"),
        (3660, "1h01m"),
        (86399, "23h59m"),
        (86400, "1d00h"),
        (90000, "1d01h"),
        (10 * 86400 + 86399, "10d23h"),
    ],
)
def test_a_span_is_shown_in_its_two_largest_units(seconds: float, shown: str) -> None:
    assert span(seconds) == shown


@pytest.mark.parametrize(
    ("at", "written"),
    [
        (0.0, "1970-01-01T00:00:00.000Z"),
        (1735689599.9994, "2024-12-31T23:59:59.999Z"),
        (1735689600.25, "2025-01-01T00:00:00.250Z"),
    ],
)
def test_a_moment_is_written_in_utc_with_milliseconds(at: float, written: str) -> None:
    assert iso(at) == written


def test_no_moment_stays_none() -> None:
    assert iso(None) is None


@pytest.mark.parametrize(("number", "text"), [(0, "0 tasks"), (1, "1 task"), (2, "2 tasks")])
def test_one_thing_is_singular(number: int, text: str) -> None:
    assert counted(number, "task") == text
