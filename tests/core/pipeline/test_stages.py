"""Stages open one after the other, and open again where there is work again."""

import pytest
from msgspec.structs import replace
from tests.core.support import BASE, World, planning, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.evidence.bisection import Culprit, WholeCheck
from teamlead.core.model import Limits, Pipeline, SessionSpec, StageSpec
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.core.transitions import Phase
from teamlead.errors import Refused

BUILD_AND_LOOK = Pipeline((StageSpec("build"), StageSpec("look", "REVIEWING")))


def staged(*names: str, **fields: object) -> World:
    """One task in each of these stages, that depends on nothing."""
    tasks = [task(number, stage=name) for number, name in enumerate(names, 1)]
    return World(session(*tasks, **{"limits": Limits(jobs=4), **fields}))  # type: ignore[arg-type]


def reviewed(**fields: object) -> World:
    """Something is built, and then looked at."""
    tasks = (task(1, stage="build"), task(2, stage="look", type="investigation"))
    return World(session(*tasks, pipeline=BUILD_AND_LOOK, **fields))  # type: ignore[arg-type]


def states(world: World) -> list[str]:
    return [stage.state for stage in world.state.stages.values()]


def at_work(world: World) -> list[str]:
    return list(world.state.active)


def opened(world: World) -> list[tuple[str, str]]:
    return [(event.stage, event.commit) for _, event in world.log if isinstance(event, e.StageOpened)]


def entered(world: World) -> list[Phase]:
    return [event.phase for _, event in world.log if isinstance(event, e.PhaseChanged)]


def broken_by(world: World, name: str) -> None:
    tip = world.state.integration_tip
    world.tell(f.WholeEnded(tip, (WholeCheck("make", "broken", "it fails", (Culprit(name, tip),)),)))


def fine(world: World) -> None:
    tip = world.state.integration_tip
    world.tell(f.WholeEnded(tip, (WholeCheck("make", "passed", "exit 0"),)))


def test_a_plan_without_stages_has_one_that_opens_on_the_base() -> None:
    world = World(session(task(1), task(2)))
    assert opened(world) == [("", BASE)]
    world.finish(1, 2)
    assert states(world) == ["closed"]
    assert entered(world)[:4] == ["PLANNING", "EXECUTING", "REVIEWING", "AWAITING_APPROVAL"]


def test_no_stage_opens_before_somebody_leads() -> None:
    world = World(session(task(1)), led=False)
    assert (world.state.phase, states(world)) == ("PLANNING", ["waiting"])
    assert world.state.under_way


def test_tasks_of_a_stage_start_when_those_before_it_are_settled_and_from_what_was_merged_by_then() -> None:
    world = staged("one", "one", "two")
    assert at_work(world) == ["task-1", "task-2"]
    world.finish(1)
    assert (at_work(world), states(world)) == (["task-2"], ["open", "waiting"])
    world.finish(2)
    assert (at_work(world), states(world)) == (["task-3"], ["closed", "open"])
    assert opened(world)[-1] == ("two", world.state.integration_tip)
    assert world.task(3).attempts[0].bases == (world.state.integration_tip,)


def test_a_task_that_was_skipped_is_settled() -> None:
    world = staged("one", "two")
    world.tell(f.SkipTask("task-1", "not now"))
    assert states(world) == ["open", "waiting"]  # its agent is being stopped
    world.advance(1)
    assert at_work(world) == ["task-2"]


def test_stages_of_one_phase_change_nothing_about_it() -> None:
    world = staged("one", "two")
    world.finish(1, 2)
    assert entered(world) == ["PLANNING", "EXECUTING", "REVIEWING", "AWAITING_APPROVAL"]


def test_a_stage_that_reports_comes_after_the_checks_of_the_whole() -> None:
    world = reviewed(checks=("make",))
    world.finish(1)
    assert (world.state.phase, states(world)) == ("REVIEWING", ["closed", "waiting"])
    assert world.state.checking_whole
    fine(world)
    assert (at_work(world), states(world)) == (["task-2"], ["closed", "open"])
    assert world.task(2).attempts[0].bases == (world.state.integration_tip,)
    world.finish(2)
    assert (world.state.phase, world.state.checking_whole) == ("AWAITING_APPROVAL", False)
    assert entered(world) == ["PLANNING", "EXECUTING", "REVIEWING", "AWAITING_APPROVAL"]


def test_work_that_does_not_hold_as_a_whole_is_mended_before_anybody_looks_at_it() -> None:
    world = reviewed(checks=("make",))
    world.finish(1)
    broken_by(world, "task-1")
    assert (world.state.phase, at_work(world), states(world)) == (
        "EXECUTING",
        ["task-1"],
        ["open", "waiting"],
    )


def test_what_began_on_all_that_was_merged_runs_again_with_what_it_was_merged_from() -> None:
    world = reviewed()
    world.finish(1, 2)
    assert world.state.phase == "AWAITING_APPROVAL"
    world.tell(f.RetryTask("task-1", "once more", built_on="again"))
    assert (at_work(world), states(world)) == (["task-1"], ["open", "waiting"])
    assert entered(world)[-2:] == ["REVISION", "EXECUTING"]
    world.finish(1)
    assert (at_work(world), states(world)) == (["task-2"], ["closed", "open"])
    world.finish(2)
    assert world.state.phase == "AWAITING_APPROVAL"
    assert opened(world)[-1] == ("look", world.state.integration_tip)


def test_an_investigation_that_runs_again_takes_no_later_stage_along() -> None:
    world = World(session(task(1, stage="one", type="investigation"), task(2, stage="two")))
    world.finish(1, 2)
    world.tell(f.RetryTask("task-1"))
    assert [world.task(number).state for number in (1, 2)] == ["RUNNING", "DONE"]


def test_work_in_an_earlier_stage_lets_the_open_one_wait_and_its_agents_go_on() -> None:
    world = World(session(task(1, stage="one"), task(2, stage="two"), task(3, 2, stage="two")))
    world.finish(1)
    world.tell(f.AddTasks((task(4, stage="one"),)))
    assert (states(world), at_work(world)) == (["open", "waiting"], ["task-2", "task-4"])
    world.finish(2)
    assert at_work(world) == ["task-4"], "task-3 may not start before its stage is open again"
    world.finish(4)
    assert (states(world), at_work(world)) == (["closed", "open"], ["task-3"])


def test_a_task_that_is_added_belongs_to_the_stage_of_what_it_follows() -> None:
    world = staged("one", "two")
    world.tell(f.AddTasks((task(3, 1), task(4, 2))))
    assert [world.task(number).stage.spec.name for number in (3, 4)] == ["one", "two"]


def test_a_task_that_is_added_without_a_word_belongs_to_the_open_stage_else_to_the_last() -> None:
    world = staged("one", "two")
    world.tell(f.AddTasks((task(3),)))
    assert world.task(3).stage.spec.name == "one"
    world.finish(1, 3, 2)
    world.tell(f.AddTasks((task(4),)))
    assert world.task(4).stage.spec.name == "two"


@pytest.mark.parametrize(
    ("added", "problem"),
    [
        (task(3, stage="three"), "task-3 is of stage 'three', which is not there: one, two"),
        (task(3, 2, stage="one"), "task-3 depends on task-2, which is of a later stage"),
    ],
)
def test_a_task_that_fits_no_stage_is_refused(added: object, problem: str) -> None:
    refusal = staged("one", "two").tell(f.AddTasks((added,))).refusals[0]  # type: ignore[arg-type]
    assert isinstance(refusal, Refused)
    assert str(refusal) == problem


@pytest.mark.parametrize(
    "spec",
    [
        session(task(1, stage="two"), pipeline=Pipeline((StageSpec("one"),))),
        session(task(1), pipeline=Pipeline(())),
        session(task(1), pipeline=Pipeline((StageSpec("one"), StageSpec("one")))),
        session(task(1, 2, stage="one"), task(2, stage="two")),
    ],
)
def test_a_session_whose_stages_cannot_be_carried_out_is_not_opened(spec: SessionSpec) -> None:
    turn = step(TeamState(), [f.Open(spec)], 0.0)
    assert isinstance(turn.refusals[0], Refused)
    assert not turn.events


def test_reopenings_are_counted_for_each_stage() -> None:
    limits = Limits(reopenings=1)
    world = staged("one", "two", checks=("make",), limits=limits)
    world.finish(1, 2)
    broken_by(world, "task-1")
    world.finish(1)
    world.finish(2)
    broken_by(world, "task-2")
    assert [stage.reopenings for stage in world.state.stages.values()] == [1, 1]
    assert not world.state.open


def test_a_planning_counts_as_planning_until_its_plan_is_there() -> None:
    world = World(planning())
    assert (entered(world), states(world)) == (["PLANNING"], ["open"])
    assert world.due(do.RunAgent).run == "task-1-1"


@pytest.mark.parametrize(
    ("phases", "passed"),
    [
        (("ANALYZING", "EXECUTING"), ["ANALYZING", "PLANNING", "EXECUTING"]),
        (("EXECUTING", "ANALYZING"), ["PLANNING", "EXECUTING", "REVIEWING", "ANALYZING"]),
        (("PLANNING", "PLANNING"), ["PLANNING"]),
    ],
)
def test_phases_without_a_stage_are_passed(phases: tuple[Phase, ...], passed: list[Phase]) -> None:
    names = ("one", "two")
    stages = tuple(StageSpec(name, phase) for name, phase in zip(names, phases, strict=True))  # type: ignore[arg-type]
    spec = session(*(task(number, stage=name) for number, name in enumerate(names, 1)))
    world = World(replace(spec, pipeline=Pipeline(stages)))
    world.finish(1)
    assert entered(world) == passed
    assert at_work(world) == ["task-2"]


def test_nothing_of_a_later_stage_is_put_before_a_task() -> None:
    world = staged("one", "one", "two", limits=Limits(jobs=1))
    turn = world.tell(f.AddTasks((task(4, 3),), before=("task-2",)))
    assert str(turn.refusals[0]) == "task-2 depends on task-4, which is of a later stage"


def test_a_plan_without_stages_takes_no_task_that_names_one() -> None:
    turn = World(session(task(1))).tell(f.AddTasks((task(2, stage="two"),)))
    assert str(turn.refusals[0]) == (
        "task-2 is of stage 'two', which is not there: the plan has only one, without a name"
    )


def test_after_the_last_stage_the_work_is_looked_at_as_a_whole_whatever_that_stage_counted_as() -> None:
    spec = session(task(1), pipeline=Pipeline((StageSpec(phase="PLANNING"),)), checks=("make",))
    world = World(spec)
    world.finish(1)
    assert entered(world) == ["PLANNING", "EXECUTING", "REVIEWING"]
    fine(world)
    assert world.state.phase == "AWAITING_APPROVAL"


def test_what_holds_everything_up_holds_up_a_later_stage_too() -> None:
    limits = Limits(jobs=1, rounds=2, attempts=5, retry_delay=0.0)
    world = reviewed(checks=("make",), limits=limits)
    for number in (1, 2):
        world.advance(1, do.RunAgent)
        world.tell(agent_ended("task-1", number, "lost"))
    (asked,) = world.state.halts.values()
    assert asked.kind == "rounds"
    world.tell(f.SkipTask("task-1", "not now"))
    assert (world.state.phase, at_work(world), list(world.state.halts)) == ("REVIEWING", [], [asked.id])


def test_a_task_of_a_later_stage_that_depends_on_one_before_it_sees_all_that_was_merged() -> None:
    world = World(session(task(1, stage="one"), task(2, stage="one"), task(3, 1, stage="two")))
    world.finish(1, 2)
    assert world.task(3).attempts[0].bases == (world.state.integration_tip,)
    world.finish(3)
    world.tell(f.RetryTask("task-2", built_on="again"))
    assert world.task(3).state == "READY"


def test_whether_later_stages_run_again_is_asked() -> None:
    world = reviewed()
    world.finish(1, 2)
    turn = world.tell(f.RetryTask("task-1"))
    assert str(turn.refusals[0]).startswith("task-2 was built on task-1")


def test_work_to_merge_that_comes_to_a_waiting_stage_goes_before_the_checks_of_the_whole() -> None:
    world = reviewed(checks=("make",))
    world.finish(1)
    assert world.state.checking_whole
    world.tell(f.AddTasks((task(3, stage="look"),)))
    assert (world.state.checking_whole, at_work(world)) == (False, ["task-2", "task-3"])


def test_a_stage_whose_work_was_skipped_has_nothing_to_merge() -> None:
    tasks = (task(1, stage="one"), task(2, stage="two"), task(3, stage="two", type="investigation"))
    world = World(session(*tasks, checks=("make",)))
    world.tell(f.SkipTask("task-2", "not now"))
    world.finish(1)
    assert (world.state.checking_whole, at_work(world)) == (True, [])
    fine(world)
    assert at_work(world) == ["task-3"]


def test_a_stage_is_known_in_any_case() -> None:
    world = staged("One", "two")
    world.tell(f.AddTasks((task(3, stage="ONE"),)))
    assert world.task(3).stage.spec.name == "One"
