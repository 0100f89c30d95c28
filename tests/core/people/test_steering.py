"""What a person wants of one task while its session goes on."""

from typing import Any

import pytest
from tests.core.leading import ONE_ATTEMPT, led, replan
from tests.core.support import World, session, settle, task
from tests.core.told import agent_ended, over

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Budget, Limits, Question, Usage
from teamlead.core.team.members import conversation_of
from teamlead.errors import NotFound, Refused, TeamleadError

ONE_AT_A_TIME = Limits(jobs=1)


def refusal(world: World, fact: f.AnyFact) -> TeamleadError:
    turn = world.tell(fact)
    assert turn.events == []
    return turn.refusals[0]


def working(*specs: Any, **fields: Any) -> World:
    """The first task's agent is at work."""
    world = World(session(*(specs or (task(1),)), **fields))
    world.advance(1, do.RunAgent)
    return world


def failed(**fields: Any) -> World:
    """The first task has failed for good, and a person is asked."""
    world = working(limits=Limits(attempts=1), **fields)
    world.answer(world.due(do.RunAgent), 1)
    assert world.task(1).blocked == "FAILED"
    return world


def stop(world: World, conversation: str = "") -> None:
    effect = world.due(do.StopAgent)
    world.tell(over(effect, "interrupted", conversation=conversation))


# A pause


def test_a_paused_task_does_not_start_and_what_depends_on_it_waits() -> None:
    world = World(session(task(1), task(2), task(3, 2), limits=ONE_AT_A_TIME))
    world.tell(f.PauseTask("task-2"))
    world.finish(1)
    assert world.state.active == {}
    assert list(world.state.paused) == ["task-2"]
    world.tell(f.RetryTask("task-2"))
    world.finish(2, 3)
    assert world.state.paused == {}


def test_the_agent_of_a_paused_task_is_ended_and_goes_on_later_from_its_work_and_its_conversation() -> None:
    world = working(limits=Limits(attempts=1))
    world.tell(f.PauseTask("task-1"))
    assert world.due(do.StopAgent).reason == "paused by user"
    stop(world, conversation="c-1")
    assert world.state.active == {}
    assert world.task(1).attempts[0].outcome == "stopped"
    assert world.task(1).failures == 0
    world.tell(f.RetryTask("task-1"))
    prepare = world.due(do.PrepareCopy)
    assert (prepare.attempt, prepare.fresh) == (2, False)
    assert conversation_of(world.task(1).member, "scripted") == "c-1"


@pytest.mark.parametrize("step", [do.PrepareCopy, do.Collect, do.Check])
def test_whatever_an_attempt_is_at_a_pause_stops_it(step: type[do.AnyEffect]) -> None:
    world = World(session(task(1, checks=("make test",))))
    world.advance(1, step)
    world.tell(f.PauseTask("task-1"))
    assert list(world.state.due) == ["StopAgent:task-1-1"]
    world.answer(world.due(do.StopAgent))
    assert world.state.active == {}
    settle(world)
    assert world.state.phase == "DONE"


def test_work_that_is_being_judged_is_judged_no_more_once_its_task_is_paused() -> None:
    world = World(session(task(1, acceptance=("it does",)), consultants=("judge",)))
    world.advance(1)
    assert world.due(do.RunAgent).run == "task-1-judge-1"
    world.tell(f.PauseTask("task-1"))
    assert list(world.state.due) == ["StopAgent:task-1-judge-1", "StopAgent:task-1-1"]
    assert not world.state.advising


def test_pausing_twice_is_pausing_once() -> None:
    world = working()
    world.tell(f.PauseTask("task-1"))
    turn = world.tell(f.PauseTask("task-1"))
    assert (turn.events, turn.refusals) == ([], {})


def test_a_retry_before_the_agent_has_ended_lets_the_next_one_start_when_it_has() -> None:
    world = working()
    world.tell(f.PauseTask("task-1"), f.RetryTask("task-1"))
    assert list(world.state.due) == ["StopAgent:task-1-1"]
    stop(world)
    assert world.due(do.PrepareCopy).attempt == 2


def test_a_copy_that_was_to_be_made_anew_still_is_after_a_pause() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(f.RetryTask("task-1", "it broke"))
    assert world.due(do.PrepareCopy).fresh
    world.tell(f.PauseTask("task-1"))
    world.answer(world.due(do.StopAgent))
    world.tell(f.RetryTask("task-1"))
    assert world.due(do.PrepareCopy).fresh


def test_a_question_stays_open_while_its_task_is_paused_and_its_answer_is_kept() -> None:
    world = working()
    world.tell(f.Asked("task-1", 1, Question("Left?"), "call-1"))
    world.tell(f.PauseTask("task-1"))
    stop(world)
    assert list(world.state.open) == ["esc-1"]
    world.tell(f.Resolve("esc-1", "right"))
    assert world.state.active == {}
    world.tell(f.RetryTask("task-1"))
    assert world.task(1).guidance == [("Left?", "right")]
    assert world.due(do.PrepareCopy).attempt == 2


def test_a_session_in_which_only_paused_tasks_are_left_rests_and_waits_for_no_moment() -> None:
    world = World(session(task(1), task(2, 1)))
    world.tell(f.PauseTask("task-1"))
    world.answer(world.due(do.StopAgent))
    assert world.state.due == {}
    assert world.state.next_timer() is None
    assert not world.state.under_way


def test_a_paused_task_that_is_skipped_is_paused_no_more() -> None:
    world = World(session(task(1), task(2)))
    world.tell(f.PauseTask("task-1"), f.SkipTask("task-1", "not needed"))
    assert world.state.paused == {}
    assert world.task(1).state == "SKIPPED"


# Another try


def test_a_task_that_failed_for_good_is_tried_again_with_advice_and_a_fresh_count() -> None:
    world = failed()
    world.tell(f.RetryTask("task-1", "use the other door"))
    record = world.state.escalations["esc-1"]
    assert (record.state, record.resolution) == ("withdrawn", "user wants task-1 tried again")
    assert world.task(1).guidance[-1][1] == "use the other door"
    assert world.task(1).failures == 0
    assert world.due(do.PrepareCopy).attempt == 2


def test_what_the_planner_is_asked_about_a_task_is_asked_no_more_once_it_is_tried_again() -> None:
    world = working(limits=Limits(attempts=1), consultants=("planner",))
    world.answer(world.due(do.RunAgent), 1)
    assert world.task(1).blocked == "PLANNER"
    assert world.due(do.RunAgent)
    world.tell(f.RetryTask("task-1", "use the other door"))
    assert list(world.state.due) == ["StopAgent:task-1-planner-1", "PrepareCopy:task-1:2"]
    assert world.state.referred == {}
    assert world.task(1).guidance[-1][1] == "use the other door"


def test_a_paused_task_that_failed_goes_on_with_one_word() -> None:
    world = failed()
    world.tell(f.PauseTask("task-1"))
    world.tell(f.RetryTask("task-1"))
    assert world.state.paused == {}
    assert world.due(do.PrepareCopy).attempt == 2


def test_a_task_that_waits_for_its_moment_starts_at_once() -> None:
    world = working(limits=Limits(attempts=3, retry_delay=60.0))
    world.answer(world.due(do.RunAgent), 1)
    assert world.state.next_timer() == world.now + 60.0
    world.tell(f.RetryTask("task-1"))
    assert world.due(do.PrepareCopy).attempt == 2
    assert world.task(1).failures == 0


def test_a_running_task_is_stopped_and_runs_again_with_the_advice() -> None:
    world = working()
    world.tell(f.Asked("task-1", 1, Question("Left?"), "call-1"))
    world.tell(f.RetryTask("task-1", "left"))
    assert world.state.escalations["esc-1"].state == "withdrawn"
    stop(world, conversation="c-1")
    assert world.due(do.PrepareCopy).attempt == 2
    assert world.task(1).guidance == [("It is to be tried again.", "left")]


@pytest.mark.parametrize("ends", ["DONE", "SKIPPED"])
def test_a_settled_task_is_reopened(ends: str) -> None:
    world = World(session(task(1), task(2)))
    if ends == "SKIPPED":
        world.tell(f.SkipTask("task-1", "not needed"))
        world.answer(world.due(do.StopAgent))
    else:
        world.finish(1)
    world.tell(f.RetryTask("task-1", "the other way"))
    assert world.task(1).guidance == [("it was reopened", "the other way")]
    assert world.due(do.PrepareCopy, 1).fresh


def test_nothing_is_reopened_while_the_session_is_being_approved() -> None:
    world = World(session(task(1)))
    world.finish(1)
    world.tell(world.approval())
    assert "is being approved" in str(refusal(world, f.RetryTask("task-1")))


def test_a_task_whose_budget_is_used_up_needs_another_word_than_retry() -> None:
    world = working(task(1, budget=Budget(tokens=10)))
    world.tell(agent_ended("task-1", 1, "budget", usage=Usage(100, 20)))
    assert world.task(1).blocked == "BUDGET"
    says = refusal(world, f.RetryTask("task-1"))
    assert "the budget of task-1 is used up" in str(says)
    assert "--escalation-id esc-1 --resolution more" in says.remedy


def test_a_task_that_has_not_begun_takes_advice_and_has_nothing_to_retry() -> None:
    world = World(session(task(1), task(2, 1)))
    assert "has not begun" in str(refusal(world, f.RetryTask("task-2")))
    world.tell(f.RetryTask("task-2", "mind the gap"))
    assert world.task(2).guidance == [("It is to be tried again.", "mind the gap")]


# Another agent


def test_the_next_attempt_of_a_reassigned_task_is_the_other_agents_in_the_same_copy() -> None:
    world = working(task(1, arguments=("--fast",), agent="claude", model="opus"))
    world.tell(f.ReassignTask("task-1", "codex", "o9"))
    assert world.due(do.StopAgent).reason == "codex goes on with it"
    stop(world, conversation="c-1")
    prepare = world.due(do.PrepareCopy)
    assert not prepare.fresh
    world.answer(prepare)
    run = world.state.runs[world.due(do.RunAgent).run]
    assert (run.agent, run.model) == ("codex", "o9")
    assert world.task(1).spec.arguments == ()
    assert conversation_of(world.task(1).member, "codex") == ""


def test_a_task_whose_agent_is_on_hold_starts_with_one_that_is_not() -> None:
    world = World(session(task(1, agent="claude"), task(2, agent="claude"), limits=ONE_AT_A_TIME))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "denied", detail="401"))
    assert world.state.escalations["esc-1"].cause == "claude"
    world.tell(f.ReassignTask("task-1", "codex"))
    assert list(world.state.active) == ["task-1"]
    assert world.state.escalations["esc-1"].state == "open"
    world.tell(f.ReassignTask("task-2", "codex"))
    assert world.state.escalations["esc-1"].resolution == "nothing waits for this agent any more"
    world.finish(1, 2)


def test_what_an_agent_used_counts_as_its_own_after_its_task_went_to_another() -> None:
    world = working(task(1, agent="claude"), budget=Budget(tokens=1000))
    world.tell(f.ReassignTask("task-1", "codex"))
    world.tell(agent_ended("task-1", 1, "interrupted", usage=Usage(100, 20)))
    assert list(world.state.purses["session"].largest) == ["claude"]


def test_a_question_of_the_agent_that_went_is_answered_before_the_other_one_starts() -> None:
    world = working()
    world.tell(f.Asked("task-1", 1, Question("Left?"), "call-1"))
    world.tell(f.ReassignTask("task-1", "codex"))
    stop(world)
    assert world.state.active == {}
    world.tell(f.Resolve("esc-1", "right"))
    assert world.state.active["task-1"].run.agent == "codex"


def test_who_works_already_on_a_task_goes_on() -> None:
    world = working(task(1, agent="codex", model="o9"))
    turn = world.tell(f.ReassignTask("task-1", "codex", "o9"))
    assert (turn.events, turn.refusals) == ([], {})


def test_a_task_keeps_its_member_whoever_works_on_it() -> None:
    world = working(task(1, agent="claude"))
    member = world.task(1).member
    world.tell(f.ReassignTask("task-1", "codex"))
    assert (world.task(1).member, list(world.state.members)) == (member, ["task-1"])
    world.check_replay()


# Where nothing can be steered

COMMANDS = [f.PauseTask("task-1"), f.ReassignTask("task-1", "codex"), f.RetryTask("task-1")]


@pytest.mark.parametrize("fact", COMMANDS[:2])
def test_what_is_settled_can_neither_be_paused_nor_reassigned(fact: f.AnyFact) -> None:
    world = World(session(task(1), task(2)))
    world.finish(1)
    assert "task-1 is DONE already" in str(refusal(world, fact))


@pytest.mark.parametrize("fact", COMMANDS)
def test_what_is_being_merged_is_let_through(fact: f.AnyFact) -> None:
    world = World(session(task(1), task(2)))
    world.advance(1, do.Integrate)
    assert "task-1 is being merged" in str(refusal(world, fact))


@pytest.mark.parametrize("fact", COMMANDS)
def test_a_task_that_was_replaced_stays_replaced(fact: f.AnyFact) -> None:
    world = led(limits=ONE_ATTEMPT)
    replan(world, 1, task(2))
    assert "task-1 is REPLACED_BY_REPLAN already" in str(refusal(world, fact))


@pytest.mark.parametrize("fact", [*COMMANDS, f.PauseSession()])
def test_nothing_is_steered_after_the_end(fact: f.AnyFact) -> None:
    world = World(session(task(1)))
    world.tell(f.Cancel("enough"))
    assert "has ended (CANCELLED: " in str(refusal(world, fact))


@pytest.mark.parametrize(
    "fact", [f.PauseTask("task-9"), f.RetryTask("task-9"), f.ReassignTask("task-9", "codex")]
)
def test_an_unknown_task_is_not_found(fact: f.AnyFact) -> None:
    assert isinstance(refusal(World(session(task(1))), fact), NotFound)


# The whole session


def test_a_paused_session_starts_nothing_more_and_the_next_leader_goes_on() -> None:
    world = World(session(task(1), task(2), limits=ONE_AT_A_TIME))
    turn = world.tell(f.PauseSession())
    assert turn.events == [e.LeaderStopping("paused by user")]
    assert world.tell(f.PauseSession()).events == []
    world.finish(1)
    assert world.state.active == {}
    world.tell(f.LeaderLeft("it was paused"), f.LeaderArrived(2, "next"))
    world.finish(2)


def test_a_session_that_nobody_leads_cannot_be_paused() -> None:
    world = World(session(task(1)), led=False)
    says = refusal(world, f.PauseSession())
    assert isinstance(says, Refused)
    assert "nobody leads session s-1" in str(says)
    assert "teamlead resume s-1" in says.remedy


# Putting tasks in


def test_several_tasks_are_added_together_or_not_at_all() -> None:
    world = World(session(task(1)))
    assert "task-9, which does not exist" in str(refusal(world, f.AddTasks((task(2), task(3, 9)))))
    assert list(world.state.tasks) == ["task-1"]
    world.tell(f.AddTasks((task(3, 2), task(2, 1))))
    assert list(world.state.tasks) == ["task-1", "task-2", "task-3"]


def test_a_task_can_be_put_before_one_that_has_not_begun() -> None:
    world = World(session(task(1), task(2), limits=ONE_AT_A_TIME))
    world.tell(f.AddTasks((task(3),), before=("task-2",)))
    world.finish(1)
    assert list(world.state.active) == ["task-3"]
    world.finish(3)
    assert world.due(do.PrepareCopy, 2).bases == ("task-3@1",)


def test_nothing_is_put_before_a_task_that_has_begun_or_that_it_waits_for() -> None:
    world = World(session(task(1), task(2, 1), limits=ONE_AT_A_TIME))
    begun = refusal(world, f.AddTasks((task(3),), before=("task-1",)))
    assert "task-1 has begun (RUNNING): nothing can be put before it" in str(begun)
    assert "wait for each other" in str(refusal(world, f.AddTasks((task(3, 2),), before=("task-2",))))
    assert isinstance(refusal(world, f.AddTasks((task(3),), before=("task-9",))), NotFound)


def test_no_task_is_nothing_to_add() -> None:
    assert "no task to add" in str(refusal(World(session(task(1))), f.AddTasks(())))
