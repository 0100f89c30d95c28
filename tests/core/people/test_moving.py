"""A person moves the session into another phase, by the table and with the guard of the stages."""

from typing import get_args

import pytest
from tests.core.support import BASE, World, session, task

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Pipeline, StageSpec
from teamlead.core.people.moving import missing
from teamlead.core.transitions import FINAL_PHASES, PHASES, Phase
from teamlead.errors import IllegalMove, Refused, TeamleadError

LOOK_AND_BUILD = Pipeline(
    (
        StageSpec("look", "ANALYZING", findings="analysis"),
        StageSpec("build"),
        StageSpec("check", "REVIEWING"),
    )
)


def staged(*, led: bool = False) -> World:
    tasks = (
        task(1, stage="look", type="investigation"),
        task(2, stage="build"),
        task(3, stage="check", type="investigation"),
    )
    return World(session(*tasks, pipeline=LOOK_AND_BUILD), led=led)


def refusal(world: World, phase: Phase, reason: str = "a person wants it") -> TeamleadError:
    turn = world.tell(f.MovePhase(phase, reason))
    assert turn.events == []
    return turn.refusals[0]


def moves(world: World, phase: Phase, reason: str = "a person wants it") -> list[tuple[str, str]]:
    turn = world.tell(f.MovePhase(phase, reason))
    assert turn.refusals == {}
    return [(event.phase, event.reason) for event in turn.events if isinstance(event, e.PhaseChanged)]


def in_review() -> World:
    world = staged(led=True)
    world.finish(1, 2)
    assert world.state.phase == "REVIEWING"
    return world


def at_the_gate() -> World:
    world = staged(led=True)
    world.finish(1, 2, 3)
    assert world.state.phase == "AWAITING_APPROVAL"
    return world


@pytest.mark.parametrize("phase", sorted({*get_args(Phase)} - {*PHASES["IDLE"]}))
def test_what_the_table_does_not_allow_names_both_phases_and_what_is_allowed(phase: Phase) -> None:
    world = staged()
    told = refusal(world, phase)
    assert isinstance(told, IllegalMove)
    assert told.message == f"Invalid transition: IDLE → {phase} (session phase)"
    assert told.remedy == "from IDLE: ANALYZING, PLANNING, FAILED, CANCELLED"


def test_the_first_stage_opens_on_a_persons_word_before_anybody_leads() -> None:
    world = staged()
    assert moves(world, "ANALYZING", " the team is complete ") == [("ANALYZING", "the team is complete")]
    assert [event for _, event in world.log if isinstance(event, e.StageOpened)] == [
        e.StageOpened("look", BASE)
    ]
    assert world.state.active == {}
    world.tell(f.LeaderArrived(1, "leader"))
    world.finish(1, 2, 3)


def test_a_stage_is_not_passed_over() -> None:
    world = staged()
    told = refusal(world, "PLANNING")
    assert told.message == (
        "PLANNING cannot begin yet: stage look: not settled: task-1; stage build: not settled: task-2; "
        "stage check: not settled: task-3"
    )
    assert world.state.phase == "IDLE"


def test_a_phase_does_not_begin_while_a_task_of_the_one_before_is_not_settled() -> None:
    world = staged(led=True)
    assert refusal(world, "PLANNING").message.startswith(
        "PLANNING cannot begin yet: stage look: not settled: task-1"
    )
    assert refusal(world, "REVIEWING").message == (
        "REVIEWING cannot begin yet: stage look: not settled: task-1; stage build: not settled: task-2"
    )
    world.finish(1)
    assert refusal(world, "REVIEWING").message == (
        "REVIEWING cannot begin yet: stage build: not settled: task-2"
    )


def test_a_phase_does_not_begin_without_the_artifact_of_the_one_before() -> None:
    world = staged(led=True)
    world.tell(f.SkipTask("task-1", "not now"))
    world.advance(1)
    assert missing(world.state, "PLANNING") == [
        "stage look: nobody has handed in anything for analysis",
        "stage build: not settled: task-2",
        "stage check: not settled: task-3",
        "not answered: esc-1",
    ]
    assert missing(world.state, "REVIEWING") == [
        "stage look: nobody has handed in anything for analysis",
        "stage build: not settled: task-2",
        "not answered: esc-1",
    ]


def test_from_a_review_a_stage_runs_again_with_the_reason_and_what_was_built_on_it() -> None:
    world = in_review()
    assert moves(world, "EXECUTING", "the review found too much") == [
        ("EXECUTING", "the review found too much")
    ]
    assert [world.task(number).state for number in (1, 2, 3)] == ["DONE", "RUNNING", "NEEDS_CONTINUATION"]
    assert [stage.state for stage in world.state.stages.values()] == ["closed", "open", "waiting"]


def test_from_a_review_there_is_no_way_back_to_where_nothing_was_done() -> None:
    told = refusal(in_review(), "PLANNING")
    assert told.message == "nothing was done in a stage of PLANNING that could be done again"


def test_a_review_that_is_not_over_does_not_end_before_its_tasks() -> None:
    told = refusal(in_review(), "AWAITING_APPROVAL")
    assert told.message == "AWAITING_APPROVAL cannot begin yet: stage check: not settled: task-3"


def test_finished_work_is_revised_rejected_or_approved_as_it_was_shown() -> None:
    assert moves(at_the_gate(), "REVISION", "another way") == [
        ("REVISION", "another way"),
        ("EXECUTING", "there is work again"),
    ]
    assert moves(at_the_gate(), "REJECTED", "no") == [("REJECTED", "no"), ("DONE", "the work was rejected")]
    told = refusal(at_the_gate(), "APPROVED")
    assert isinstance(told, Refused)
    assert told.remedy == "teamlead approve s-1"


@pytest.mark.parametrize("phase", ["FAILED", "CANCELLED"])
def test_a_session_ends_with_the_reason_and_then_goes_nowhere(phase: Phase) -> None:
    world = staged(led=True)
    assert moves(world, phase, "enough") == [(phase, "enough")]
    for after in FINAL_PHASES:
        assert refusal(world, after).remedy == f"{phase} is final"


def test_nothing_moves_while_the_work_is_brought_in_or_without_a_reason() -> None:
    world = at_the_gate()
    assert refusal(world, "REJECTED", "  ").message == "a transition needs a reason"
    world.tell(world.approval())
    assert "is being approved" in refusal(world, "REJECTED").message
