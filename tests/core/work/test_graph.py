"""What is wrong with dependencies, and what a task builds on."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.leading import ONE_ATTEMPT, led, replan
from tests.core.support import BASE, SIZE, World, session, task

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits, StageSpec, TaskSpec
from teamlead.core.state.lanes import Lane
from teamlead.core.state.records import Task
from teamlead.core.state.stages import Stage
from teamlead.core.work.graph import bases, find_cycle, foundations, problems, renumbered


@pytest.mark.parametrize(
    ("depends_on", "cycle"),
    [
        ({}, ()),
        ({"a": []}, ()),
        ({"a": ["b"], "b": []}, ()),
        ({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, ()),
        ({"a": ["unknown"]}, ()),
        ({"a": ["a"]}, ("a", "a")),
        ({"a": ["b"], "b": ["a"]}, ("a", "b", "a")),
        ({"a": ["b"], "b": ["c"], "c": ["a"]}, ("a", "b", "c", "a")),
        ({"a": ["b"], "b": ["c"], "c": ["b"]}, ("b", "c", "b")),
        ({"x": [], "a": ["x", "b"], "b": ["x", "c"], "c": ["b"]}, ("b", "c", "b")),
        ({"a": ["b", "c"], "b": [], "c": ["a"]}, ("a", "c", "a")),
    ],
)
def test_a_cycle_is_named_in_order(depends_on: dict[str, list[str]], cycle: tuple[str, ...]) -> None:
    assert find_cycle(depends_on) == cycle


GRAPHS = st.dictionaries(st.integers(0, 7), st.lists(st.integers(0, 7), max_size=4), max_size=8).map(
    lambda graph: {str(node): [str(n) for n in targets] for node, targets in graph.items()}
)


@settings(max_examples=100 * SIZE, deadline=None)
@given(GRAPHS)
def test_a_cycle_is_found_exactly_when_there_is_one(graph: dict[str, list[str]]) -> None:
    cycle = find_cycle(graph)
    left = dict(graph)
    while free := [n for n, targets in left.items() if not any(t in left for t in targets)]:
        for node in free:
            del left[node]
    assert bool(cycle) == bool(left)
    if cycle:
        assert cycle[0] == cycle[-1]
        assert len(set(cycle)) == len(cycle) - 1
        assert all(b in graph[a] for a, b in pairwise(cycle))


def test_a_very_long_chain_has_no_cycle_and_does_not_exhaust_the_stack() -> None:
    chain = {str(n): [str(n + 1)] for n in range(5000)}
    assert find_cycle(chain) == ()
    assert len(find_cycle(chain | {"5000": ["0"]})) == 5002


@pytest.mark.parametrize(
    "name",
    ["task-0", "task-01", "task-", "task", "1", "Task-1", "task-1 ", "task-1234567890", "task-1\n", ""],
)
def test_an_id_of_another_form_is_refused(name: str) -> None:
    (problem,) = problems([TaskSpec(name, "Title")], {})
    assert repr(name) in problem


@pytest.mark.parametrize("name", ["task-1", "task-10", "task-999999999"])
def test_an_id_of_the_right_form_is_no_problem(name: str) -> None:
    assert problems([TaskSpec(name, "Title")], {}) == ()


def test_every_problem_is_named_at_once() -> None:
    specs = [task(1), task(1), task(2, 9), task(3, 4), task(4, 3), TaskSpec("x", "Title")]
    assert problems(specs, {"task-7": []}) == (
        "task-1 is there already: choose another number",
        "'x' is not a task id: use task-1, task-2 and so on",
        "task-2 depends on task-9, which does not exist",
        "these tasks wait for each other: task-3 → task-4 → task-3",
    )


def test_a_task_may_depend_on_what_is_there_already_and_on_what_comes_with_it() -> None:
    assert problems([task(2, 1, 3), task(3)], {"task-1": []}) == ()


def test_a_task_that_is_there_already_cannot_be_added_again() -> None:
    assert problems([task(1)], {"task-1": []}) == ("task-1 is there already: choose another number",)


def test_a_cycle_through_what_is_there_already_is_found() -> None:
    (problem,) = problems([task(3, 1)], {"task-1": ["task-2"], "task-2": ["task-3"]})
    assert problem == "these tasks wait for each other: task-1 → task-2 → task-3 → task-1"


# What a task builds on


STAGE = Stage(StageSpec("work"), 0, "open", BASE)


def made(number: int, *depends_on: Task, commits: tuple[str, ...] = ()) -> Task:
    built = Task(task(number), number, 0.0, STAGE, Lane("scripted", "worker"))
    built.depends_on = list(depends_on)
    built.made = commits
    return built


def test_a_task_without_dependencies_starts_from_the_sessions_base() -> None:
    assert bases(made(1), BASE) == (BASE,)


def test_a_task_starts_from_what_its_one_dependency_made() -> None:
    assert bases(made(2, made(1, commits=("one",))), BASE) == ("one",)


def test_several_dependencies_are_merged_in_the_order_they_were_named() -> None:
    one, two, three = (made(n, commits=(f"c{n}",)) for n in (1, 2, 3))
    assert bases(made(4, two, three, one), BASE) == ("c2", "c3", "c1")


def test_a_dependency_that_was_skipped_stands_for_what_it_would_have_built_on() -> None:
    first = made(1, commits=("one",))
    other = made(2, commits=("two",))
    assert bases(made(4, made(3, first, other)), BASE) == ("one", "two")


def test_a_chain_of_skipped_dependencies_leads_back_to_the_last_work() -> None:
    chain = made(1, commits=("one",))
    for number in range(2, 5):
        chain = made(number, chain)
    assert bases(made(5, chain), BASE) == ("one",)


def test_when_everything_before_it_was_skipped_a_task_starts_from_the_sessions_base() -> None:
    assert bases(made(3, made(2, made(1))), BASE) == (BASE,)


def test_the_order_is_kept_also_through_a_skipped_dependency() -> None:
    one, two, three = (made(n, commits=(f"c{n}",)) for n in (1, 2, 3))
    assert bases(made(5, three, made(4, two, one)), BASE) == ("c3", "c2", "c1")


def test_a_commit_reached_twice_is_merged_once() -> None:
    one = made(1, commits=("one",))
    assert bases(made(4, made(2, one), made(3, one), one), BASE) == ("one",)


def test_the_sessions_base_is_not_merged_beside_work_that_holds_it() -> None:
    looked = made(1, commits=(BASE,))
    worked = made(2, commits=("two",))
    assert bases(made(3, looked, worked), BASE) == ("two",)
    assert bases(made(3, looked), BASE) == (BASE,)


def test_five_thousand_skipped_dependencies_do_not_exhaust_the_stack() -> None:
    chain = made(1, commits=("one",))
    for number in range(2, 5002):
        chain = made(number, chain)
    assert bases(made(6000, chain), BASE) == ("one",)


def test_many_ways_through_skipped_dependencies_are_walked_once() -> None:
    layer = [made(1, commits=("one",))]
    for number in range(2, 82, 2):
        layer = [made(number, *layer), made(number + 1, *layer)]
    assert bases(made(100, *layer), BASE) == ("one",)


def test_an_investigation_hands_on_what_it_was_based_on() -> None:
    world = World(session(task(1), task(2, 1, type="investigation"), task(3, 2)))
    world.finish(1, 2)
    assert world.due(do.PrepareCopy).bases == ("task-1@1",)


def test_a_skipped_dependency_is_resolved_when_the_dependent_starts() -> None:
    world = World(session(task(1), task(2, 1), task(3, 2)))
    world.finish(1)
    world.tell(f.SkipTask("task-2", "not needed"))
    assert world.due(do.PrepareCopy, 3).bases == ("task-1@1",)


def test_a_replaced_dependency_is_resolved_to_what_took_its_place_in_order() -> None:
    world = led(task(1), task(2), task(3, 1, 2), limits=ONE_ATTEMPT)
    world.finish(2)
    replan(world, 1, task(4), task(5))
    world.finish(5, 4)
    assert world.due(do.PrepareCopy).bases == ("task-4@1", "task-5@1", "task-2@1")


def test_new_tasks_get_free_ids_and_keep_what_they_depend_on_among_each_other() -> None:
    specs = renumbered([task(1), task(5, 1, 2), task(2, 9)], {"task-1": None, "task-4": None})
    assert [(spec.id, spec.depends_on) for spec in specs] == [
        ("task-3", ()),
        ("task-5", ("task-3", "task-6")),
        ("task-6", ("task-9",)),
    ]


def test_a_skipped_dependency_stands_for_what_it_would_have_built_on() -> None:
    world = World(session(task(1), task(2, 1), task(3, 2), task(4, 3, 1), limits=Limits(jobs=1)))
    world.tell(f.SkipTask("task-2", "not needed"))
    assert foundations(world.task(3)) == ("task-1",)
    world.tell(f.SkipTask("task-3", "not needed"))
    assert foundations(world.task(4)) == ("task-1",)
    world.tell(f.SkipTask("task-1", "not needed"))
    assert foundations(world.task(4)) == ()
