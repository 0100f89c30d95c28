"""Kinds of agents that may not be used for a while, or until a person has seen to it."""

from typing import Any

import pytest
from tests.core.support import World, session, task
from tests.core.told import over

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking.holds import DAY, FORGOTTEN
from teamlead.core.model import Limits, RoleSettings, SessionSpec
from teamlead.core.runs import AgentStatus
from teamlead.core.state.records import MACHINE
from teamlead.core.state.team_state import session_state
from teamlead.errors import Refused


def ends(world: World, number: int, status: AgentStatus, **fields: Any) -> None:
    """The agent of a task ends so, as soon as it works."""
    world.advance(number, do.RunAgent)
    effect = world.due(do.RunAgent, number)
    world.tell(over(effect, status, **fields))


def pair(jobs: int = 2, **fields: Any) -> SessionSpec:
    return session(task(1), task(2), limits=Limits(jobs=jobs), **fields)


def until(world: World, kind: str = "scripted") -> float | None:
    return world.state.holds[kind].until


def wait(world: World, seconds: float) -> None:
    world.now += seconds
    world.tell()


def test_a_limit_holds_the_whole_kind_until_its_reset_time_and_counts_as_nobodys_failure() -> None:
    world = World(session(task(1), task(2), task(3), limits=Limits(jobs=2, attempts=1)))
    world.advance(2, do.RunAgent)
    ends(world, 1, "limit", reset_at=world.now + 500, detail="429")
    assert until(world) == world.now + 500
    assert world.task(1).attempts[0].outcome == "held"
    assert (world.task(1).failures, world.task(1).state) == (0, "NEEDS_CONTINUATION")
    assert not world.state.open
    assert world.state.next_timer() == world.now + 500
    world.finish(2)
    assert list(world.state.active) == []


@pytest.mark.parametrize(("early", "started"), [(1.0, False), (0.0, True), (-1.0, True)])
def test_a_held_kind_starts_again_by_itself_at_its_moment_and_not_before(early: float, started: bool) -> None:
    world = World(pair(jobs=1))
    ends(world, 1, "limit", reset_at=world.now + 500)
    wait(world, 500 - early)
    assert bool(world.state.active) is started
    assert world.state.startable


def test_an_attempt_whose_copy_was_being_made_does_not_start_its_agent_and_keeps_the_copy() -> None:
    world = World(pair())
    ends(world, 1, "limit", reset_at=world.now + 500)
    world.answer(world.due(do.PrepareCopy, 2))
    assert (world.task(2).attempts[0].outcome, world.task(2).failures) == ("held", 0)
    assert not world.state.active
    wait(world, 500)
    assert not world.due(do.PrepareCopy, 2).fresh


def test_other_kinds_go_on_meanwhile() -> None:
    world = World(session(task(1), task(2, agent="claude"), limits=Limits(jobs=1)))
    ends(world, 1, "limit", reset_at=world.now + 500)
    assert list(world.state.active) == ["task-2"]


def test_claude_with_and_without_a_model_is_one_kind_and_two_commands_are_two() -> None:
    tasks = (
        task(1, agent="claude"),
        task(2, agent="claude:opus"),
        task(3, agent="acp:a"),
        task(4, agent="acp:b"),
    )
    world = World(session(*tasks, limits=Limits(jobs=1)))
    ends(world, 1, "limit", reset_at=world.now + 500)
    assert list(world.state.active) == ["task-3"]
    ends(world, 3, "limit", reset_at=world.now + 500)
    assert list(world.state.active) == ["task-4"]


@pytest.mark.parametrize("reset", [None, -5.0, 0.0])
def test_a_limit_without_a_reset_time_or_with_one_that_is_over_is_waited_out(reset: float | None) -> None:
    world = World(pair(jobs=1))
    ends(world, 1, "limit", reset_at=None if reset is None else world.now + reset)
    assert until(world) == world.now + 60


def test_a_reset_time_one_second_ahead_is_believed_and_one_beyond_eight_days_is_not() -> None:
    world = World(pair(jobs=1))
    ends(world, 1, "limit", reset_at=world.now + 1)
    assert until(world) == world.now + 1
    wait(world, 1)
    ends(world, 1, "limit", reset_at=world.now + 9 * DAY)
    assert until(world) == world.now + 8 * DAY


@pytest.mark.parametrize(
    ("status", "delays"),
    [("limit", [60, 120, 240, 480, 960]), ("unavailable", [15, 30, 60, 120, 240])],
)
def test_the_wait_doubles_with_each_strike_and_the_sixth_asks_a_person(
    status: AgentStatus, delays: list[float]
) -> None:
    world = World(session(task(1)))
    for delay in delays:
        ends(world, 1, status)
        assert until(world) == world.now + delay
        assert not world.state.open
        wait(world, delay)
    ends(world, 1, status, detail="again")
    assert until(world) is None
    (record,) = world.state.open.values()
    assert (record.kind, record.cause, record.tasks) == ("agent", "scripted", {})
    assert record.question
    assert record.question.options == ("retry", "stop")
    assert world.state.next_timer() is None
    assert not world.state.startable


def test_a_known_reset_time_is_never_asked_about_however_often_it_comes() -> None:
    world = World(session(task(1)))
    for _ in range(8):
        ends(world, 1, "limit", reset_at=world.now + 10)
        assert not world.state.open
        wait(world, 10)
    ends(world, 1, "limit")
    assert world.state.open


def test_a_normal_end_forgets_all_strikes() -> None:
    world = World(pair(jobs=1))
    for delay in (15, 30):
        ends(world, 1, "unavailable")
        wait(world, delay)
    world.finish(1)
    assert world.state.holds == {}
    ends(world, 2, "unavailable")
    assert until(world) == world.now + 15


def _both_are_not_served(world: World) -> None:
    """Or the one of them that runs."""
    running = [number for number in (1, 2) if world.task(number).live]
    for number in running:
        world.advance(number, do.RunAgent)
    for number in running:
        ends(world, number, "unavailable")


@pytest.mark.parametrize(("strikes", "together"), [(1, 2), (2, 1), (3, 1)])
def test_after_strikes_in_a_row_one_run_tries_before_the_others(strikes: int, together: int) -> None:
    world = World(pair(jobs=2))
    for strike in range(strikes):
        _both_are_not_served(world)
        wait(world, 15 * 2**strike)
    assert len(world.state.active) == together
    (first, *_) = world.state.active
    world.finish(int(first[5:]))
    assert len(world.state.active) == 1


def test_agents_that_meet_the_same_limit_together_are_one_strike() -> None:
    tasks = [task(number) for number in range(1, 9)]
    world = World(session(*tasks, limits=Limits(jobs=8)))
    for number in range(1, 9):
        world.advance(number, do.RunAgent)
    for number in range(1, 9):
        ends(world, number, "unavailable")
    assert world.state.holds["scripted"].strikes == 1
    assert until(world) == world.now + 15
    assert not world.state.open


def test_a_later_reset_time_of_the_same_limit_lengthens_the_hold_and_an_earlier_one_does_not() -> None:
    world = World(session(task(1), task(2), task(3), limits=Limits(jobs=3)))
    for number in (1, 2, 3):
        world.advance(number, do.RunAgent)
    ends(world, 1, "limit", reset_at=world.now + 100)
    ends(world, 2, "limit", reset_at=world.now + 300)
    ends(world, 3, "limit", reset_at=world.now + 200)
    assert until(world) == world.now + 300
    assert world.state.holds["scripted"].strikes == 1


def test_a_run_that_began_before_the_hold_does_not_end_it_by_ending_well() -> None:
    world = World(pair())
    world.advance(2, do.RunAgent)
    ends(world, 1, "limit", reset_at=world.now + 500)
    world.finish(2)
    assert until(world) == world.now + 500


@pytest.mark.parametrize("status", ["interrupted", "lost", "error", "timeout"])
def test_an_end_that_says_nothing_about_the_service_neither_strikes_nor_clears(status: AgentStatus) -> None:
    world = World(pair(jobs=1))
    ends(world, 1, "unavailable")
    wait(world, 15)
    ends(world, 1, status)
    assert world.state.holds["scripted"].strikes == 1


def test_who_is_denied_is_asked_about_at_once_and_goes_on_after_a_retry() -> None:
    world = World(pair())
    world.advance(2, do.RunAgent)
    ends(world, 1, "denied", detail="401")
    ends(world, 2, "denied", detail="401")
    assert [r.kind for r in world.state.open.values()] == ["agent"]
    assert session_state(world.state) == "ESCALATING"
    with pytest.raises(Refused, match="'retry' or 'stop', not 'why\\?'"):
        raise world.tell(f.Resolve("esc-1", "why?")).refusals[0]
    world.tell(f.Resolve("esc-1", "retry"))
    assert world.state.holds == {}
    assert len(world.state.active) == 2
    ends(world, 1, "denied")
    assert list(world.state.open) == ["esc-2"]


def test_a_stop_at_the_question_about_an_agent_ends_the_session() -> None:
    world = World(pair())
    ends(world, 1, "denied")
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"


def test_a_limit_that_another_session_met_holds_here_too_without_a_strike() -> None:
    world = World(pair(jobs=1))
    world.advance(1, do.RunAgent)
    world.tell(f.KindHeld("scripted", world.now + 100, "met elsewhere"))
    assert (until(world), world.state.holds["scripted"].strikes) == (world.now + 100, 0)
    assert world.tell(f.KindHeld("scripted", world.now + 100, "met elsewhere")).events == []
    assert world.tell(f.KindHeld("scripted", world.now + 99, "met elsewhere")).events == []
    assert world.tell(f.KindHeld("scripted", world.now, "met elsewhere")).events == []
    assert world.tell(f.KindHeld("unused", world.now + 100, "met elsewhere")).events == []
    assert world.tell(f.KindHeld("scripted", world.now + 101, "met elsewhere")).events
    world.finish(1)
    assert not world.state.active


def test_a_kind_that_waits_for_a_person_is_not_freed_by_another_sessions_clock() -> None:
    world = World(pair())
    ends(world, 1, "denied")
    assert world.tell(f.KindHeld("scripted", world.now + 100, "met elsewhere")).events == []
    assert until(world) is None


def test_nobody_is_asked_about_an_agent_that_no_task_needs() -> None:
    world = World(session(task(1), task(2, agent="claude"), limits=Limits(jobs=2)))
    ends(world, 2, "denied")
    assert list(world.state.asked) == [("agent", "claude")]
    world.tell(f.SkipTask("task-2", "not needed"))
    world.finish(1)
    assert world.state.escalations["esc-1"].state == "withdrawn"
    assert world.state.phase == "AWAITING_APPROVAL"
    world.tell(f.RetryTask("task-2", "needed after all"))
    assert world.state.open["esc-2"].cause == "claude"


def test_a_session_that_is_cancelled_while_a_kind_is_held_ends() -> None:
    world = World(pair())
    ends(world, 1, "denied")
    world.advance(2, do.RunAgent)
    world.tell(f.Cancel("enough"))
    assert not world.state.open
    assert world.state.next_timer() is None


def test_a_question_about_an_agent_does_not_use_up_the_patience_for_failures() -> None:
    world = World(session(task(1), limits=Limits(questions=0)))
    ends(world, 1, "denied")
    assert not world.state.held
    assert world.state.counted_questions == 0


def test_a_role_has_a_lane_of_its_own_and_shares_its_kinds_hold() -> None:
    roles = (RoleSettings("reviewer"),)
    world = World(session(task(1), task(2, role="reviewer"), limits=Limits(jobs=1), roles=roles))
    assert list(world.state.lanes) == [("", "scripted", "worker"), ("", "scripted", "reviewer")]
    ends(world, 1, "limit", reset_at=world.now + 100)
    assert not world.state.active


def test_the_alarm_is_for_the_lane_that_time_opens_first() -> None:
    tasks = (task(1), task(2, agent="claude"), task(3, agent="codex"))
    world = World(session(*tasks, limits=Limits(jobs=3, retry_delay=7.0)))
    ends(world, 1, "limit", reset_at=world.now + 100)
    ends(world, 2, "limit", reset_at=world.now + 50)
    assert world.state.next_timer() == world.now + 50
    ends(world, 3, "error")
    assert world.state.next_timer() == world.now + 7


def test_a_kind_under_trial_does_not_hide_the_alarm_of_another() -> None:
    tasks = (task(1), task(2), task(3, agent="claude"))
    world = World(session(*tasks, limits=Limits(jobs=3, retry_delay=7.0)))
    for delay in (15, 30):
        _both_are_not_served(world)
        wait(world, delay)
    ends(world, 3, "error")
    assert len(world.state.active) == 1
    assert world.state.next_timer() == world.now + 7


def test_the_event_says_until_when_and_how_often() -> None:
    world = World(session(task(1)))
    ends(world, 1, "limit", reset_at=world.now + 5, detail="weekly limit")
    held = [event for _, event in world.log if isinstance(event, e.AgentHeld)]
    assert held == [e.AgentHeld("scripted", world.now + 5, "weekly limit", 1)]


def test_a_person_who_knows_better_ends_a_hold_before_its_time() -> None:
    world = World(session(task(1), limits=Limits(jobs=1)))
    ends(world, 1, "limit", reset_at=world.now + 500)
    assert world.task(1).live is None
    world.tell(f.ReleaseAgent("scripted"))
    assert world.state.holds == {}
    assert world.task(1).live is not None


def test_ending_a_hold_answers_the_question_about_it() -> None:
    world = World(session(task(1), limits=Limits(jobs=1)))
    ends(world, 1, "denied")
    world.tell(f.ReleaseAgent("scripted", "ada"))
    record = world.state.escalations["esc-1"]
    assert (record.state, record.resolution, record.by) == ("resolved", "retry", "ada")
    assert world.state.asked == {}


def test_what_is_not_on_hold_cannot_be_released() -> None:
    world = World(session(task(1)))
    refusal = world.tell(f.ReleaseAgent("codex")).refusals[0]
    assert isinstance(refusal, Refused)
    assert "'codex' is not on hold" in str(refusal)


def test_an_exhausted_machine_holds_every_kind_for_a_moment_that_grows() -> None:
    world = World(session(task(1), task(2, agent="codex"), limits=Limits(jobs=1)))
    world.advance(1, do.PrepareCopy)
    for pause in (1.0, 2.0, 4.0, 8.0, 8.0):
        world.tell(f.MachineShort("Too many open files"))
        assert until(world, MACHINE) == world.now + pause
        assert world.tell(f.MachineShort("Too many open files")).events == [], "the same one again"
        wait(world, pause)
    wait(world, FORGOTTEN)
    world.tell(f.MachineShort("Too many open files"))
    assert until(world, MACHINE) == world.now + 1.0
    assert not world.state.open, "nobody is asked about it"


def test_nothing_new_starts_while_the_machine_is_held_and_the_timer_says_when() -> None:
    world = World(session(task(1), task(2, 1, agent="codex")))
    world.advance(1, do.Integrate)
    world.tell(f.MachineShort("Resource temporarily unavailable"))
    held = until(world, MACHINE)
    assert held is not None
    world.answer(world.due(do.Integrate))
    assert (world.state.tasks["task-1"].state, list(world.state.active)) == ("DONE", [])
    assert world.state.next_timer() == held
    wait(world, held - world.now)
    assert list(world.state.active) == ["task-2"]


def test_a_person_may_end_the_pause_of_the_machine() -> None:
    world = World(session(task(1), task(2, 1)))
    world.advance(1, do.Integrate)
    world.tell(f.MachineShort("Resource temporarily unavailable"))
    world.answer(world.due(do.Integrate))
    world.tell(f.ReleaseAgent(MACHINE))
    assert list(world.state.active) == ["task-2"]
