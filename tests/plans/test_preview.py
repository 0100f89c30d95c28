"""What is said of a plan before anything runs."""

from teamlead.core.model import Plan, TaskSpec
from teamlead.plans.preview import MOST_AGENTS, Cost, Overlap, preview, told_before_start, told_outlook
from teamlead.views.plans import preview_view

NO_COST = Cost(None, 0, 1, 0)


def task(number: int, scope: str = "", after: tuple[int, ...] = (), hours: float = 1.0) -> TaskSpec:
    return TaskSpec(
        f"task-{number}",
        f"T{number}",
        scope=(scope or f"part-{number}/",),
        depends_on=tuple(f"task-{each}" for each in after),
        hours=hours,
    )


def plan(*tasks: TaskSpec) -> Plan:
    return Plan("P", "", tasks, source="plan.md")


def first_line(*tasks: TaskSpec, jobs: int | None = None) -> str:
    return next(told_outlook(preview(plan(*tasks)), jobs, NO_COST))


def test_independent_tasks_take_an_agent_each() -> None:
    found = preview(plan(*(task(n) for n in range(1, 6))))
    assert (found.agents, found.hours, found.work) == (5, 1.0, 5.0)


def test_a_chain_needs_one_agent_and_says_so() -> None:
    told = first_line(task(1), task(2, after=(1,)), task(3, after=(2,)), jobs=4)
    assert told == "One agent does as well as several: each task waits for another."


def test_tasks_that_change_the_same_files_do_not_help_side_by_side() -> None:
    tasks = task(1, "src/"), task(2, "src/auth/"), task(3, "src/auth/login.py")
    found = preview(plan(*tasks))
    assert found.agents == 1
    assert found.overlaps == [
        Overlap("task-1", "task-2", "src/auth"),
        Overlap("task-2", "task-3", "src/auth/login.py"),
    ]
    assert first_line(*tasks) == (
        "One agent does as well as several: what could run side by side may change the same files."
    )


def test_tasks_that_follow_each_other_anyway_are_no_overlap() -> None:
    assert preview(plan(task(1, "src/"), task(2, "src/", after=(1,)))).overlaps == []


def test_a_short_task_beside_a_long_chain_is_not_worth_an_agent() -> None:
    tasks = task(1, hours=5), task(2, after=(1,), hours=5), task(3, hours=0.5)
    assert first_line(*tasks) == "One agent does as well as several: nearly all of the work is one chain."


def test_two_agents_do_as_well_as_three_where_the_third_task_fits_beside_a_longer_one() -> None:
    found = preview(plan(task(1, hours=2), task(2, hours=1), task(3, hours=1)))
    assert (found.agents, found.hours) == (2, 2.0)


def test_what_is_allowed_is_held_against_what_helps() -> None:
    three = [task(n) for n in range(1, 4)]
    assert "More than that would wait (--jobs 8)." in first_line(*three, jobs=8)
    assert first_line(*three, jobs=3) == "All 3 agents help."
    assert first_line(*three, jobs=2) == "All 2 agents help; 3 would help more."
    assert first_line(*three, jobs=1).startswith("Only one agent may work at a time; 3 would help")


def test_tasks_without_a_scope_are_not_known_to_be_apart() -> None:
    tasks = [TaskSpec(f"task-{n}", "T") for n in (1, 2)]
    found = preview(plan(*tasks))
    assert (found.agents, found.overlaps, found.unscoped) == (2, [], 2)
    assert any("state no scope" in line for line in told_outlook(found, None, NO_COST))


def test_an_unknown_cost_is_never_shown_as_nothing() -> None:
    found = preview(plan(task(1), task(2)))
    last = [
        list(told_outlook(found, None, cost))[-1]
        for cost in (NO_COST, Cost(0.25, 1, 1, 3), Cost(0.5, 2, 0, 1))
    ]
    assert last[0].startswith("Cost: unknown")
    assert last[1] == "Cost: about $0.25 for 1 of the tasks, by 3 earlier tasks here; unknown for 1."
    assert last[2] == "Cost: about $0.50, by 1 earlier task here."
    assert preview_view(found, NO_COST)["estimate"]["cost_usd"] is None


def test_a_small_plan_is_drawn_and_a_large_one_is_told_in_a_few_lines() -> None:
    small = plan(*(task(n) for n in range(1, 7)))
    lines = list(told_before_start(small, preview(small), 4, NO_COST))
    assert len(lines) <= 12
    assert any("task-6  T6" in line for line in lines)
    large = plan(*(task(n, "src/") for n in range(1, 101)))
    lines = list(told_before_start(large, preview(large), 4, NO_COST))
    assert len(lines) <= 12
    assert "teamlead plan graph plan.md" in lines[0]


def test_fifty_thousand_tasks_are_looked_through_whatever_their_shape() -> None:
    wide = preview(plan(*(task(n) for n in range(1, 50_001))))
    assert wide.agents == MOST_AGENTS
    shared = preview(plan(*(task(n, "src/") for n in range(1, 50_001))))
    assert (shared.agents, len(shared.overlaps)) == (1, 49_999)
