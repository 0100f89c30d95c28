"""What a session waits for: whose leader died, or whose stages have not all begun."""

import pytest
from tests.core.support import World, session, task

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits
from teamlead.core.transitions import PAUSED
from teamlead.views.documents.sessions import SessionPart, TaskPart, TrespassPart, WaitPart
from teamlead.views.leadership import (
    BY_ITSELF,
    NEW,
    STALE,
    is_stale,
    next_step,
    shown,
    stage_waits,
    waits,
    waits_for_person,
    why_interrupted,
    with_stage_wait,
)
from teamlead.views.moments import iso
from teamlead.views.rows import session_view, task_view

ASK = 5


@pytest.fixture
def world() -> World:
    """The first task asks, the second runs, and the third waits for a place."""
    world = World(session(task(1), task(2), task(3, 2), limits=Limits(jobs=2)))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent, 1), ASK)
    world.advance(2, do.RunAgent)
    return world


def listed(world: World, *, led: bool) -> list[WaitPart]:
    tasks = [task_view(world.state, task) for task in world.state.tasks.values()]
    return waits(session_view(world.state), tasks, led=led)


def test_with_a_leader_everything_is_listed_as_it_was_written(world: World) -> None:
    assert [item["what"] for item in listed(world, led=True)] == [
        "task-1 (esc-1)",
        "tasks to start",
        "task-2",
    ]


def test_where_the_leader_died_resuming_comes_first_and_then_what_a_person_can_do(world: World) -> None:
    first, *rest = listed(world, led=False)
    assert first == WaitPart(
        what="session",
        reason="its leader ended without a word",
        since=session_view(world.state)["updated_at"],
        deadline=None,
        next="teamlead resume s-1",
    )
    assert [item["what"] for item in rest] == ["task-1 (esc-1)"]


def test_a_leader_that_left_with_a_word_is_not_called_dead(world: World) -> None:
    world.tell(f.LeaderLeft("it was interrupted"))
    found = listed(world, led=False)
    assert found == listed(world, led=True)
    assert "no leader runs: it was interrupted" in [item["reason"] for item in found]


@pytest.mark.parametrize("led", [True, False])
def test_an_ended_session_waits_for_nobody_to_resume_it(led: bool) -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(f.Reject("no"))
    assert world.state.final
    assert world.state.leader
    assert listed(world, led=led) == []


def test_finished_work_can_be_approved_although_the_leader_died() -> None:
    world = World(session(task(1)))
    world.finish(1)
    assert [item["what"] for item in listed(world, led=False)] == ["session", "approval"]


@pytest.mark.parametrize(("seconds", "why"), [(NEW + 0.1, "nobody has led it yet"), (NEW - 0.1, "")])
def test_a_session_that_nobody_ever_led_is_interrupted_unless_it_is_new(seconds: float, why: str) -> None:
    world = World(session(task(1)), led=False)
    assert why_interrupted(session_view(world.state), led=False, now=world.now + seconds) == why


def seen(world: World, *, led: bool = False) -> SessionPart:
    tasks = [task_view(world.state, task) for task in world.state.tasks.values()]
    return shown(session_view(world.state), tasks, led=led, now=world.now)


@pytest.mark.parametrize(("seconds", "stale"), [(STALE + 1, True), (STALE - 1, False)])
def test_a_session_is_stale_when_nobody_has_led_it_for_hours(seconds: float, stale: bool) -> None:
    world = World(session(task(1)), led=False)
    assert is_stale(seen(world), world.now + seconds) is stale
    assert not is_stale(seen(world, led=True), world.now + seconds)
    world.tell(f.LeaderArrived(1, "leader"))
    assert is_stale(seen(world), world.now + seconds) is stale


def test_what_waits_for_a_person_is_never_stale(world: World) -> None:
    """world: a question is open."""
    gate, stopped = World(session(task(1))), World(session(task(1)))
    paused = World(session(task(1)), led=False)
    gate.finish(1)
    paused.tell(f.PauseTask("task-1"))
    stopped.tell(f.PauseSession())
    stopped.tell(f.LeaderLeft(PAUSED))
    for each in (world, gate, paused, stopped):
        assert waits_for_person(seen(each))
        assert not is_stale(seen(each), each.now + 100 * STALE)


# Stages


def staged() -> World:
    return World(session(task(1, stage="Build"), task(2, stage="Test"), task(3, stage="Review")))


def told(world: World, number: int) -> TaskPart:
    view = task_view(world.state, world.task(number))
    return with_stage_wait(view, stage_waits(session_view(world.state)))


def reasons(world: World) -> list[str | None]:
    waiting = [told(world, number)["waiting"] for number in (1, 2, 3)]
    return [wait and wait["reason"] for wait in waiting]


def test_a_task_whose_stage_has_not_begun_waits_for_the_stage_before_it() -> None:
    world = staged()
    assert reasons(world)[1:] == ["waits for stage Build", "waits for stage Test"]
    assert told(world, 3)["waiting"] == WaitPart(
        what="task-3",
        reason="waits for stage Test",
        since=iso(1000.0),
        deadline=None,
        next="it can start when its stage begins",
    )
    world.finish(1)
    assert reasons(world)[0] is None
    assert reasons(world)[2] == "waits for stage Test"


def test_a_stage_that_has_nothing_left_to_do_is_not_waited_for() -> None:
    world = staged()
    world.tell(f.SkipTask("task-2", "not needed"))
    assert world.task(2).state == "SKIPPED"
    assert reasons(world)[2] == "waits for stage Build"


def test_a_task_that_is_paused_too_tells_that_first() -> None:
    world = staged()
    world.tell(f.PauseTask("task-3"))
    assert reasons(world)[2] == "paused by user"


def test_no_task_of_a_session_that_has_ended_waits_for_a_stage() -> None:
    world = staged()
    world.tell(f.Cancel(""))
    assert stage_waits(session_view(world.state)) == {}


def test_a_stage_that_waits_for_the_checks_of_the_whole_has_not_begun() -> None:
    tasks = (task(1, stage="Build"), task(2, stage="Review", type="investigation"))
    world = World(session(*tasks, checks=("make",)))
    world.finish(1)
    assert world.state.checking_whole
    wait = told(world, 2)["waiting"]
    assert wait is not None
    assert wait["reason"] == "stage Review has not begun"


# What moves it on


def step(world: World, *, led: bool = False) -> str:
    told = next_step(session_view(world.state), list(world.state.paused), led=led)
    return ": ".join(filter(None, told))


def test_a_session_with_work_to_do_goes_on_by_itself_or_is_to_be_resumed(world: World) -> None:
    assert step(world, led=True) == BY_ITSELF
    assert step(world) == "Nobody leads this session: teamlead resume s-1"


def test_a_session_that_only_waits_for_answers_is_not_to_be_resumed() -> None:
    world = World(session(task(1), task(2, 1)))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent, 1), ASK)
    world.tell(f.LeaderLeft("it was interrupted"))
    assert step(world) == "Nothing goes on before you answer: teamlead escalations s-1"
    world.tell(f.SkipTask("task-1", ""))
    assert step(world) == "Nobody leads this session: teamlead resume s-1"


def test_a_session_with_nothing_but_paused_tasks_needs_them_to_go_on() -> None:
    world = World(session(task(1), task(2, 1)), led=False)
    world.tell(f.PauseTask("task-1"))
    world.tell(f.LeaderArrived(1, "leader"))
    world.tell(f.LeaderLeft("nothing can move without a person"))
    assert step(world) == "Paused: task-1: teamlead retry task-1 --session s-1"


def test_where_everything_is_settled_the_work_is_to_be_approved() -> None:
    world = World(session(task(1), task(2, 1)))
    world.tell(f.SkipTask("task-2", ""))
    world.finish(1)
    assert step(world) == "Everything is settled: teamlead approve s-1, or teamlead reject s-1"
    assert step(world, led=True) == step(world)
    row = session_view(world.state)
    row["trespasses"] = (TrespassPart(item="refs/heads/main", what="main was moved", suspects=()),)
    assert next_step(row, (), led=False).next == "teamlead mend s-1"


def test_nothing_moves_a_session_that_has_ended() -> None:
    world = World(session(task(1)))
    world.tell(f.Cancel("wrong plan"))
    told = next_step(session_view(world.state), (), led=False)
    assert (told.why, told.next) == (
        f"session s-1 has ended (CANCELLED: {world.state.phases[-1].reason})",
        "",
    )
