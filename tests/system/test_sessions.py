import pytest

from teamlead.system.sessions import new_session_id

NOON = 1_767_268_800.0


@pytest.mark.parametrize("later", [0.002, 0.04, 0.5, 0.998, 1.0, 60.0, 86_400.0])
def test_ids_sort_by_the_moment_they_were_made_also_within_a_second(later: float) -> None:
    ids = [(new_session_id(NOON), new_session_id(NOON + later)) for _ in range(200)]
    assert all(earlier < after for earlier, after in ids)


def test_ids_of_one_moment_differ() -> None:
    assert len({new_session_id(NOON) for _ in range(200)}) > 100


def test_an_id_tells_its_moment_and_can_be_typed() -> None:
    date, time, letters = new_session_id(NOON + 0.5).split("-")
    assert (date, time) == ("20260101", "120000")
    assert len(letters) == 4
    assert set(letters) <= set("23456789abcdefghjkmnpqrstuvwxyz")
