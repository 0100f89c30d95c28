"""An event is applied whole or not at all."""

from random import Random
from typing import Any

import pytest
from tests.core.support import SIZE, World, describe, play, random_session, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.evidence.values import Work
from teamlead.core.evolve import evolve
from teamlead.core.model import Question
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import MACHINES
from teamlead.errors import IllegalMove

EVENTS: list[e.AnyEvent] = [
    *(
        e.PhaseChanged(phase, "why")
        for phase in ("IDLE", "PLANNING", "EXECUTING", "AWAITING_APPROVAL", "APPROVED", "DONE")
    ),
    *(
        event
        for name in ("task-1", "task-2", "task-3")
        for event in (
            e.TaskSkipped(name, "why", "user"),
            e.TaskBlocked(name, "FAILED", "why"),
            e.TaskUnblocked(name, "advice"),
            e.TaskRetried(name, 5000.0, fresh=False),
            e.TaskDone(name, "commit"),
            e.TaskReopened(name, "why"),
            e.TaskReplaced(name, ("task-3",), "why"),
            e.CopyPrepared(name, 1, "another"),
            e.WorkCollected(name, 1, Work(commit="another", files=9, added=9, deleted=9)),
            e.WorkAccepted(name, 1),
            e.AttemptStopping(name, 1, "why"),
            e.AttemptEnded(name, 1, "accepted"),
        )
    ),
    *(
        event
        for name in ("esc-1", "esc-2")
        for event in (
            e.EscalationResolved(name, "yes", "user"),
            e.EscalationReleased(name),
            e.EscalationWithdrawn(name, "why"),
        )
    ),
]


def refused(state: TeamState, event: e.AnyEvent) -> bool:
    before = describe(state)
    try:
        evolve(state, event, 2000.0)
    except (IllegalMove, AssertionError, KeyError):
        # A task without a live attempt, or a question never raised: there is nothing to move.
        assert describe(state) == before, event
        return True
    return False


@pytest.mark.parametrize("seed", range(6 * SIZE))
def test_an_event_that_is_refused_leaves_the_state_as_it_was(seed: int) -> None:
    random = Random(seed)
    world = World(random_session(random))
    outcomes = []
    for _ in range(4):
        play(world, random, 8)
        # Each on a copy: what is legal must not disturb the rest of the run.
        outcomes += [refused(world.replayed(), event) for event in EVENTS]
    assert True in outcomes


TARGETS: dict[type[e.Event], str] = {
    e.TaskSkipped: "SKIPPED",
    e.TaskBlocked: "BLOCKED",
    e.TaskUnblocked: "READY",
    e.TaskReopened: "READY",
    e.TaskRetried: "NEEDS_CONTINUATION",
    e.TaskDone: "DONE",
    e.TaskReplaced: "REPLACED_BY_REPLAN",
    e.CopyPrepared: "working",
    e.WorkCollected: "checking",
    e.ProvingBegan: "proving",
    e.AttemptStopping: "stopping",
    e.AttemptEnded: "ended",
    e.EscalationResolved: "resolved",
    e.EscalationReleased: "open",
    e.EscalationWithdrawn: "withdrawn",
}


def move(state: TeamState, event: Any) -> tuple[str, str, str] | None:
    """The move of a machine that an event asks for; None where there is nothing to move."""
    if isinstance(event, e.PhaseChanged):
        return "session phase", state.phase, event.phase
    after = TARGETS.get(type(event), "")
    if after in MACHINES["escalation"] and event.id in state.escalations:
        return "escalation", state.escalations[event.id].state, after
    known = state.tasks.get(getattr(event, "task", ""))
    if known and known.state == after == "BLOCKED":
        # It waits for somebody else from now on.
        return None
    if known and after in MACHINES["task"]:
        return "task", known.state, after
    if known and known.live and after in MACHINES["attempt"]:
        return "attempt", known.live.phase, after
    return None


@pytest.mark.parametrize("seed", range(6 * SIZE))
def test_an_event_is_refused_exactly_when_its_move_is_not_in_the_table(seed: int) -> None:
    random = Random(seed)
    world = World(random_session(random))
    refusals = 0
    for _ in range(4):
        play(world, random, 8)
        for event in EVENTS:
            state = world.replayed()
            asked = move(state, event)
            if asked is None or (isinstance(event, e.TaskReplaced) and "task-3" not in state.tasks):
                continue
            machine, before, after = asked
            if after not in MACHINES[machine][before]:
                refusals += 1
                with pytest.raises(IllegalMove, match=f"{before} → {after}"):
                    evolve(state, event, 2000.0)
            elif not isinstance(event, e.TaskDone):
                # A task is done by an attempt; without one there is nothing it could hand on.
                evolve(state, event, 2000.0)
    assert refusals


def test_work_that_is_done_out_of_turn_is_not_taken_for_made() -> None:
    world = World(session(task(1)))
    state = world.replayed()
    state.tasks["task-1"].state = "READY"
    with pytest.raises(IllegalMove, match="READY → DONE"):
        evolve(state, e.TaskDone("task-1", "commit"), 1.0)
    assert state.tasks["task-1"].made == ()


def test_a_copy_prepared_out_of_turn_does_not_move_the_base() -> None:
    world = World(session(task(1)))
    world.advance(1, do.Collect)
    state = world.replayed()
    with pytest.raises(IllegalMove, match="collecting → working"):
        evolve(state, e.CopyPrepared("task-1", 1, "another"), 1.0)
    assert state.tasks["task-1"].attempts[0].base == "base"


def test_every_event_counts_one_and_carries_its_time() -> None:
    world = World(session(task(1)))
    assert world.state.seq == len(world.log)
    world.now = 1234.5
    world.answer(world.due(do.PrepareCopy))
    assert world.state.updated_at == 1234.5


def test_what_an_agent_reports_is_kept_with_its_attempt() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", summary="did it", tool_calls=7))
    attempt = world.task(1).attempts[0]
    assert (attempt.run.status, attempt.run.summary, attempt.run.tool_calls) == ("ok", "did it", 7)
    assert world.due(do.Collect).summary == "did it"


def test_what_was_asked_and_answered_reaches_the_next_attempt() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", question=Question("Which one?")))
    assert world.task(1).detail == "Which one?"
    world.now += 60.0
    world.tell(f.Resolve("esc-1", "the left one"))
    assert world.task(1).guidance == [("Which one?", "the left one")]
    assert (world.task(1).detail, world.task(1).since) == ("", world.now)
    assert world.task(1).live is not None


def test_a_copy_released_late_does_not_take_the_new_attempts_copy() -> None:
    world = World(session(task(1), task(2)))
    world.advance(1, do.Release)
    release = world.due(do.Release, 1)
    world.tell(f.RetryTask("task-1", "it broke the build"))
    assert world.task(1).live is not None
    world.answer(release, 1)
    assert "task-1" in world.state.copies
    assert world.task(1).kept == "refs/kept"
    world.finish(1)
    assert "task-1" not in world.state.copies
    assert world.task(1).kept == "refs/kept"


def test_what_a_fresh_start_kept_is_known() -> None:
    world = World(session(task(1)))
    world.tell(f.CopyReady("task-1", 1, "base", "refs/kept"))
    world.finish(1)
    assert world.state.kept == {"refs/kept": "task-1"}
    assert world.task(1).kept == "refs/kept"


@pytest.mark.parametrize("kept", ["", "refs/kept"])
def test_a_copy_that_stayed_and_goes_later_is_named_no_longer(kept: str) -> None:
    world = World(session(task(1), task(2)))
    world.advance(1, do.Release)
    world.tell(f.CopyReleased("task-1", "/copies/task-1"))
    world.tell(f.CopyReleased("task-1", kept, "/copies/task-1"))
    assert world.state.kept == ({kept: "task-1"} if kept else {})
    assert world.task(1).kept == kept
