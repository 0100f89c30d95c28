"""How one task is tried, and tried again, and when a person is asked."""

import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended, quiet, work_found

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Limits, Question
from teamlead.core.runs import AgentStatus
from teamlead.core.step import Turn

OK, CRASH = 0, 1


def fail(world: World, number: int = 1) -> Turn:
    world.advance(number, do.RunAgent)
    return world.answer(world.due(do.RunAgent, number), CRASH)


def wait(world: World) -> None:
    timer = world.state.next_timer()
    assert timer is not None
    world.now = timer
    world.tell()


def refuse_merge(world: World, number: int = 1) -> Turn:
    world.advance(number, do.Integrate)
    return world.answer(world.due(do.Integrate, number), 1)


def test_a_task_goes_through_every_effect_in_order_and_is_done_when_it_is_merged() -> None:
    world = World(session(task(1, checks=("make test",)), checks=("make lint",)))
    seen = []
    while world.state.due:
        (effect,) = world.state.due.values()
        seen.append(effect.key)
        world.answer(effect)
        if isinstance(effect, do.Integrate):
            assert world.task(1).state == "DONE"
            break
        assert world.task(1).state == "RUNNING"
    assert seen == [
        "PrepareCopy:task-1:1",
        "RunAgent:task-1-1",
        "Collect:task-1:1",
        "Check:task-1:1:task-1@1:make test",
        "Check:task-1:1:task-1@1:make lint",
        "Integrate:task-1:1",
    ]


def test_a_check_that_is_named_twice_runs_once() -> None:
    world = World(session(task(1, checks=("make test", "make test")), checks=("make test",)))
    world.advance(1, do.Check)
    world.answer(world.due(do.Check))
    assert world.due(do.Integrate)


def test_an_investigation_is_done_when_it_is_accepted_and_merges_nothing() -> None:
    world = World(session(task(1, type="investigation"), task(2)))
    world.advance(1, do.Collect)
    world.answer(world.due(do.Collect))
    assert world.task(1).state == "DONE"
    assert world.state.integration_tip == ""


def test_an_integration_that_changed_nothing_is_done_without_a_merge() -> None:
    world = World(session(task(1, type="integration"), task(2, 1)))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 1, ""))
    assert world.task(1).state == "DONE"
    assert world.due(do.PrepareCopy, 2).bases == ("base",)


@pytest.mark.parametrize("choice", [1, 2, 3])
def test_work_that_does_not_hold_is_tried_again_at_once_with_the_reason(choice: int) -> None:
    world = World(session(task(1, scope=("src/",))))
    world.advance(1, do.Collect)
    world.answer(world.due(do.Collect), choice)
    first, second = world.task(1).attempts
    assert first.outcome == "refused"
    assert len(first.reasons) == 1
    assert (second.number, second.phase) == (2, "preparing")


def test_every_check_runs_although_one_failed_and_every_failure_is_a_reason() -> None:
    world = World(session(task(1, checks=("a", "b", "c"))))
    world.advance(1, do.Check)
    world.answer(world.due(do.Check), 1)
    world.answer(world.due(do.Check), OK)
    assert world.task(1).attempts[0].outcome is None
    world.answer(world.due(do.Check), 2)
    assert world.task(1).attempts[0].reasons == (
        "the check `a` failed with exit code 1",
        "the check `c` did not end in time",
    )


def test_only_the_last_check_failing_is_enough() -> None:
    world = World(session(task(1, checks=("a", "b"))))
    world.advance(1, do.Check)
    world.answer(world.due(do.Check), OK)
    world.answer(world.due(do.Check), 1)
    assert world.task(1).attempts[0].outcome == "refused"


def test_an_agent_that_crashes_is_tried_again_after_a_delay_that_doubles() -> None:
    world = World(session(task(1), limits=Limits(attempts=4, retry_delay=3.0)))
    delays = []
    for _ in range(3):
        fail(world)
        assert world.task(1).state == "NEEDS_CONTINUATION"
        assert world.task(1).live is None
        timer = world.state.next_timer()
        assert timer is not None
        delays.append(timer - world.now)
        world.now = timer - 0.001
        world.tell()
        assert world.task(1).live is None
        wait(world)
    assert delays == [3.0, 6.0, 12.0]


def test_a_failed_effect_counts_as_a_failure_and_says_what_failed() -> None:
    world = World(session(task(1)))
    world.tell(f.EffectFailed("task-1", 1, "making the copy", "no space left"))
    assert world.task(1).attempts[0].reasons == ("making the copy failed: no space left",)
    assert world.task(1).failures == 1
    assert world.state.next_timer() == world.now + 2.0


@pytest.mark.parametrize("attempts", [1, 2, 3])
def test_after_so_many_failures_the_task_is_blocked_and_a_person_is_asked(attempts: int) -> None:
    world = World(session(task(1), limits=Limits(attempts=attempts, retry_delay=0.0)))
    for _ in range(attempts):
        assert not world.state.open
        fail(world)
    assert (world.task(1).state, world.task(1).blocked) == ("BLOCKED", "FAILED")
    assert len(world.task(1).attempts) == attempts
    (record,) = world.state.open.values()
    assert (record.kind, list(record.tasks), record.target) == ("failed", ["task-1"], "user")
    assert record.question is not None
    assert record.question.options == ("retry", "skip", "stop")
    times = {1: "once", 2: "2 times", 3: "3 times"}[attempts]
    assert record.reason == f"task-1 (Title 1) failed {times}; last: the agent failed: it crashed"


def test_a_persons_advice_gives_the_task_its_attempts_again() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    fail(world)
    world.tell(f.Resolve("esc-1", "look at the lock file"))
    assert world.task(1).guidance[-1][1] == "look at the lock file"
    assert world.task(1).attempts[-1].number == 2
    fail(world)
    assert list(world.state.open) == ["esc-2"]


@pytest.mark.parametrize("answer", ["retry", "look at the lock file"])
def test_after_an_answer_failures_and_conflicts_are_counted_from_none(answer: str) -> None:
    world = World(session(task(1), limits=Limits(attempts=2, retry_delay=0.0)))
    fail(world)
    fail(world)
    world.tell(f.Resolve("esc-1", answer))
    fail(world)
    assert world.task(1).state == "RUNNING"
    refuse_merge(world)
    assert world.task(1).state == "RUNNING"
    refuse_merge(world)
    world.tell(f.Resolve("esc-2", answer))
    refuse_merge(world)
    assert world.task(1).state == "RUNNING"


def test_a_reopened_task_has_all_its_attempts_again() -> None:
    world = World(session(task(1), task(2), limits=Limits(attempts=2, retry_delay=0.0)))
    fail(world)
    world.finish(1)
    world.tell(f.RetryTask("task-1", "it broke"))
    fail(world)
    assert world.task(1).state == "RUNNING"


def test_retry_as_an_answer_is_no_advice() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    fail(world)
    world.tell(f.Resolve("esc-1", " Retry "))
    assert world.task(1).guidance[-1][1] == ""
    assert world.task(1).live is not None


def test_skip_as_an_answer_lets_dependents_start() -> None:
    world = World(session(task(1), task(2, 1), limits=Limits(attempts=1)))
    fail(world)
    world.tell(f.Resolve("esc-1", "skip"))
    assert world.task(1).state == "SKIPPED"
    assert world.task(2).live is not None


@pytest.mark.parametrize("status", ["lost", "interrupted"])
def test_an_agent_that_was_lost_or_interrupted_starts_again_and_has_not_failed(status: AgentStatus) -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, status))
    assert world.task(1).attempts[0].outcome == status
    assert world.task(1).failures == 0
    assert world.task(1).attempts[1].phase == "preparing"


def test_an_agents_question_blocks_its_task_until_it_is_answered() -> None:
    world = World(session(task(1), task(2, 1), task(3)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", question=Question("Which one?", ("left", "right"))))
    assert (world.task(1).state, world.task(1).blocked) == ("BLOCKED", "QUESTION")
    assert world.state.open["esc-1"].question == Question("Which one?", ("left", "right"))
    world.finish(3)
    assert world.task(2).state == "READY"
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "EXECUTING"
    assert world.task(1).guidance == [("Which one?", "stop")]


def test_a_conflict_runs_the_later_task_once_more_on_the_merged_work() -> None:
    world = World(session(task(1), task(2)))
    world.finish(1)
    tip = world.state.integration_tip
    turn = refuse_merge(world, 2)
    assert e.TaskRetried("task-2", world.now, fresh=True) in turn.events
    effect = world.due(do.PrepareCopy, 2)
    assert (effect.bases, effect.fresh) == ((tip,), True)
    first = world.task(2).attempts[0]
    assert first.outcome == "conflict"
    assert first.reasons == ("its work conflicts with what was merged before it in src/a.py", "both sides")


def test_a_second_conflict_blocks_the_task_and_asks() -> None:
    world = World(session(task(1), task(2)))
    world.finish(1)
    refuse_merge(world, 2)
    refuse_merge(world, 2)
    assert (world.task(2).state, world.task(2).blocked) == ("BLOCKED", "CONFLICT")
    assert len(world.task(2).attempts) == 2
    (record,) = world.state.open.values()
    assert (record.kind, list(record.tasks)) == ("conflict", ["task-2"])
    world.tell(f.Resolve(record.id, "keep both"))
    assert world.due(do.PrepareCopy, 2).fresh


@pytest.mark.parametrize("attempts", [1, 3])
def test_a_copy_that_could_not_be_made_anew_after_a_conflict_is_still_made_anew(attempts: int) -> None:
    world = World(session(task(1), task(2), limits=Limits(attempts=attempts)))
    world.finish(1)
    refuse_merge(world, 2)
    world.tell(f.EffectFailed("task-2", 2, "making the copy", "no space left"))
    for record in list(world.state.open.values()):
        world.tell(f.Resolve(record.id, "there is space now"))
    world.now += 1000
    world.tell()
    effect = world.due(do.PrepareCopy, 2)
    assert (effect.attempt, effect.bases, effect.fresh) == (3, (world.state.integration_tip,), True)


def test_a_conflict_does_not_count_as_a_failure() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    refuse_merge(world)
    assert world.task(1).failures == 0
    assert world.task(1).live is not None


def test_dependencies_that_do_not_merge_with_each_other_block_the_task() -> None:
    world = World(session(task(1), task(2), task(3, 1, 2)))
    world.finish(1, 2)
    effect = world.due(do.PrepareCopy)
    assert effect.bases == ("task-1@1", "task-2@1")
    assert effect.fallback == world.state.integration_tip
    world.answer(effect, 1)
    assert (world.task(3).state, world.task(3).blocked) == ("BLOCKED", "CONFLICT")
    assert "conflict with each other in a.py" in world.task(3).detail


def test_a_task_uses_its_own_agent_where_it_names_one() -> None:
    world = World(session(task(1, agent="codex", role="reviewer", model="large"), task(2)))
    assert world.task(2).attempts[0].run.agent == "scripted"
    world.advance(1, do.RunAgent)
    run = world.state.runs[world.due(do.RunAgent, 1).run]
    assert (run.agent, run.role, run.model) == ("codex", "reviewer", "large")


def test_a_stopped_attempt_keeps_its_slot_until_it_is_quiet() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=1)))
    world.advance(1, do.RunAgent)
    world.tell(f.SkipTask("task-1", "not needed"))
    assert world.task(1).state == "SKIPPED"
    assert world.task(2).live is None
    assert [type(effect) for effect in world.state.due.values()] == [do.StopAgent]
    world.answer(world.due(do.StopAgent))
    assert world.task(2).live is not None
    assert world.task(1).attempts[0].outcome == "stopped"
    assert world.task(1).attempts[0].reasons == ("stopped",)


def test_an_agent_that_ends_while_it_is_stopped_says_why() -> None:
    world = World(session(task(1), task(2)))
    world.advance(1, do.RunAgent)
    world.tell(f.SkipTask("task-1", "not needed"))
    world.tell(agent_ended("task-1", 1, "error", detail="killed by signal 15"))
    assert world.task(1).attempts[0].reasons == ("killed by signal 15",)


def test_a_task_reopened_while_its_old_attempt_ends_starts_only_after_it() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.SkipTask("task-1", "not needed"))
    world.tell(f.RetryTask("task-1", "needed after all"))
    assert len(world.task(1).attempts) == 1
    world.answer(world.due(do.StopAgent), 2)
    assert [a.outcome for a in world.task(1).attempts] == ["stopped", None]


def test_an_agents_end_that_is_told_again_does_not_end_an_attempt_that_is_still_being_stopped() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    ended = agent_ended("task-1", 1, "ok", "done")
    world.tell(ended)
    assert world.due(do.Collect, 1)
    world.tell(f.SkipTask("task-1", "not needed"))

    world.tell(ended)

    assert world.task(1).live is not None
    world.tell(quiet("task-1", 1))
    assert world.task(1).live is None
