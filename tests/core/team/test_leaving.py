"""What asks a member to leave, what it may answer, and when its team is deleted."""

from dataclasses import replace

import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.evolve import evolve
from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.core.team.leaving import checklist, is_leaving
from teamlead.core.team.members import state_of
from teamlead.errors import IllegalMove, NotFound, Refused


def at_work(*numbers: int) -> World:
    world = World(session(*map(task, numbers), limits=Limits(jobs=4)))
    for number in numbers:
        world.advance(number, do.RunAgent)
    return world


def leaving(*numbers: int) -> World:
    world = at_work(*numbers)
    world.tell(f.Cancel("enough"))
    return world


def doing(world: World) -> list[str]:
    return [state_of(member) for member in world.state.members.values()]


def sent(world: World, kind: e.MessageType) -> list[e.MessageSent]:
    return [event for _, event in world.log if isinstance(event, e.MessageSent) and event.type == kind]


def left(world: World) -> dict[str, str]:
    return {event.member: event.how for _, event in world.log if isinstance(event, e.MemberLeft)}


def answer(world: World, request: str, *, approve: bool = True, number: int = 1) -> None:
    turn = world.tell(f.ShutdownAnswered(f"task-{number}", 1, request, approve, "as you like"))
    for refusal in turn.refusals.values():
        raise refusal


def test_a_member_is_asked_asked_again_and_leaves() -> None:
    world = leaving(1, 2)
    assert doing(world) == ["asked to leave", "asked to leave"]
    world.answer(world.due(do.AwaitAnswer, 1))
    assert doing(world) == ["asked again", "asked to leave"]
    world.answer(world.due(do.AwaitAnswer, 1))
    assert isinstance(world.due(do.StopAgent, 1), do.StopAgent), "its warden ends it"
    world.answer(world.due(do.StopAgent, 1))
    assert doing(world) == ["left", "asked to leave"]
    assert left(world) == {"task-1": "ended"}


def test_one_that_has_not_begun_and_one_whose_turn_has_ended_are_not_asked() -> None:
    world = World(session(task(1), task(2, 1), task(3), limits=Limits(jobs=4)), led=True)
    world.advance(1, do.Collect)
    world.advance(3, do.RunAgent)
    world.tell(f.Cancel("enough"))
    assert [request.recipient for request in sent(world, "shutdown_request")] == ["task-3"]


@pytest.mark.parametrize("text", ["Please stop.", "shutdown_request", '{"type": "shutdown_request"}'])
def test_a_message_that_asks_somebody_to_stop_is_a_message(text: str) -> None:
    world = at_work(1, 2)
    world.tell(f.MessagePosted("task-2", 1, "task-1", text))
    world.tell(f.Tell("task-1", text))
    assert [message.type for message in world.state.messages.values()] == ["message", "message"]
    assert doing(world) == ["working", "working"]
    with pytest.raises(NotFound, match="nobody asked task-1 to leave by 'msg-1'"):
        answer(world, "msg-1")


def test_only_its_own_request_is_answered() -> None:
    world = leaving(1, 2)
    first, second = (request.id for request in sent(world, "shutdown_request"))
    with pytest.raises(NotFound, match="you were asked by msg-1"):
        answer(world, second)
    answer(world, first)
    assert doing(world) == ["asked to leave", "asked to leave"], "something of it is still alive"
    world.answer(world.due(do.StopAgent))
    assert left(world) == {"task-1": "approved"}


def test_an_answer_to_the_first_request_counts_after_the_second() -> None:
    world = leaving(1)
    world.answer(world.due(do.AwaitAnswer))
    answer(world, "msg-1")
    assert sent(world, "shutdown_response")[0].request == "msg-1"
    world.answer(world.due(do.StopAgent))
    assert left(world) == {"task-1": "approved"}


def test_who_says_no_and_then_yes_has_agreed() -> None:
    world = leaving(1)
    answer(world, "msg-1", approve=False)
    assert doing(world) == ["asked to leave"]
    answer(world, "msg-1")
    world.answer(world.due(do.StopAgent))
    assert left(world) == {"task-1": "approved"}


def test_an_answer_after_its_end_is_refused() -> None:
    world = leaving(1)
    world.tell(agent_ended("task-1", 1, "ok"))
    with pytest.raises(Refused, match="not at work any more"):
        answer(world, "msg-1")


def test_a_request_never_reaches_the_next_attempt() -> None:
    """No session that has ended has one: so the events of another are played."""
    world = leaving(1)
    assert world.task(1).member.unread == ("msg-1",)
    assert any(isinstance(effect, do.Deliver) for effect in world.state.due.values())
    state, now = world.state, world.now
    evolve(state, e.RunEnded("task-1-1", "task-1", RunEnd("interrupted")), now)
    evolve(state, e.AttemptEnded("task-1", 1, "interrupted", ("cut off",)), now)
    assert state.tasks["task-1"].member.unread == ()
    assert not any(isinstance(effect, do.Deliver | do.AwaitAnswer) for effect in state.due.values())


def test_nobody_is_asked_a_third_time() -> None:
    world = leaving(1)
    world.answer(world.due(do.AwaitAnswer))
    before = len(world.state.messages)
    (_, again) = sent(world, "shutdown_request")
    with pytest.raises(IllegalMove):
        evolve(world.state, replace_id(again, "msg-3"), world.now)
    assert len(world.state.messages) == before


def replace_id(message: e.MessageSent, name: str) -> e.MessageSent:
    return e.MessageSent(
        name, message.sender, message.recipient, message.text, type=message.type, attempt=message.attempt
    )


def test_a_team_is_not_deleted_while_something_of_a_member_is_alive() -> None:
    world = leaving(1, 2)
    answer(world, "msg-1")
    assert is_leaving(world.state)
    (lead, members, asked) = checklist(world.state)
    assert (lead.held, asked.held) == (True, True)
    assert not members.held
    assert "task-1 has not left" in members.found
    world.answer(world.due(do.StopAgent))
    assert "task-1" not in checklist(world.state)[1].found
    world.tell(agent_ended("task-2", 1, "ok"))
    assert not is_leaving(world.state)
    assert all(rule.held for rule in checklist(world.state))


def test_who_was_asked_by_a_plain_message_breaks_a_rule() -> None:
    world = leaving(1)
    request = world.state.messages["msg-1"]
    answer(world, "msg-1")
    world.state.messages["msg-1"] = replace(request, type="message")
    assert [rule.held for rule in checklist(world.state)] == [True, False, False]


def test_who_is_stopped_before_has_not_to_be_asked() -> None:
    world = at_work(1)
    world.tell(f.SkipTask("task-1", "not needed"))
    world.tell(f.Cancel("enough"))
    assert sent(world, "shutdown_request") == []
    assert is_leaving(world.state), "it still runs"
    world.answer(world.due(do.StopAgent))
    assert not is_leaving(world.state)


def test_who_takes_over_asks_nobody_since_agents_go_with_their_leader() -> None:
    world = leaving(1)
    world.tell(f.LeaderArrived(2, "the next"))
    world.answer(world.due(do.StopAgent))
    assert left(world) == {"task-1": "stopped"}
    assert not is_leaving(world.state)


def test_a_team_that_leaves_is_ended_at_once_where_a_person_wants_that() -> None:
    world = leaving(1)
    assert "--now" in str(world.tell(f.Cancel("again")).refusals[0])
    world.tell(f.Cancel("now", at_once=True))
    world.answer(world.due(do.StopAgent))
    assert left(world) == {"task-1": "stopped"}


def test_a_failed_session_leaves_in_the_same_order() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=4, attempts=1)))
    world.advance(1, do.RunAgent)
    world.advance(2, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "error"))
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"
    assert [request.recipient for request in sent(world, "shutdown_request")] == ["task-2"]
