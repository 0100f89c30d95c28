"""The session's state is derived: the first that holds."""

from typing import Any

import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits, Question, Usage
from teamlead.core.state.team_state import TeamState, session_state


def planned() -> World:
    return World(session(task(1)), led=False)


def running() -> World:
    return World(session(task(1), task(2), limits=Limits(jobs=1, attempts=1)))


def left_alone() -> World:
    world = World(session(task(1), limits=Limits(retry_delay=5.0)))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent), 1)
    world.tell(f.LeaderLeft("it ended"))
    return world


def waiting_for_a_timer() -> World:
    world = left_alone()
    world.tell(f.LeaderArrived(2, "another"))
    assert not world.state.active
    return world


def left_while_running() -> World:
    world = running()
    world.tell(f.LeaderLeft("it ended"))
    return world


def asking_while_another_runs() -> World:
    world = World(session(task(1), task(2)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", question=Question("Which?")))
    return world


def settled() -> World:
    world = World(session(task(1)))
    world.finish(1)
    return world


def settled_but_stopping() -> World:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.SkipTask("task-1", "no"))
    return world


def paused_task_by_task() -> World:
    world = World(session(task(1), task(2, 1)))
    world.advance(1, do.RunAgent)
    world.tell(f.PauseTask("task-1"))
    world.answer(world.due(do.StopAgent))
    return world


def paused_as_a_whole() -> World:
    world = left_alone()
    world.tell(f.LeaderArrived(2, "another"), f.LeaderLeft("it was paused"))
    return world


def approved() -> World:
    world = settled()
    world.tell(world.approval())
    world.answer(world.due(do.ApplyWork))
    return world


def rejected() -> World:
    world = settled()
    world.tell(f.Reject("no"))
    return world


def cancelled_while_running() -> World:
    world = running()
    world.tell(f.Cancel("no"))
    return world


def stopped_by_a_person() -> World:
    world = running()
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent), 1)
    world.tell(f.Resolve("esc-1", "stop"))
    return world


@pytest.mark.parametrize(
    ("prepare", "expected"),
    [
        (planned, "PLANNING"),
        (running, "EXECUTING"),
        (left_while_running, "EXECUTING"),
        (waiting_for_a_timer, "EXECUTING"),
        (left_alone, "REVIEWING"),
        (paused_task_by_task, "PAUSED"),
        (paused_as_a_whole, "PAUSED"),
        (asking_while_another_runs, "ESCALATING"),
        (settled_but_stopping, "EXECUTING"),
        (settled, "COMPLETED"),
        (approved, "COMPLETED"),
        (rejected, "REJECTED"),
        (cancelled_while_running, "CANCELLED"),
        (stopped_by_a_person, "FAILED"),
    ],
)
def test_the_state_of_a_session_is_the_first_that_holds(prepare: Any, expected: str) -> None:
    assert session_state(prepare().state) == expected


def test_the_last_answer_leaves_escalating() -> None:
    world = asking_while_another_runs()
    world.tell(f.Resolve("esc-1", "left"))
    assert session_state(world.state) == "EXECUTING"


def test_a_state_without_a_session_is_still_planning() -> None:
    assert session_state(TeamState()) == "PLANNING"


def test_usage_is_added_up_and_unknown_is_not_zero() -> None:
    assert Usage().plus(Usage()) == Usage()
    assert Usage(10, 1).plus(Usage(5, None, 0.25)) == Usage(15, 1, 0.25)
    assert Usage(0).plus(Usage()) == Usage(0)


def test_what_one_run_did_not_tell_is_not_nothing_because_another_used_nothing() -> None:
    nothing = Usage(0, 0, 0.0)
    assert Usage().beside(nothing) == nothing.beside(Usage()) == Usage()
    assert nothing.beside(nothing) == nothing
    assert Usage().beside(Usage(5, 1, 0.25)) == Usage(5, 1, 0.25).beside(Usage()) == Usage(5, 1, 0.25)
    assert Usage(10, 1).beside(Usage(5, None, 0.25)) == Usage(15, 1, 0.25)


def test_a_task_shows_its_accepted_work_until_other_work_is_accepted() -> None:
    world = World(session(task(1), task(2)))
    world.advance(1, do.Integrate)
    assert world.task(1).commit == ""
    world.finish(1)
    assert world.task(1).commit == "task-1@1"
    world.tell(f.RetryTask("task-1", "no"))
    assert world.task(1).commit == "task-1@1"
    world.finish(1)
    assert world.task(1).commit == "task-1@2"
