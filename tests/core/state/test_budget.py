"""What may be spent by the session, a role and a task: exactly to the limit, and no start beyond it."""

from typing import Any

import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended, over, quiet

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.decide import decide
from teamlead.core.model import Budget, Limits, RoleSettings, Usage
from teamlead.core.runs import AgentStatus
from teamlead.core.state.budget import Amount, left_of, shared
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused

MONEY = Budget(cost_usd=10.0)


def left(world: World, number: int) -> Budget:
    return left_of(world.task(number).funds, f"task-{number}")


def several(count: int, *, jobs: int = 1, **fields: Any) -> World:
    tasks = [task(number) for number in range(1, count + 1)]
    return World(session(*tasks, limits=Limits(jobs=jobs, retry_delay=0.0), **fields))


def costs(
    world: World, number: int, cost: float | None, *, status: AgentStatus = "ok", **fields: Any
) -> None:
    """The run of a task ends with this on its bill, and the task is done if it went well."""
    world.advance(number, do.RunAgent)
    effect = world.due(do.RunAgent, number)
    world.tell(over(effect, status, usage=Usage(cost_usd=cost), **fields))
    if status == "ok":
        world.finish(number)


def active(world: World) -> list[str]:
    return list(world.state.active)


def asked(world: World) -> list[tuple[str, str]]:
    return [(record.kind, record.cause) for record in world.state.open.values()]


@pytest.mark.parametrize(("cost", "starts"), [(4.9, True), (5.0, True), (5.1, False)])
def test_a_run_starts_only_if_one_as_large_as_the_largest_fits(cost: float, starts: bool) -> None:
    world = several(2, budget=MONEY)
    costs(world, 1, cost)
    assert bool(active(world)) is starts
    assert asked(world) == ([] if starts else [("budget", "session")])


@pytest.mark.parametrize(("second", "starts"), [(4.9, True), (5.0, False), (5.1, False)])
def test_at_the_limit_nothing_starts_whatever_a_run_may_take(second: float, starts: bool) -> None:
    world = World(session(task(1), task(2), task(3, agent="codex"), limits=Limits(jobs=1), budget=MONEY))
    costs(world, 1, 5.0)
    costs(world, 2, second)
    assert active(world) == (["task-3"] if starts else [])


def test_a_session_whose_budget_is_used_up_asks_once_and_goes_on_with_as_much_again() -> None:
    world = several(3, budget=MONEY)
    costs(world, 1, 10.0)
    record = world.state.open["esc-1"]
    assert record.question
    assert record.question.options == ("more", "stop")
    assert record.reason == "the budget of the session is used up: $10.00 of $10.00 spent"
    assert (world.state.next_timer(), world.state.startable) == (None, False)
    assert [world.task(number).state for number in (2, 3)] == ["READY", "READY"]
    with pytest.raises(Refused, match="'more' or 'stop', not 'skip'"):
        raise world.tell(f.Resolve("esc-1", "skip")).refusals[0]
    world.tell(f.Resolve("esc-1", "more"))
    assert world.state.purses["session"].limit == Budget(cost_usd=20.0)
    assert active(world) == ["task-2"]


def test_a_limit_that_was_overrun_is_raised_from_what_was_spent() -> None:
    world = several(2, budget=MONEY)
    costs(world, 1, 35.0)
    world.tell(f.Resolve("esc-1", "more"))
    assert world.state.purses["session"].limit == Budget(cost_usd=45.0)
    assert active(world) == ["task-2"]


def test_stopping_at_a_used_up_budget_ends_the_session() -> None:
    world = several(2, budget=MONEY)
    costs(world, 1, 10.0)
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"


def test_where_nothing_is_known_each_run_reserves_an_even_share() -> None:
    world = several(4, jobs=4, budget=Budget(cost_usd=10.0, tokens=10))
    purse = world.state.purses["session"]
    assert list(purse.reserved.values()) == [
        Amount(2.5, 3),
        Amount(2.5, 3),
        Amount(2.5, 2),
        Amount(2.5, 2),
    ]
    assert left(world, 1) == Budget(cost_usd=2.5, tokens=3)


def test_the_last_turn_is_given_to_one_run_not_a_quarter_to_each_of_four() -> None:
    world = several(4, jobs=4, budget=Budget(turns=1))
    assert active(world) == ["task-1"]
    assert left(world, 1) == Budget(turns=1)
    assert not world.state.open


def test_a_start_that_does_not_fit_beside_others_waits_for_them_and_asks_nobody() -> None:
    world = several(4, jobs=2, budget=MONEY)
    world.advance(2, do.RunAgent)
    costs(world, 1, 3.0)
    assert active(world) == ["task-2"]
    assert not world.state.open
    costs(world, 2, 1.0)
    assert active(world) == ["task-3", "task-4"]
    assert left(world, 3) == Budget(cost_usd=3.0)


def test_what_a_run_reserved_is_given_back_when_it_ends_in_any_way() -> None:
    world = several(1, budget=MONEY)
    purse = world.state.purses["session"]
    world.advance(1, do.RunAgent)
    assert list(purse.reserved) == ["task-1"]
    world.tell(f.EffectFailed("task-1", 1, "starting the agent", "no such program"))
    assert purse.spent == Amount()
    costs(world, 1, 1.0, status="error")
    assert purse.spent == Amount(1.0)
    world.advance(1, do.RunAgent)
    world.tell(f.SkipTask("task-1", "not needed"))
    world.tell(quiet("task-1", 3))
    assert not purse.reserved


def test_the_time_of_a_run_that_was_stopped_counts() -> None:
    world = several(1, budget=Budget(seconds=100.0))
    world.advance(1, do.RunAgent)
    world.now += 30
    world.tell(f.SkipTask("task-1", "not needed"))
    world.tell(quiet("task-1", 1))
    purse = world.state.purses["session"]
    assert (purse.spent, purse.unpriced) == (Amount(seconds=30.0), 1)


@pytest.mark.parametrize(
    ("budget", "used"),
    [
        (Budget(tokens=300), {"usage": Usage(200, 100)}),
        (Budget(turns=3), {"turns": 3}),
        (Budget(cost_usd=1.5), {"usage": Usage(1, 1, 1.5)}),
    ],
)
def test_every_dimension_can_exhaust_a_budget(budget: Budget, used: dict[str, Any]) -> None:
    world = several(2, budget=budget)
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", **used))
    world.finish(1)
    assert asked(world) == [("budget", "session")]


def test_the_seconds_of_agents_add_up_whether_they_ran_together_or_not() -> None:
    world = several(3, jobs=2, budget=Budget(seconds=100.0))
    world.advance(1, do.RunAgent)
    world.advance(2, do.RunAgent)
    world.now += 50
    costs(world, 1, None)
    costs(world, 2, None)
    assert world.state.purses["session"].spent == Amount(seconds=100.0)
    assert asked(world) == [("budget", "session")]
    assert world.state.open["esc-1"].reason == "the budget of the session is used up: 100s of 100s spent"


def test_an_unknown_cost_exhausts_no_limit_of_money_and_is_counted_as_unknown() -> None:
    world = several(3, budget=Budget(cost_usd=0.01))
    for number in (1, 2, 3):
        costs(world, number, None)
    purse = world.state.purses["session"]
    assert (purse.spent.cost_usd, purse.unpriced) == (0.0, 3)


def test_a_run_ended_at_its_budget_is_nobodys_failure_and_the_next_start_asks() -> None:
    world = several(1, budget=MONEY)
    costs(world, 1, 10.0, status="budget")
    assert (world.task(1).attempts[0].outcome, world.task(1).failures) == ("held", 0)
    assert (world.task(1).state, asked(world)) == ("NEEDS_CONTINUATION", [("budget", "session")])
    world.tell(f.Resolve("esc-1", "more"))
    assert world.task(1).state == "RUNNING"


@pytest.mark.parametrize("budget", [Budget(), Budget(tokens=10)])
def test_a_run_ended_at_a_budget_that_it_did_not_touch_has_failed(budget: Budget) -> None:
    world = several(1, budget=budget)
    costs(world, 1, 3.0, status="budget")
    assert (world.task(1).attempts[0].outcome, world.task(1).failures) == ("failed", 1)


def test_a_roles_budget_holds_its_tasks_alone_and_blocks_none_of_them() -> None:
    tasks = (task(1, role="reviewer"), task(2, role="reviewer"), task(3))
    roles = (RoleSettings("reviewer", budget=MONEY),)
    world = World(session(*tasks, limits=Limits(jobs=1), roles=roles))
    costs(world, 1, 10.0)
    assert asked(world) == [("budget", "role:reviewer")]
    assert active(world) == ["task-3"]
    assert world.task(2).state == "READY"
    world.finish(3)
    world.tell(f.Resolve("esc-1", "more"))
    assert active(world) == ["task-2"]


def test_what_other_roles_took_says_nothing_about_what_a_role_will_take() -> None:
    tasks = (task(1), task(2, role="reviewer"), task(3, role="reviewer"))
    roles = (RoleSettings("reviewer", budget=Budget(cost_usd=2.0)),)
    world = World(session(*tasks, limits=Limits(jobs=1), roles=roles))
    costs(world, 1, 9.0)
    costs(world, 2, 0.5)
    assert active(world) == ["task-3"]


def own_budget(**fields: Any) -> World:
    tasks = (task(1, budget=MONEY), task(2))
    return World(session(*tasks, limits=Limits(jobs=1, retry_delay=0.0), **fields))


def test_a_task_whose_own_budget_is_used_up_is_blocked_and_others_go_on() -> None:
    world = own_budget()
    costs(world, 1, 10.0, status="error")
    assert (world.task(1).state, world.task(1).blocked) == ("BLOCKED", "BUDGET")
    record = world.state.open["esc-1"]
    assert record.question
    assert record.question.options == ("more", "skip", "stop")
    assert active(world) == ["task-2"]
    world.finish(2)
    world.tell(f.Resolve("esc-1", "more"))
    assert (world.task(1).state, world.task(1).failures) == ("RUNNING", 1)
    assert world.task(1).guidance == []


def test_a_task_whose_budget_is_used_up_may_be_skipped() -> None:
    world = own_budget()
    costs(world, 1, 10.0, status="error")
    world.tell(f.Resolve("esc-1", "skip"))
    assert world.task(1).state == "SKIPPED"


def test_a_task_that_was_to_begin_anew_still_does_after_its_budget_was_raised() -> None:
    world = own_budget()
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", usage=Usage(cost_usd=10.0)))
    world.advance(1, do.Integrate)
    world.tell(f.MergeRefused("task-1", 1, "tip", ("a.py",)))
    world.finish(2)
    assert world.task(1).blocked == "BUDGET"
    world.tell(f.Resolve("esc-1", "more"))
    assert world.due(do.PrepareCopy).fresh


@pytest.mark.parametrize("fact", [f.SkipTask("task-1", "not needed"), f.Cancel("enough")])
def test_what_ends_a_task_withdraws_the_question_about_its_budget(fact: f.AnyFact) -> None:
    world = own_budget()
    costs(world, 1, 10.0, status="error")
    world.tell(fact)
    assert (world.state.escalations["esc-1"].state, world.state.asked) == ("withdrawn", {})


def test_a_question_about_the_sessions_budget_is_withdrawn_when_no_task_is_left() -> None:
    world = several(2, budget=MONEY)
    costs(world, 1, 10.0)
    world.tell(f.SkipTask("task-2", "not needed"))
    assert world.state.escalations["esc-1"].state == "withdrawn"
    assert world.state.phase == "AWAITING_APPROVAL"


def test_nobody_is_asked_about_a_budget_before_a_task_needs_it() -> None:
    world = several(1, budget=MONEY)
    costs(world, 1, 10.0)
    assert not world.state.escalations


def test_a_run_may_use_what_the_smallest_of_its_budgets_leaves() -> None:
    roles = (RoleSettings("worker", budget=Budget(cost_usd=3.0, turns=9)),)
    budgets = {"budget": Budget(cost_usd=5.0, seconds=60.0), "roles": roles}
    world = World(session(task(1, budget=Budget(cost_usd=4.0)), limits=Limits(jobs=1), **budgets))
    assert left(world, 1) == Budget(cost_usd=3.0, seconds=60.0, turns=9)
    costs(world, 1, 1.0, status="error", turns=2)
    assert left(world, 1) == Budget(cost_usd=2.0, seconds=60.0, turns=7)


def test_a_session_without_limits_counts_what_it_spends() -> None:
    world = several(1)
    costs(world, 1, 3.0)
    assert world.state.purses["session"].spent.cost_usd == 3.0
    assert left(world, 1) == Budget()


def test_a_budget_of_nothing_is_refused() -> None:
    nothing = Budget(turns=0)
    for spec in (
        session(task(1), budget=nothing),
        session(task(1, budget=nothing)),
        session(task(1), roles=(RoleSettings("reviewer", budget=nothing),)),
    ):
        with pytest.raises(Refused, match="budget of nothing"):
            decide(TeamState(), f.Open(spec), 0.0)
    world = World(session(task(1)))
    with pytest.raises(Refused, match="task-2 has a budget of nothing"):
        raise world.tell(f.AddTasks((task(2, budget=nothing),))).refusals[0]


def test_the_event_of_a_raised_budget_names_its_scope() -> None:
    world = own_budget()
    costs(world, 1, 10.0, status="error")
    world.tell(f.Resolve("esc-1", "more"))
    assert e.BudgetRaised("task:task-1", ("cost_usd",)) in [event for _, event in world.log]


def test_only_what_was_short_is_raised() -> None:
    both = Budget(cost_usd=10.0, turns=50)
    world = World(session(task(1, budget=both), limits=Limits(retry_delay=0.0)))
    costs(world, 1, 10.0, status="error")
    world.tell(f.Resolve("esc-1", "more"))
    limit = world.state.purses["task:task-1"].limit
    assert (limit.cost_usd, limit.turns) == (20.0, 50)


def test_a_share_is_even_rounded_up_where_it_cannot_be_had_in_part_and_has_no_limit_that_one_has_not() -> (
    None
):
    left = [Budget(cost_usd=3.0, turns=4), Budget(cost_usd=1.0, turns=1, tokens=9)]
    assert shared(left, 2) == Budget(cost_usd=2.0, turns=3)
    assert shared([], 2) == Budget()
    assert shared([Budget(turns=0)], 2) == Budget(turns=0)
