import pytest

from teamlead.core.corroboration import needs_specialist
from teamlead.core.references import Standing


@pytest.mark.parametrize(
    ("confidence", "standings", "needed"),
    [
        (85, ["unverified"], True),
        (84.9, ["unverified"], False),
        (100, ["verified", "unverified"], True),
        (85, ["moved"], True),
        (85, ["invalid"], True),
        (100, ["verified", "verified"], False),
        (100, [], False),
        (0, ["unverified"], False),
    ],
)
def test_a_specialist_looks_at_high_confidence_in_what_nobody_else_has_verified(
    confidence: float, standings: list[Standing], needed: bool
) -> None:
    assert needs_specialist(confidence, standings) is needed
