"""Attempts that go round in circles are not tried any more."""

import pytest
from tests.core.leading import asked, led, options, question
from tests.core.support import World, task
from tests.core.told import agent_ended, work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.attempts.repetition import BACK_AND_FORTH, SAME_WORDS, SAME_WORK
from teamlead.core.model import Change, Limits

LONG = "I have moved the handler into its own module, and all of its tests pass now, as far as I can see."
BEYOND = (Change("elsewhere.py", "000000", "100644"),)


def attempt(world: World, tree: str = "", summary: str = "", path: str = "elsewhere.py") -> None:
    """One that leaves work outside of its scope."""
    world.advance(1, do.RunAgent)
    number = len(world.task(1).attempts)
    world.tell(agent_ended("task-1", number, "ok", summary=summary))
    changes = (Change(path, "000000", "100644"),)
    world.tell(work_found("task-1", number, f"task-1@{number}", changes, tree=tree))


def several(consultants: tuple[str, ...] = ()) -> World:
    return led(task(1, scope=("src/",)), consultants=consultants, limits=Limits(attempts=5))


def test_the_same_failure_with_the_same_work_ends_it_the_second_time() -> None:
    world = several()
    attempt(world, "a")
    assert not world.state.open
    attempt(world, "a")
    assert SAME_WORK in question(world).reason
    assert question(world).reason.startswith("task-1 (Title 1) failed 2 times, and ")
    assert SAME_WORK in world.task(1).attempts[-1].decided_because


def test_it_goes_to_the_planner_where_there_is_one() -> None:
    world = several(("planner",))
    attempt(world, "a")
    attempt(world, "a")
    assert SAME_WORK in asked(world, "replan").about


@pytest.mark.parametrize(("tree", "path"), [("b", "elsewhere.py"), ("a", "other.py"), ("", "elsewhere.py")])
def test_other_work_another_failure_or_work_without_a_name_is_no_repetition(tree: str, path: str) -> None:
    world = several()
    attempt(world, "a")
    attempt(world, tree, path=path)
    assert not world.state.open


def test_nearly_the_same_last_words_with_the_same_failure_end_it() -> None:
    world = several()
    attempt(world, "a", LONG)
    attempt(world, "b", LONG.replace("moved", "put"))
    assert SAME_WORDS in question(world).reason


@pytest.mark.parametrize("words", ["Done.", LONG[:60] + "x" * 40])
def test_short_words_and_other_words_say_nothing(words: str) -> None:
    world = several()
    attempt(world, "a", "Done." if words == "Done." else LONG)
    attempt(world, "b", words)
    assert not world.state.open


def test_work_that_goes_back_and_forth_ends_it() -> None:
    world = several()
    attempt(world, "a", path="one.py")
    attempt(world, "b", path="two.py")
    assert not world.state.open
    attempt(world, "a", path="one.py")
    assert BACK_AND_FORTH in question(world).reason


def test_what_a_person_said_makes_the_next_attempt_a_new_one() -> None:
    world = several()
    attempt(world, "a")
    attempt(world, "a")
    world.tell(f.Resolve("esc-1", "it has to be so"))
    attempt(world, "a")
    assert not world.state.open


def test_an_agent_that_crashes_again_is_tried_as_often_as_it_may_be() -> None:
    world = led(task(1), consultants=(), limits=Limits(attempts=4, retry_delay=0.0))
    for _ in range(3):
        world.advance(1, do.RunAgent)
        world.answer(world.due(do.RunAgent), 1)
    assert not world.state.open


def lost(world: World, number: int, times: int) -> None:
    for _ in range(times):
        world.advance(number, do.RunAgent)
        world.tell(agent_ended(f"task-{number}", len(world.task(number).attempts), "lost"))


def circling(rounds: int = 3) -> World:
    return led(task(1), task(2), consultants=(), limits=Limits(jobs=1, rounds=rounds))


def test_at_the_limit_a_person_is_asked_and_nothing_new_starts() -> None:
    world = circling()
    lost(world, 1, 2)
    assert not world.state.open
    lost(world, 1, 1)
    assert (question(world).kind, options(world)) == ("rounds", ("more", "stop"))
    assert question(world).reason == "3 attempts in a row have settled no task"
    assert not world.state.active


def test_more_allows_as_many_again() -> None:
    world = circling()
    lost(world, 1, 3)
    world.tell(f.Resolve("esc-1", "more"))
    lost(world, 1, 2)
    assert not world.state.open
    lost(world, 1, 1)
    assert question(world).id == "esc-2"


def test_stop_ends_the_session_and_nothing_else_is_understood() -> None:
    world = circling()
    lost(world, 1, 3)
    assert "'more' or 'stop'" in str(world.tell(f.Resolve("esc-1", "perhaps")).refusals[0])
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"


def test_a_task_that_is_settled_begins_the_count_anew() -> None:
    world = circling()
    lost(world, 1, 2)
    world.finish(1)
    lost(world, 2, 2)
    assert not world.state.open
