"""How a team leaves whose session has ended: asked, waited for, asked once more, ended; in awake seconds."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest
from tests.engine.support import Killed, Line, World, surviving, task
from tests.engine.test_talk import Tools, talking

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.facts import Cancel, Command
from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.ports.runner import Capabilities, RunSpec
from teamlead.ports.team import Listener
from teamlead.testing.runner import FakeRun, FakeRunner

BEGINS = 100.0
"""Seconds after which everybody is at work, and the session is cancelled."""
Answer = Callable[[Listener, RunSpec, str], Awaitable[RunEnd]]


class Left(NamedTuple):
    """In seconds since the first request."""

    asked: list[float]
    how: e.Departure
    at: float


async def request_to(listener: Listener, spec: RunSpec) -> str:
    """Waits for it, as an agent that calls a tool now and then."""
    while True:
        for letter in await listener.unread(spec.task):
            if letter.type == "shutdown_request":
                await listener.put(f.MessagesTaken(spec.task, spec.attempt, (letter.id,)))
                return letter.id
        await asyncio.sleep(0.25)


def agreeing(after: float) -> Answer:
    async def answer(listener: Listener, spec: RunSpec, request: str) -> RunEnd:
        await asyncio.sleep(after)
        await listener.put(f.ShutdownAnswered(spec.task, spec.attempt, request, approve=True))
        return await never(listener, spec, request)

    return answer


def ending(after: float) -> Answer:
    async def answer(_: Listener, __: RunSpec, ___: str) -> RunEnd:
        await asyncio.sleep(after)
        return RunEnd("ok", "half of it")

    return answer


async def refusing(listener: Listener, spec: RunSpec, request: str) -> RunEnd:
    await listener.put(f.ShutdownAnswered(spec.task, spec.attempt, request, approve=False, reason="not yet"))
    return await never(listener, spec, request)


async def never(_: Listener, __: RunSpec, ___: str) -> RunEnd:
    await asyncio.Event().wait()
    raise AssertionError("nobody ends it")


def team_of(*answers: Answer, limits: Limits | None = None) -> tuple[World, Tools]:
    world = World(*(task(n) for n in range(1, len(answers) + 1)), limits=limits or Limits(jobs=4))

    tools = Tools()

    async def work(spec: RunSpec) -> RunEnd:
        assert tools.listener is not None
        request = await request_to(tools.listener, spec)
        return await answers[int(spec.task[-1]) - 1](tools.listener, spec, request)

    world.runner = FakeRunner(work)
    world.runner.capabilities = Capabilities(team=True, steer=True)
    return world, tools


async def ordered(world: World, tools: Tools, *commands: tuple[float, Command]) -> str:
    leading = asyncio.create_task(world.leader(team=tools).run("somebody", 1))
    for moment, command in commands:
        await asyncio.sleep(moment)
        world.inbox.put(command)
    return await leading


def leave(*answers: Answer) -> dict[str, Left]:
    world, tools = team_of(*answers)
    assert world.play(ordered(world, tools, (BEGINS, Cancel("enough")))) == "finished"
    (deleted,) = world.events(e.TeamDeleted)
    assert [(rule.rule, rule.held) for rule in deleted.rules] == [
        ("lead-leaves-first", True),
        ("members-left", True),
        ("asked-by-request", True),
    ]
    assert not world.state().due
    assert set(world.states().values()) == {"CANCELLED"}
    return departures(world)


def departures(world: World) -> dict[str, Left]:
    """As the journal tells it. Nobody is left when the team is deleted."""
    asked: dict[str, list[float]] = {}
    found: dict[str, Left] = {}
    first = 0.0
    for at, event in ((each.at, each.event) for each in world.journal.events):
        if isinstance(event, e.MessageSent) and event.type == "shutdown_request":
            first = first or at
            asked.setdefault(event.recipient, []).append(at - first)
        if isinstance(event, e.MemberLeft):
            found[event.member] = Left(asked[event.member], event.how, round(at - first))
        if isinstance(event, e.TeamDeleted):
            assert found.keys() == asked.keys()
    return found


def test_whoever_agrees_leaves_at_once_and_is_asked_once() -> None:
    assert leave(agreeing(0), agreeing(5)) == {
        "task-1": Left([0], "approved", 0),
        "task-2": Left([0], "approved", 5),
    }


def test_one_who_answers_after_59_seconds_is_not_asked_again() -> None:
    assert leave(agreeing(0), agreeing(59))["task-2"] == Left([0], "approved", 59)


def test_one_who_answers_after_61_seconds_was_asked_once_more() -> None:
    assert leave(agreeing(0), agreeing(61))["task-2"] == Left([0, 60], "approved", 61)


def test_one_who_never_answers_is_asked_twice_and_ended_after_70_seconds() -> None:
    assert leave(agreeing(0), never)["task-2"] == Left([0, 60], "ended", 70)


def test_one_whose_turn_ends_has_left_and_the_lead_is_notified() -> None:
    world, tools = team_of(ending(30))
    world.play(ordered(world, tools, (BEGINS, Cancel("enough"))))
    assert departures(world) == {"task-1": Left([0], "idle", 30)}
    request, notice = world.events(e.MessageSent)
    assert (notice.type, notice.sender, notice.recipient) == ("idle_notification", "task-1", "lead")
    assert (notice.request, notice.text) == (request.id, "half of it")


def test_one_who_refuses_is_asked_once_more_and_then_ended() -> None:
    world, tools = team_of(refusing)
    world.play(ordered(world, tools, (BEGINS, Cancel("enough"))))
    assert departures(world) == {"task-1": Left([0, 60], "ended", 70)}
    assert world.state().tasks["task-1"].member.leaver is not None
    (answer,) = [m for m in world.events(e.MessageSent) if m.type == "shutdown_response"]
    assert (answer.approve, answer.text) == (False, "not yet")


def test_the_times_are_settings() -> None:
    world, tools = team_of(never, limits=Limits(leaving=5, leaving_again=1))
    world.play(ordered(world, tools, (BEGINS, Cancel("enough"))))
    assert departures(world) == {"task-1": Left([0, 5], "ended", 6)}


def test_a_jump_of_the_wall_clock_takes_no_time_from_anybody() -> None:
    world, tools = team_of(agreeing(59))

    async def story() -> str:
        leading = asyncio.create_task(ordered(world, tools, (BEGINS, Cancel("enough"))))
        await asyncio.sleep(BEGINS + 40)
        world.clock.jump(86400)
        return await leading

    assert world.play(story()) == "finished"
    requests = [m for m in world.events(e.MessageSent) if m.type == "shutdown_request"]
    assert len(requests) == 1
    assert [event.how for event in world.events(e.MemberLeft)] == ["approved"]


def test_at_once_nobody_is_asked() -> None:
    world, tools = team_of(agreeing(0), never)
    assert world.play(ordered(world, tools, (BEGINS, Cancel("enough", at_once=True)))) == "finished"
    assert world.events(e.MessageSent) == []
    assert [event.how for event in world.events(e.MemberLeft)] == ["stopped", "stopped"]
    assert len(world.events(e.TeamDeleted)) == 1


def test_a_team_that_leaves_can_be_ended_at_once() -> None:
    world, tools = team_of(never)
    commands = (BEGINS, Cancel("enough")), (20.0, Cancel("now", at_once=True))
    assert world.play(ordered(world, tools, *commands)) == "finished"
    (left,) = departures(world).values()
    assert (left.asked, left.how) == ([0], "stopped")
    assert left.at <= 30
    assert world.state().phases[-1].reason == "enough"


def test_the_team_is_deleted_only_when_what_its_lead_asked_is_over() -> None:
    class SlowToEnd(FakeRunner):
        """Its judges take 40 seconds to end."""

        async def start(self, spec: RunSpec) -> FakeRun:
            run = await super().start(spec)
            cancel = run.cancel

            async def cancel_slowly(grace: float) -> None:
                await asyncio.sleep(40)
                await cancel(grace)

            if spec.role == "judge":
                run.cancel = cancel_slowly  # type: ignore[method-assign]
            return run

    async def work(spec: RunSpec) -> RunEnd:
        if spec.role == "judge":
            await asyncio.Event().wait()
        if spec.task == "task-2":
            await asyncio.sleep(BEGINS + 15)
        return world.write(spec)

    judged = task(1, acceptance=("it does",))
    world = World(judged, task(2), consultants=("judge",), limits=Limits(jobs=4))
    world.runner = SlowToEnd(work)
    assert world.play(ordered(world, Tools(), (BEGINS, Cancel("enough")))) == "finished"
    (leaving,), (deleted,) = world.times(e.TeamLeaving), world.times(e.TeamDeleted)
    assert [event.member for event in world.events(e.MemberLeft)] == ["task-2"]
    assert world.times(e.MemberLeft)[0] - leaving < 20, "its member had long left"
    assert deleted - leaving == 40


@pytest.mark.parametrize("ends", ["approve", "reject"])
def test_a_session_with_nobody_at_work_is_left_without_a_request(ends: str) -> None:
    world = World(task(1))
    assert world.lead() == "waiting"
    tip = world.state().integration_tip
    world.inbox.put(f.Approve(tip) if ends == "approve" else f.Reject("no"))
    world.lead(staffed=False)
    (deleted,) = world.events(e.TeamDeleted)
    assert [rule.found for rule in deleted.rules] == [
        "the lead asks nobody any more",
        "nobody was at work",
        "nobody was asked",
    ]
    assert world.state().phase == "DONE"


def test_whoever_leaves_hears_what_it_says_is_not_wanted_any_more() -> None:
    world = World(task(1))
    refusals: list[str] = []

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        request = await request_to(listener, spec)
        try:
            await listener.put(f.Reported(spec.task, spec.attempt, "half way"))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is looked at
            refusals.append(str(error))
        await listener.put(f.ShutdownAnswered(spec.task, spec.attempt, request, approve=True))
        return world.write(spec)

    tools = talking(world, talk)
    world.play(ordered(world, tools, (BEGINS, Cancel("enough"))))
    assert "answer_shutdown" in refusals[0]
    assert world.events(e.ProgressReported) == []


# Death


def until_killed(cut_at: int) -> tuple[World, bool]:
    """A leader dies at this step; the next one finds what it left, and nobody's agents."""
    world, tools = team_of(agreeing(30), never)
    line = Line(cut_at)

    async def story() -> None:
        leader = world.leader(team=tools)
        leader = type(leader)(world.state(), line.parts(world.parts(team=tools)))
        leading = asyncio.create_task(leader.run("somebody", 1))
        await asyncio.sleep(BEGINS)
        world.inbox.put(Cancel("enough"))
        await leading

    try:
        world.play(story())
    except Killed:
        world.journal = surviving(world.journal)
        return world, True
    return world, False


def test_a_leader_that_is_killed_anywhere_on_the_way_leaves_the_same_end() -> None:
    cut_at, killed, in_the_middle = 1, True, 0
    while killed:
        world, killed = until_killed(cut_at)
        leaving = world.state().leaving
        in_the_middle += killed and leaving is not None and leaving.deleted_at is None
        over, before = world.state().final, len(world.events(e.AttemptStarted))
        if not over:
            world.inbox.put(Cancel("enough"))
        if killed:
            world.lead(team=Tools(), staffed=bool(cut_at % 2))
        assert world.state().phase == "CANCELLED", cut_at
        assert len(world.events(e.TeamDeleted)) == 1, cut_at
        assert set(world.states().values()) == {"CANCELLED"}, cut_at
        assert len(world.started()) == len(set(world.started())), cut_at
        assert not over or len(world.events(e.AttemptStarted)) == before, cut_at
        assert world.state().copies == {}, cut_at
        cut_at += 1
    assert in_the_middle > 5, "no leader died while its team was leaving"
