"""One turn: what facts cause, and what that makes startable."""

import pytest
from tests.core.support import World, describe, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core import step as step_module
from teamlead.core.model import Limits, Question, SessionSpec
from teamlead.core.pipeline import stages
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.errors import NotFound


def live(world: World) -> list[str]:
    return list(world.state.active)


def test_as_many_tasks_start_as_there_are_jobs_in_the_order_of_the_plan() -> None:
    world = World(session(task(3), task(1), task(2), limits=Limits(jobs=2)))
    assert live(world) == ["task-3", "task-1"]
    world.finish(1)
    assert live(world) == ["task-3", "task-2"]


def test_the_number_of_a_copy_is_used_again_once_its_attempt_has_ended() -> None:
    world = World(session(task(1), task(2), task(3), limits=Limits(jobs=1)))
    world.advance(1, do.Collect)
    assert [a.slot for a in world.state.active.values()] == [0, 1]
    world.finish(1, 2)
    assert world.task(3).attempts[0].slot == 0


def test_an_attempt_whose_work_is_checked_takes_no_seat_from_the_next() -> None:
    world = World(session(task(1, checks=("make",)), task(2), limits=Limits(jobs=1)))
    world.advance(1, do.Check)
    assert live(world) == ["task-1", "task-2"]
    assert list(world.state.seated) == ["task-2-1"]


@pytest.mark.parametrize(("check_jobs", "most"), [(0, 4), (1, 3), (3, 5)])
def test_agents_wait_while_more_work_is_to_be_checked_than_checks_may_run(check_jobs: int, most: int) -> None:
    tasks = [task(number, checks=("make",)) for number in range(1, 9)]
    world = World(session(*tasks, limits=Limits(jobs=2, check_jobs=check_jobs)))
    for number in range(1, 9):
        world.advance(number, do.Check)
    assert len(world.state.active) == most
    world.finish(1)
    assert len(world.state.active) == most


def test_a_model_that_is_to_be_asked_goes_before_the_next_attempt() -> None:
    tasks = (task(1, acceptance=("it does",)), task(2), task(3))
    world = World(session(*tasks, limits=Limits(jobs=1), consultants=("judge",)))
    world.advance(1)
    assert list(world.state.wanted) == ["task-1-judge-1"]
    world.advance(2, do.Collect)
    assert list(world.state.seated) == ["task-1-judge-1"]
    assert world.task(3).live is None


def test_a_task_starts_when_the_last_of_its_dependencies_is_done() -> None:
    world = World(session(task(1), task(2), task(3, 1, 2)))
    world.finish(1)
    assert world.task(3).live is None
    world.advance(2, do.Integrate)
    assert world.task(3).live is None
    world.finish(2)
    assert world.task(3).live is not None


def test_a_leader_that_drains_starts_nothing_and_lets_what_runs_end() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=1)))
    world.tell(f.LeaderDraining("ctrl-c"))
    world.finish(1)
    assert live(world) == []
    assert world.task(2).state == "READY"
    world.tell(f.LeaderLeft("it ended"))
    assert (world.state.leader, world.state.draining) == ("", False)
    assert world.state.stopped_because == "it ended"
    assert live(world) == []
    world.tell(f.LeaderArrived(2, "another"))
    assert live(world) == ["task-2"]
    assert world.state.stopped_because == ""


def test_an_attempt_outlives_its_leader_and_is_still_due() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.LeaderLeft("killed"))
    world.tell(f.LeaderArrived(2, "another"))
    assert world.state.runs[world.due(do.RunAgent).run].attempt == 1


def test_independent_tasks_go_on_while_a_question_is_open() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", question=Question("Which?")))
    assert live(world) == ["task-2"]


def test_stopping_at_a_question_starts_nothing_until_it_is_answered() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=1), stop_on_escalation=True))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", question=Question("Which?")))
    assert live(world) == []
    world.tell(f.Resolve("esc-1", "left"))
    assert live(world) == ["task-1"]


def test_a_task_whose_moment_has_come_starts_before_one_that_waits_for_a_slot() -> None:
    world = World(session(task(1), task(2), task(3), limits=Limits(jobs=1, retry_delay=5.0)))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent), 1)
    assert live(world) == ["task-2"]
    world.now += 5.0
    world.finish(2)
    assert live(world) == ["task-1"]


def test_a_refusal_names_the_fact_and_the_others_count() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=2)))
    turn = world.tell(
        f.CopyReady("task-1", 1, "base"), f.SkipTask("task-9", "?"), f.CopyReady("task-2", 1, "base")
    )
    assert list(turn.refusals) == [1]
    assert isinstance(turn.refusals[1], NotFound)
    assert [type(event) for event in turn.events] == [e.CopyPrepared, e.CopyPrepared]


def test_only_what_cannot_be_found_again_must_be_on_disk_first() -> None:
    world = World(session(task(1, checks=("a",))))
    durable = []
    for _ in range(5):
        (effect,) = world.state.due.values()
        durable.append(world.answer(effect).durable)
    assert durable == [False, False, False, False, True]


def test_a_new_attempt_is_on_disk_before_anybody_acts_on_it() -> None:
    state = TeamState()
    step(state, [f.Open(session(task(1)))], 0.0)
    turn = step(state, [f.LeaderArrived(1, "leader")], 0.0)
    assert e.AttemptStarted in {type(event) for event in turn.events}
    assert turn.durable


def test_rules_that_answer_each_other_for_ever_end_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(session(task(1)))
    endless = e.PhaseChanged(world.state.phase, "again")
    monkeypatch.setattr(stages, "go_on", lambda _: [endless])
    monkeypatch.setattr(step_module, "evolve", lambda *_: None)
    with pytest.raises(RuntimeError, match=r"for ever, last for \[PhaseChanged"):
        step(world.state, [], world.now)


def test_a_turn_without_facts_lets_time_do_its_work_and_nothing_else() -> None:
    world = World(session(task(1)))
    before = describe(world.state)
    assert world.tell().events == []
    assert describe(world.state) == before


def awaiting() -> World:
    world = World(session(task(1)))
    world.finish(1)
    return world


APPROVE = f.Approve(awaiting().state.integration_tip)
ADD, REOPEN = f.AddTasks((task(2),)), f.RetryTask("task-1", "it broke")


@pytest.mark.parametrize(
    "facts",
    [
        (ADD, APPROVE),
        (APPROVE, ADD),
        (REOPEN, APPROVE),
        (APPROVE, REOPEN),
        (f.Reject("no"), ADD),
        (ADD, f.Reject("no")),
        (f.Reject("no"), REOPEN),
        (f.Cancel("no"), ADD),
        (f.SkipTask("task-1", "no"), APPROVE),
    ],
    ids=lambda facts: " ".join(type(fact).__name__ for fact in facts),
)
def test_facts_that_arrive_together_mean_what_they_mean_one_by_one(facts: tuple[f.AnyFact, ...]) -> None:
    together, apart = awaiting(), awaiting()
    turn = together.tell(*facts)
    turns = [apart.tell(fact) for fact in facts]
    assert turn.events == [event for one in turns for event in one.events]
    assert [str(r) for r in turn.refusals.values()] == [
        str(r) for one in turns for r in one.refusals.values()
    ]
    assert describe(together.state) == describe(apart.state)


def test_an_approved_session_does_not_end_over_a_task_added_with_the_approval() -> None:
    world = awaiting()
    world.tell(world.approval())
    turn = world.tell(f.ApprovalMade("c", "main", "b", "u"), ADD)
    assert "has ended (DONE: " in str(turn.refusals[1])
    assert world.state.unsettled == 0


def test_no_timer_counts_while_the_user_wants_nothing_started() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=2), stop_on_escalation=True))
    world.advance(1, do.RunAgent)
    world.advance(2, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "error", detail="crashed"))
    assert world.state.next_timer() is not None
    world.tell(agent_ended("task-2", 1, "ok", question=Question("which?")))
    assert world.state.next_timer() is None
    world.tell(f.Resolve("esc-1", "this one"))
    assert world.state.next_timer() is not None


@pytest.mark.parametrize(
    ("spec", "reason"),
    [(session(), "no tasks"), (session(task(1), limits=Limits(jobs=0)), "can do no work")],
    ids=["no task", "no agent"],
)
def test_a_session_that_could_never_do_anything_is_not_opened(spec: SessionSpec, reason: str) -> None:
    turn = step(TeamState(), [f.Open(spec)], 1.0)
    assert turn.events == []
    assert reason in str(turn.refusals[0])
