"""Checks are tried before agents start: who waits, what a person is asked, and what their answer does."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.support import World, session, task
from tests.core.told import check_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.model import TaskSpec
from teamlead.core.state.indexes import PATIENCE
from teamlead.errors import Refused

TEST, LINT, FAST = "make test", "make lint", "make fast"
NO_MAKE = Obstacle("no program", "make", "`make` is not there", "Install `make`.")
ENDLESS = Obstacle("no end", "", "it did not end within 900 seconds", "Raise `check_timeout`.")


def begun(*tasks: TaskSpec, **fields: Any) -> World:
    return World(session(*tasks, preflight=True, **fields))


def tried(world: World) -> list[str]:
    return [effect.command for effect in world.state.due.values() if isinstance(effect, do.Preflight)]


def starting(world: World) -> list[str]:
    return [effect.task for effect in world.state.due.values() if isinstance(effect, do.PrepareCopy)]


def end(world: World, command: str, code: int = 0, found: Obstacle | None = None, turn: int = 0) -> None:
    world.tell(f.CheckTried(command, turn, code, 1.0, found))


def resolve(world: World, text: str, escalation: str = "esc-1") -> None:
    turn = world.tell(f.Resolve(escalation, text))
    if refusal := turn.refusals.get(0):
        raise refusal


def asked(world: World) -> list[tuple[str, list[str]]]:
    return [(record.cause, list(record.tasks)) for record in world.state.open.values()]


def test_each_check_is_tried_once_and_no_agent_starts_before_all_have_ended() -> None:
    world = begun(task(1, checks=(TEST,)), task(2, checks=(TEST, LINT)), checks=(LINT,))
    assert tried(world) == [TEST, LINT]
    end(world, TEST)
    assert starting(world) == []
    end(world, LINT, 1)
    assert starting(world) == ["task-1", "task-2"]


def test_agents_start_at_once_where_nothing_is_to_be_tried() -> None:
    assert starting(begun(task(1))) == ["task-1"]
    unwanted = World(session(task(1, checks=(TEST,))))
    assert (tried(unwanted), starting(unwanted)) == ([], ["task-1"])


def test_agents_wait_for_a_minute_and_what_is_found_later_is_asked_at_once() -> None:
    world = begun(task(1, checks=(TEST,)))
    began = world.now
    assert world.state.next_timer() == began + PATIENCE
    world.now = began + PATIENCE
    world.tell()
    assert starting(world) == ["task-1"]
    end(world, TEST, found=ENDLESS)
    assert asked(world) == [(f"no end: {TEST}", ["task-1"])]


def test_a_check_that_only_fails_is_for_the_tasks_to_mend() -> None:
    world = begun(task(1, checks=(TEST,)))
    end(world, TEST, 1)
    assert (asked(world), starting(world)) == ([], ["task-1"])


def test_one_question_for_all_that_share_an_obstacle_and_the_others_go_on() -> None:
    world = begun(task(1, checks=(TEST,)), task(2, checks=(LINT,)), task(3), task(4, checks=(TEST,)))
    end(world, TEST, 127, NO_MAKE)
    end(world, LINT, 127, NO_MAKE)
    assert asked(world) == [("no program: make", ["task-1", "task-4", "task-2"])]
    assert starting(world) == ["task-3"]
    blocked = [name for name, each in world.state.tasks.items() if each.blocked == "CHECK"]
    assert blocked == ["task-1", "task-2", "task-4"]


def test_go_on_lets_all_of_them_start_and_nobody_is_asked_about_the_same_again() -> None:
    world = begun(task(1, checks=(TEST,)), task(2, checks=(LINT,)))
    end(world, TEST, 127, NO_MAKE)
    resolve(world, "Go  on")
    end(world, LINT, 127, NO_MAKE)
    assert (asked(world), starting(world)) == ([], ["task-1", "task-2"])


def test_a_hidden_check_is_tried_like_the_others_and_stays_hidden_when_it_is_corrected() -> None:
    world = begun(task(1, hidden_checks=(TEST,)))
    assert tried(world) == [TEST]
    end(world, TEST, 127, NO_MAKE)
    resolve(world, f"check: {FAST}")
    spec = world.state.tasks["task-1"].spec
    assert (spec.checks, spec.hidden_checks) == ((), (FAST,))
    end(world, FAST)
    assert starting(world) == ["task-1"]


def test_another_command_takes_the_place_of_a_check_and_is_tried_itself() -> None:
    world = begun(task(1, checks=(TEST,)), checks=(TEST, LINT))
    end(world, TEST, 127, NO_MAKE)
    end(world, LINT)
    resolve(world, f"check: {FAST}")
    assert world.state.tasks["task-1"].spec.checks == (FAST,)
    assert world.state.session.checks == (FAST, LINT)
    assert (tried(world), starting(world)) == ([FAST], [])
    end(world, FAST)
    assert starting(world) == ["task-1"]


def test_of_several_checks_the_answer_says_which_is_corrected_and_the_rest_is_tried_again() -> None:
    world = begun(task(1, checks=(TEST, LINT)))
    end(world, TEST, 127, NO_MAKE)
    end(world, LINT, 127, NO_MAKE)
    with pytest.raises(Refused, match="is about several checks"):
        resolve(world, f"check: {FAST}")
    resolve(world, f"check: {TEST} => {FAST}")
    assert world.state.tasks["task-1"].spec.checks == (FAST, LINT)
    assert sorted(tried(world)) == [FAST, LINT]


def test_a_check_that_takes_the_place_of_one_that_the_task_has_already_runs_once() -> None:
    world = begun(task(1, checks=(TEST, LINT)))
    end(world, LINT)
    world.now += PATIENCE
    world.tell()
    world.advance(1, do.Check)
    world.tell(check_ended("task-1", 1, TEST, 0))
    end(world, TEST, found=ENDLESS)
    resolve(world, f"check: {LINT}")
    assert world.due(do.Check).command == LINT
    world.tell(check_ended("task-1", 1, LINT, 0))
    assert "task-1" not in world.state.active or world.state.active["task-1"].phase != "checking"


def test_retry_tries_it_once_more_and_stop_ends_the_session() -> None:
    world = begun(task(1, checks=(TEST,)))
    end(world, TEST, 127, NO_MAKE)
    resolve(world, "retry")
    assert (world.due(do.Preflight).turn, starting(world)) == (1, [])
    end(world, TEST, 127, NO_MAKE, turn=0)
    assert asked(world) == []
    end(world, TEST, 127, NO_MAKE, turn=1)
    resolve(world, "stop", "esc-2")
    assert world.state.phase == "FAILED"


def test_any_other_answer_is_refused_with_the_words_that_there_are() -> None:
    world = begun(task(1, checks=(TEST,)))
    end(world, TEST, 127, NO_MAKE)
    for text, said in (
        ("hurry", "is answered with"),
        ("check:", "needs one command"),
        (f"check: {TEST}", "as it is"),
    ):
        with pytest.raises(Refused, match=said):
            resolve(world, text)


def test_who_is_skipped_leaves_the_question_and_with_the_last_it_is_withdrawn() -> None:
    world = begun(task(1, checks=(TEST,)), task(2))
    end(world, TEST, 127, NO_MAKE)
    world.tell(f.SkipTask("task-1", "not needed"))
    assert asked(world) == []


def test_checks_of_tasks_that_come_later_are_tried_then() -> None:
    world = begun(task(1, checks=(TEST,)))
    end(world, TEST)
    world.tell(f.AddTasks((task(9, checks=(TEST, LINT)),)))
    assert tried(world) == [LINT]


def test_a_leader_that_comes_later_gives_what_is_tried_its_minute_again() -> None:
    world = begun(task(1, checks=(TEST,)))
    world.now += 10 * PATIENCE
    world.state = replace_leader(world)
    assert (tried(world), starting(world)) == ([TEST], [])


def replace_leader(world: World) -> Any:
    world.tell(f.LeaderArrived(2, "another"))
    return world.state


def test_what_cannot_be_tried_keeps_nobody() -> None:
    world = begun(task(1, checks=(TEST,)))
    world.tell(f.CheckTried(TEST, untried="no copy could be made"))
    assert starting(world) == ["task-1"]


def test_correcting_a_check_keeps_what_the_plan_said_of_other_tasks() -> None:
    world = begun(task(1, checks=(TEST,)), task(2, checks=(LINT,)))
    end(world, TEST, 127, NO_MAKE)
    before = world.state.tasks["task-2"].spec
    resolve(world, f"check: {FAST}")
    assert world.state.tasks["task-2"].spec == replace(before)
    corrected = [event for _, event in world.log if isinstance(event, e.CheckCorrected)]
    assert corrected == [e.CheckCorrected(TEST, FAST, "user")]
