import pytest

from teamlead.core.model import Budget, Usage
from teamlead.core.runs import Run, RunEnd
from teamlead.core.state.budget import Amount, open_purse
from teamlead.core.transitions import StageState
from teamlead.views.documents.sessions import BudgetPart, HoldPart, StagePart
from teamlead.views.moments import clock, iso
from teamlead.views.spending import budget_view, spent_view
from teamlead.views.words import (
    further,
    headline,
    told_budget,
    told_holds,
    told_spent,
    told_stages,
    told_tokens,
)


def run(end: RunEnd | None) -> Run:
    return Run(
        id="task-1-1",
        number=1,
        purpose="work",
        role="worker",
        task="task-1",
        attempt=1,
        agent="claude",
        model="",
        effort="",
        wanted_at=0.0,
        end=end,
    )


def ended(usage: Usage, turns: int = 0) -> Run:
    return run(RunEnd("ok", usage=usage, turns=turns))


def test_what_runs_told_is_added_up_and_what_they_did_not_tell_is_said() -> None:
    known = ended(Usage(1000, 500, 0.25), 3)
    silent = ended(Usage(300, 200, None), 1)
    assert told_spent(spent_view([known])) == "cost $0.25, 1.5k tokens, 3 turns"
    assert told_spent(spent_view([known, silent])) == "cost at least $0.25, 2k tokens, 4 turns"
    assert told_spent(spent_view([silent])) == "cost unknown, 500 tokens, 1 turn"


def test_a_run_that_has_not_ended_has_spent_nothing_yet() -> None:
    running = run(None)
    assert told_spent(spent_view([running])) == ""
    assert spent_view([running])["runs"] == 0


def budget(limit: Budget, spent: Amount, unpriced: int = 0) -> BudgetPart:
    purse = open_purse("session", limit)
    purse.spent, purse.unpriced = spent, unpriced
    found = budget_view(purse)
    assert found is not None
    return found


def test_a_budget_is_told_as_spent_of_its_limit() -> None:
    everything = Budget(5.0, 200_000, 7200.0, 30)
    spent = Amount(1.2, 120_500, 750.0, 3)
    assert (
        told_budget(budget(everything, spent))
        == "cost $1.20 of $5.00, 120.5k of 200k tokens, 12m30s of 2h, 3 of 30 turns"
    )
    assert told_budget(budget(Budget(turns=1), spent)) == "3 of 1 turn"


@pytest.mark.parametrize(
    ("spent", "unpriced", "told"),
    [
        (0.0, 0, "cost $0.00 of $5.00"),
        (0.0, 2, "cost unknown of $5.00"),
        (1.0, 2, "cost at least $1.00 of $5.00"),
    ],
)
def test_an_unknown_cost_is_never_told_as_nothing(spent: float, unpriced: int, told: str) -> None:
    assert told_budget(budget(Budget(cost_usd=5.0), Amount(spent), unpriced)) == told


def test_a_purse_without_a_limit_is_no_budget() -> None:
    assert budget_view(open_purse("session", Budget())) is None
    assert budget_view(None) is None


def test_a_hold_is_told_in_local_time_and_how_long_it_lasts_until_it_is_over() -> None:
    holds = [
        HoldPart(agent="claude", reason="a limit", since=iso(0.0), until=iso(1750.0), strikes=1),
        HoldPart(agent="codex", reason="no key", since=iso(0.0), until=None, strikes=1),
    ]
    claude = f"claude until {clock(1750.0)} (in 12m30s): a limit"
    codex = "codex until you answer: no key"
    assert told_holds(holds, 1000.0) == [claude, codex]
    assert told_holds(holds, 1750.0) == [codex]


def test_tokens_are_told_short() -> None:
    assert [told_tokens(n) for n in (0, 999, 1000, 34_210, 2_000_000)] == ["0", "999", "1k", "34.2k", "2M"]


def test_a_headline_is_the_first_line_and_says_that_there_is_more() -> None:
    assert headline("it failed:\n\nall of its output\n") == "it failed …"
    assert headline("it failed: no idea") == "it failed: no idea"
    assert headline("No plan after 5 attempts. Still wrong:\n- all") == "No plan after 5 attempts. …"
    assert headline("It failed. So did\nthe other") == "It failed. So did …"


def test_details_that_were_told_already_are_not_told_again() -> None:
    assert further("a (and 1 more)", ["a", "b"]) == ["b"]
    assert further("a", ["a"]) == []


def stages(closed: int, of: int) -> list[StagePart]:
    """The one after those that are closed is open; each has two tasks."""

    def state(number: int) -> StageState:
        return "closed" if number <= closed else "open" if number == closed + 1 else "waiting"

    left = {"closed": 0, "open": 1, "waiting": 2}
    return [
        StagePart(
            name=f"S{number}",
            phase="EXECUTING",
            state=state(number),
            commit="",
            tasks_total=2,
            tasks_unsettled=left[state(number)],
            members=(),
            found=(),
        )
        for number in range(1, of + 1)
    ]


def test_a_few_stages_are_told_one_by_one() -> None:
    told = "S1 (closed) → S2 (open, 1 of 2 left) → S3 (waiting, 2 of 2 left)"
    assert told_stages(stages(closed=1, of=3)) == told


def test_of_many_stages_those_are_told_that_come_next_and_the_others_are_counted() -> None:
    assert told_stages(stages(closed=100, of=300)) == (
        "100 of 300 closed → S101 (open, 1 of 2 left) → S102 (waiting, 2 of 2 left)"
        " → S103 (waiting, 2 of 2 left) → and 197 more"
    )
    assert told_stages(stages(closed=298, of=300)) == (
        "298 of 300 closed → S299 (open, 1 of 2 left) → S300 (waiting, 2 of 2 left)"
    )
    assert told_stages(stages(closed=300, of=300)) == "300 of 300 closed"
