import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamlead.core.budget_text import BadAmount, parse_budget, show_budget
from teamlead.core.model import Budget


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("5 usd", Budget(cost_usd=5)),
        ("$2.50", Budget(cost_usd=2.5)),
        ("5ドル", Budget(cost_usd=5)),
        ("200k tokens", Budget(tokens=200_000)),
        ("1.5M tokens", Budget(tokens=1_500_000)),
        ("900 token", Budget(tokens=900)),
        ("30 turns", Budget(turns=30)),
        ("2h", Budget(seconds=7200)),
        ("15 minutes", Budget(seconds=900)),
        ("2 時間、5 달러", Budget(cost_usd=5, seconds=7200)),
        ("`$5, 2M Tokens; 90m, 8 turns`", Budget(5, 2_000_000, 5400, 8)),
    ],
)
def test_budgets_are_amounts_with_their_units(written: str, meant: Budget) -> None:
    assert parse_budget(written) == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("5", "'5' is no amount"),
        ("", "'' is no amount"),
        ("a lot", "write money"),
        ("-5 usd", "is no amount"),
        ("5 usd, 6 usd", "two amounts of one kind"),
        ("0 usd", "nothing at all"),
        ("200,000 tokens", "'200' is no amount"),
        ("9" * 40 + " turns", "is no amount"),
    ],
)
def test_a_budget_that_cannot_be_read_says_which_part_and_how_to_write_it(written: str, said: str) -> None:
    with pytest.raises(BadAmount, match=said.replace("(", r"\(")):
        parse_budget(written)


@given(
    st.builds(
        Budget,
        cost_usd=st.none() | st.integers(1, 10**7).map(lambda cents: cents / 100),
        tokens=st.none() | st.integers(1, 10**10),
        seconds=st.none() | st.integers(1, 10**7).map(float),
        turns=st.none() | st.integers(1, 10**6),
    ).filter(lambda budget: budget != Budget())
)
def test_a_budget_that_is_shown_reads_back_as_the_same(budget: Budget) -> None:
    assert parse_budget(show_budget(budget)) == budget
