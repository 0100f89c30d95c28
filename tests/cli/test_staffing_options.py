import pytest

from teamlead.cli.staffing_options import staffing_settings, unmatched_roles
from teamlead.errors import UsageError

NOTHING = {
    "agent": None,
    "model": None,
    "effort": None,
    "arguments": (),
    "roles": (),
    "budgets": (),
    "autonomy": None,
}


def given(**options: object) -> dict[str, object]:
    found = staffing_settings(**{**NOTHING, **options})  # type: ignore[arg-type]
    return {name: value for name, value in found.items() if value is not None}


def test_options_that_are_not_given_settle_nothing() -> None:
    assert given() == {}


def test_a_role_gets_an_agent_a_model_and_an_effort() -> None:
    assert given(roles=("reviewer=acp:a=b/c d", "reviewer.model=gpt-5.5", "tester.effort=low")) == {
        "roles.reviewer.agent": "acp:a=b/c d",
        "roles.reviewer.model": "gpt-5.5",
        "roles.tester.effort": "low",
    }


def test_amounts_become_the_budget_of_the_session() -> None:
    assert given(budgets=("5 usd", "2h, 30 turns")) == {
        "budget_usd": 5.0,
        "budget_time": 7200.0,
        "budget_turns": 30,
    }


@pytest.mark.parametrize("written", ["reviewer", "=codex", "reviewer.tools=read"])
def test_a_role_that_cannot_be_read_is_refused_with_the_form(written: str) -> None:
    with pytest.raises(UsageError, match="NAME=AGENT"):
        given(roles=(written,))


def test_an_amount_that_cannot_be_read_is_refused_with_the_units() -> None:
    with pytest.raises(UsageError, match=r"--budget: '5' is no amount: write money"):
        given(budgets=("5",))


def test_a_role_that_no_task_has_is_told_once() -> None:
    written = ("reviewr=codex", "reviewr.model=gpt-5.5", "worker=claude")
    assert list(unmatched_roles(written, ["worker", "reviewer", "worker"])) == [
        "--role reviewr: no task of the plan has this role (there are: reviewer, worker)."
    ]
