from typing import get_args

import pytest

from teamlead.settings.directions import needs_consent
from teamlead.settings.schema import KEYS, TABLES, Key, Kind, Tighter, Value

EVERY = [(key.name, key) for key in KEYS] + [
    (f"{table.name}.{key.name}", key) for table in TABLES for key in table.keys
]
NUMBERS: frozenset[Kind] = frozenset({"count", "money", "duration"})

FITS: dict[Tighter, frozenset[Kind]] = {
    "less": NUMBERS,
    "limit": NUMBERS,
    "more": NUMBERS,
    "on": frozenset({"switch"}),
    "off": frozenset({"switch"}),
    "fewer": frozenset({"choices"}),
    "further": frozenset({"choices"}),
    "within": frozenset({"paths"}),
    "later": frozenset({"choice"}),
    "none": frozenset(get_args(Kind)),
}

PAIRS: dict[Tighter, list[tuple[Value, Value]]] = {
    "less": [(2, 1), (1, 0), (1.5, 1)],
    "limit": [(0, 1), (0, 10**9), (2, 1), (1.5, 1)],
    "more": [(1, 2), (0, 1)],
    "on": [(False, True)],
    "off": [(True, False)],
    "fewer": [(("read", "edit"), ("read",)), (("read",), ())],
    "further": [(("read",), ("shell", "read")), ((), ("read",))],
    "within": [(("**",), ("docs/",)), (("docs/**",), ("docs/api/*",)), (("a", "b"), ("b",)), (("a",), ())],
    "later": [("any", "audit")],
}
"""The looser value, and a tighter one."""


@pytest.mark.parametrize(("name", "key"), EVERY)
def test_every_setting_has_a_direction_that_fits_its_values_or_says_that_it_has_none(
    name: str, key: Key
) -> None:
    assert key.kind in FITS[key.tighter], name
    # What runs something, speaks to somebody or lays something open is never a matter of more or less.
    if key.kind in {"agent", "text", "commands", "arguments", "places"}:
        assert key.tighter == "none"


@pytest.mark.parametrize(("name", "key"), EVERY)
def test_every_setting_goes_its_own_way_without_consent_and_the_other_one_with_it(
    name: str, key: Key
) -> None:
    if key.tighter == "none":
        assert needs_consent(key, "one", "other"), name
        assert needs_consent(key, "other", "one"), name
    for looser, tighter in PAIRS.get(key.tighter, []):
        assert not needs_consent(key, looser, tighter), name
        assert needs_consent(key, tighter, looser), name
    assert not needs_consent(key, key.default, key.default), name


def tightened(name: str) -> str:
    return dict(EVERY)[name].tighter


@pytest.mark.parametrize(
    ("names", "tighter"),
    [
        ("jobs attempts autonomy questions replans validations advices max_tasks plan_attempts", "less"),
        ("budget_usd budget_tokens budget_time budget_turns task_budget_usd roles.budget_usd", "limit"),
        ("hard_timeout idle_timeout check_timeout", "limit"),
        ("judge require_reports", "on"),
        ("agent_settings check_network", "off"),
        ("min_free_space plan_quality", "more"),
        ("roles.tools", "fewer"),
        ("agent model effort room expose checks post_create copy link notify tiers.small", "none"),
    ],
)
def test_what_costs_or_protects_goes_the_way_that_a_user_would_expect(names: str, tighter: str) -> None:
    assert {tightened(name) for name in names.split()} == {tighter}


def test_patterns_of_which_it_cannot_be_told_whether_they_are_within_need_consent() -> None:
    (writes,) = (key for name, key in EVERY if name == "roles.writes")
    assert needs_consent(writes, ("docs/*.md",), ("docs/a*.md",))
    assert needs_consent(writes, ("**",), (".teamlead/config.toml",))
    assert needs_consent(writes, (), ("a",))
