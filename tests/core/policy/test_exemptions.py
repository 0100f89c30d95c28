"""What a lead may do itself is a table: all conditions of a row, or none of it."""

from itertools import combinations

import pytest

from teamlead.core.policy.exemptions import EXEMPTIONS, check_conditions
from teamlead.errors import Refused


def test_the_table_has_four_rows_with_what_each_costs_and_saves() -> None:
    assert {name: (row.cost, row.alternative) for name, row in EXEMPTIONS.items()} == {
        "quick-lookup": ("about 100 tokens", "about 700 tokens"),
        "fallback-read": ("about 200 tokens", "the user is blocked"),
        "trivial-edit": ("about 50 tokens", "about 1000 tokens"),
        "metadata-read": ("about 30 tokens", "about 500 tokens"),
    }
    assert all(row.conditions and row.why for row in EXEMPTIONS.values())


@pytest.mark.parametrize("name", EXEMPTIONS)
def test_a_partial_match_is_an_error(name: str) -> None:
    conditions = list(EXEMPTIONS[name].conditions)
    check_conditions(name, conditions)
    for size in range(len(conditions)):
        for part in combinations(conditions, size):
            with pytest.raises(Refused, match="does not apply"):
                check_conditions(name, part)
