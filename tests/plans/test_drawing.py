"""The graph on a terminal and for Mermaid."""

from teamlead.core.model import Plan, TaskSpec
from teamlead.plans.drawing import MAX_LANES, draw, mermaid
from teamlead.plans.waves import waves


def plan(depends_on: dict[int, list[int]], hours: dict[int, float] | None = None) -> Plan:
    tasks = [
        TaskSpec(
            f"task-{number}",
            f"T{number}",
            depends_on=tuple(f"task-{n}" for n in needs),
            hours=(hours or {}).get(number, 1.0),
        )
        for number, needs in depends_on.items()
    ]
    return Plan("P", "", tuple(tasks))


def graph(depends_on: dict[int, list[int]]) -> list[str]:
    """The lanes and ids, without titles and needs."""
    return [line.partition("  T")[0] for line in draw(plan(depends_on)).split("\n")[3:]]


def test_a_diamond_shows_what_splits_and_joins() -> None:
    assert graph({1: [], 2: [1], 3: [1], 4: [2, 3]}) == [
        "wave 1  ○    task-1",
        "wave 2  ├─●  task-2",
        "        ● │  task-3",
        "wave 3  ●─╯  task-4",
    ]


def test_a_lane_ends_at_the_last_task_that_needs_it() -> None:
    assert graph({1: [], 2: [], 3: [1], 4: [1, 2, 3], 5: [2, 4]}) == [
        "wave 1  ○      task-1",
        "        │ ○    task-2",
        "wave 2  ├─│─●  task-3",
        "wave 3  ●─┼─╯  task-4",
        "wave 4  ●─╯    task-5",
    ]


def test_a_task_between_its_needs_is_joined_from_both_sides() -> None:
    assert graph({1: [], 2: [], 3: [], 4: [1, 2, 3], 5: [1, 3]}) == [
        "wave 1  ○      task-1",
        "        │ ○    task-2",
        "        │ │ ○  task-3",
        "wave 2  ├─●─┤  task-4",
        "        ●───╯  task-5",
    ]


def test_independent_tasks_stand_in_one_wave_and_one_lane() -> None:
    assert graph({1: [], 2: [], 3: []}) == ["wave 1  ○  task-1", "        ○  task-2", "        ○  task-3"]


def test_the_summary_names_the_widest_wave_and_the_longest_chain() -> None:
    drawing = draw(plan({1: [], 2: [1], 3: [1], 4: [2, 3]}, hours={3: 2.5}))
    assert drawing.split("\n")[:2] == [
        "P",
        "4 tasks in 3 waves, up to 2 in parallel; 5.5 h of work, at least 4.5 h: task-1 → task-3 → task-4",
    ]


def test_each_line_says_what_the_task_needs_shortened_when_there_is_much() -> None:
    assert draw(plan({1: [], 2: [], 3: [2, 1]})).endswith("task-3  T3  ← task-2, task-1")
    many: dict[int, list[int]] = {number: [] for number in range(1, 10)} | {10: list(range(1, 10))}
    assert draw(plan(many)).endswith("← task-1, task-2, task-3, task-4, task-5, task-6, (3 more)")


def test_more_lanes_than_a_terminal_holds_are_left_out() -> None:
    def fan(width: int) -> str:
        return draw(
            plan({number: [] for number in range(1, width + 1)} | {width + 1: list(range(1, width + 1))})
        )

    assert "○" in fan(MAX_LANES)
    assert "○" not in fan(MAX_LANES + 1)
    assert f"task-{MAX_LANES + 2}" in fan(MAX_LANES + 1)


def test_a_wave_waits_for_the_latest_of_its_needs_whatever_the_order_in_the_plan() -> None:
    found = waves(plan({3: [2, 1], 2: [1], 1: []}))
    assert [[task.id for task in wave] for wave in found.waves] == [["task-1"], ["task-2"], ["task-3"]]
    assert [task.id for task in found.chain] == ["task-1", "task-2", "task-3"]


def test_mermaid_gets_nodes_and_edges_with_escaped_titles() -> None:
    tasks = (TaskSpec("task-1", 'Say "hi" <b>#1'), TaskSpec("task-2", "b", depends_on=("task-1",)))
    assert mermaid(Plan("P", "", tasks)).split("\n") == [
        "flowchart LR",
        '    task_1["task-1: Say #34;hi#34; #60;b#62;#35;1"]',
        '    task_2["task-2: b"]',
        "    task_1 --> task_2",
    ]


def test_mermaid_draws_each_stage_around_its_tasks_and_what_follows_it() -> None:
    tasks = (
        TaskSpec("task-1", "a", stage='Build "it"'),
        TaskSpec("task-2", "b", stage="Review"),
        TaskSpec("task-3", "c", stage='Build "it"', depends_on=("task-1",)),
    )
    assert mermaid(Plan("P", "", tasks)).split("\n") == [
        "flowchart LR",
        '    subgraph stage_1["Build #34;it#34;"]',
        '        task_1["task-1: a"]',
        '        task_3["task-3: c"]',
        "    end",
        '    subgraph stage_2["Review"]',
        '        task_2["task-2: b"]',
        "    end",
        "    stage_1 --> stage_2",
        "    task_1 --> task_3",
    ]
