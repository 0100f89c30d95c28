"""The way of a whole session, and every way it may end."""

import pytest
from tests.core.support import World, session, settle, task

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits
from teamlead.core.state.team_state import session_state
from teamlead.errors import Refused, TeamleadError


def phases(world: World) -> list[str]:
    return [entry.phase for entry in world.state.phases]


def refusal(world: World, fact: f.AnyFact) -> TeamleadError:
    turn = world.tell(fact)
    assert turn.events == []
    return turn.refusals[0]


def awaiting() -> World:
    world = World(session(task(1), task(2, 1)))
    world.finish(1, 2)
    assert world.state.phase == "AWAITING_APPROVAL"
    return world


def test_a_plan_goes_from_idle_to_done() -> None:
    world = awaiting()
    world.tell(world.approval(by="ann", squash=True))
    effect = world.due(do.ApplyWork)
    assert (effect.commit, effect.branch) == (world.state.integration_tip, "main")
    assert (effect.squash, effect.sign) == (True, False)
    world.answer(effect)
    assert phases(world) == [
        "IDLE",
        "PLANNING",
        "EXECUTING",
        "REVIEWING",
        "AWAITING_APPROVAL",
        "APPROVED",
        "DONE",
    ]
    assert world.state.approval is not None
    approval = world.state.approval
    assert (approval.by, approval.commit, approval.branch) == ("ann", world.state.integration_tip, "main")
    assert (approval.before, approval.undo) == ("before", "git undo")
    assert not world.state.due


def test_a_session_that_nobody_leads_waits_in_planning() -> None:
    world = World(session(task(1)), led=False)
    assert phases(world) == ["IDLE", "PLANNING"]
    assert not world.state.due
    world.tell(f.LeaderArrived(1, "leader"))
    assert world.state.phase == "EXECUTING"
    assert world.due(do.PrepareCopy)


def test_an_open_session_cannot_be_opened_again() -> None:
    world = World(session(task(1)))
    assert "open already" in str(refusal(world, f.Open(session(task(1)))))


def test_nothing_to_merge_needs_no_approval() -> None:
    world = World(session(task(1, type="investigation")))
    world.finish(1)
    assert world.state.phase == "DONE"
    assert "AWAITING_APPROVAL" in phases(world)
    assert world.state.approval is None


def test_approval_given_in_advance_is_asked_of_nobody() -> None:
    world = World(session(task(1), auto_approve=True))
    world.finish(1)
    world.answer(world.due(do.ApplyWork))
    assert world.state.phase == "DONE"


def test_approval_given_in_advance_that_is_impossible_waits_for_a_person() -> None:
    world = World(session(task(1), auto_approve=True))
    world.finish(1)
    world.answer(world.due(do.ApplyWork), 1)
    assert phases(world)[-1] == "AWAITING_APPROVAL"
    assert world.state.approval_refused == "the branch has moved"
    assert not world.state.due
    world.tell(world.approval())
    world.answer(world.due(do.ApplyWork))
    assert world.state.phase == "DONE"


def test_an_approval_that_was_impossible_may_be_given_again() -> None:
    world = awaiting()
    world.tell(world.approval())
    world.answer(world.due(do.ApplyWork), 1)
    assert world.state.approval is None
    world.tell(world.approval())
    assert world.state.approval_refused == ""
    assert world.due(do.ApplyWork)


def test_a_late_refusal_does_not_undo_an_approval() -> None:
    world = awaiting()
    world.tell(world.approval())
    world.answer(world.due(do.ApplyWork))
    assert world.tell(f.ApprovalImpossible("too late")).events == []
    assert world.state.approval is not None


def test_a_second_approval_is_refused_while_the_first_is_carried_out() -> None:
    world = awaiting()
    world.tell(world.approval())
    for fact in (world.approval(), f.Reject("no"), f.Cancel("no"), f.RetryTask("task-1", "no")):
        assert isinstance(refusal(world, fact), Refused), fact


def test_an_approval_of_what_was_shown_before_more_was_merged_is_refused_and_says_what_came_in() -> None:
    world = awaiting()
    shown = world.state.integration_tip
    world.tell(f.AddTasks((task(3), task(4))))
    world.finish(3, 4)
    told = refusal(world, f.Approve(shown))
    assert isinstance(told, Refused)
    now = world.state.integration_tip
    assert told.message == (
        f"the work of session s-1 is {now[:10]} by now, and not {shown[:10]} as it was shown: "
        "task-3, task-4 came in since then"
    )
    assert "teamlead diff --session s-1" in told.remedy
    assert "is not what it was at any time" in refusal(world, f.Approve("0ther")).message
    world.tell(f.Approve(now))
    assert world.due(do.ApplyWork).commit == now


def test_a_rejected_session_ends_and_applies_nothing() -> None:
    world = awaiting()
    world.tell(f.Reject("not what I meant"))
    assert phases(world)[-2:] == ["REJECTED", "DONE"]
    assert world.state.phases[-2].reason == "not what I meant"
    assert world.state.approval is None
    assert not world.state.due


@pytest.mark.parametrize("fact", [f.Approve(""), f.Reject("no")])
def test_approval_and_rejection_are_refused_before_the_work_is_done(fact: f.AnyFact) -> None:
    world = World(session(task(1)))
    assert "does not wait for approval: it is EXECUTING" in str(refusal(world, fact))


def test_work_added_before_approval_is_done_first() -> None:
    world = awaiting()
    world.tell(f.AddTasks((task(3, 2),)))
    assert phases(world)[-2:] == ["REVISION", "EXECUTING"]
    world.finish(3)
    assert phases(world)[-2:] == ["REVIEWING", "AWAITING_APPROVAL"]


def test_a_task_reopened_before_approval_is_done_again_from_the_merged_work() -> None:
    world = awaiting()
    tip = world.state.integration_tip
    world.tell(f.RetryTask("task-1", "the build broke", built_on="keep"))
    assert world.state.phase == "EXECUTING"
    assert world.due(do.PrepareCopy).bases == (tip,)
    assert world.task(1).attempts[-1].number == 2
    assert world.task(1).guidance == [("it was reopened", "the build broke")]
    assert world.task(2).state == "DONE"


@pytest.mark.parametrize(
    "fact",
    [
        f.Cancel("no"),
        f.Approve(""),
        f.Reject("no"),
        f.AddTasks((task(9),)),
        f.SkipTask("task-1", "no"),
        f.RetryTask("task-1", "no"),
    ],
)
def test_nothing_can_be_asked_of_a_session_that_has_ended(fact: f.AnyFact) -> None:
    world = awaiting()
    world.tell(f.Reject("no"))
    assert "has ended (DONE: " in str(refusal(world, fact))


# Cancelling


def idle() -> World:
    return World(session(task(1)), led=False)


def executing() -> World:
    world = World(session(task(1), task(2), task(3), task(4, 1), limits=Limits(jobs=3)))
    world.advance(1, do.Integrate)
    world.advance(2, do.RunAgent)
    world.advance(3, do.Integrate)
    return world


@pytest.mark.parametrize("prepare", [idle, executing, awaiting])
def test_a_session_can_be_cancelled_in_every_phase(prepare: object) -> None:
    assert callable(prepare)
    world: World = prepare()
    world.tell(f.Cancel("enough"))
    assert world.state.phase == "CANCELLED"
    assert session_state(world.state) == "CANCELLED"
    assert not world.state.open
    assert not world.state.held
    settle(world)
    assert world.state.unsettled == 0
    assert not world.state.copies


def test_what_runs_keeps_its_slot_until_it_is_quiet_when_a_session_is_cancelled() -> None:
    world = executing()
    world.tell(f.Cancel("enough", at_once=True))
    assert list(world.state.active) == ["task-1", "task-2", "task-3"]
    assert world.state.free_slots == []
    assert world.task(2).state == "RUNNING"
    assert world.task(4).state == "CANCELLED"
    assert sorted(type(effect).__name__ for effect in world.state.due.values()) == [
        "Integrate",
        "Integrate",
        "StopAgent",
    ]
    world.answer(world.due(do.StopAgent))
    assert world.task(2).state == "CANCELLED"
    assert world.state.free_slots == [1]


def test_what_is_being_merged_is_let_through_when_a_session_is_cancelled() -> None:
    world = executing()
    world.tell(f.Cancel("enough"))
    world.answer(world.due(do.Integrate, 1))
    assert world.task(1).state == "DONE"
    assert world.state.integration_tip
    world.answer(world.due(do.Integrate, 3), 1)
    assert world.task(3).state == "CANCELLED"
    assert world.state.escalations == {}
    settle(world)
    assert world.state.phase == "CANCELLED"


def test_a_merge_that_fails_after_the_end_asks_nobody() -> None:
    world = World(session(task(1), limits=Limits(attempts=1, conflict_reruns=0)))
    world.advance(1, do.Integrate)
    world.tell(f.Cancel("enough"))
    world.tell(f.EffectFailed("task-1", 1, "merging", "no space left"))
    assert world.task(1).state == "CANCELLED"
    assert not world.state.escalations


def test_cancelling_says_why_and_by_whom() -> None:
    world = World(session(task(1)))
    world.tell(f.Cancel("", by="ann"))
    assert world.state.phases[-1].reason == "cancelled by ann"


def test_a_blocked_task_that_is_cancelled_is_not_blocked_any_more() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    world.advance(1, do.RunAgent)
    world.answer(world.due(do.RunAgent), 1)
    assert world.task(1).blocked == "FAILED"
    world.tell(f.Cancel("enough"))
    assert (world.task(1).state, world.task(1).blocked) == ("CANCELLED", None)
