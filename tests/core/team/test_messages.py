"""Messages between agents, and from people to agents."""

from typing import Any

import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits, Question
from teamlead.core.reports import ExplorationFeedback, Result
from teamlead.core.team.messages import MOST_TEXT
from teamlead.core.team.talk import MOST_SAID
from teamlead.errors import NotFound, Refused


def team(**fields: Any) -> World:
    """Two at work, a third that has not begun."""
    tasks = (task(1), task(2, role="reviewer"), task(3))
    world = World(session(*tasks, limits=Limits(jobs=2), **fields))
    world.advance(1, do.RunAgent)
    world.advance(2, do.RunAgent)
    return world


def post(world: World, recipient: str, text: str = "mind the gap", sender: int = 1) -> str:
    world.tell(f.MessagePosted(f"task-{sender}", 1, recipient, text))
    return list(world.state.messages)[-1]


def unread(world: World) -> dict[str, list[str]]:
    return {name: list(each.unread) for name, each in world.state.members.items() if each.unread}


def letters(world: World) -> list[str]:
    return [effect.key for effect in world.state.due.values() if isinstance(effect, do.Deliver)]


@pytest.mark.parametrize(
    ("recipient", "readers"),
    [
        ("task-2", ["task-2"]),
        ("task-3", ["task-3"]),
        ("reviewer", ["task-2"]),
        ("all", ["task-2"]),
        ("lead", []),
    ],
)
def test_a_message_reaches_those_it_is_for_and_never_its_sender(recipient: str, readers: list[str]) -> None:
    world = team()
    name = post(world, recipient)
    assert unread(world) == {reader: [name] for reader in readers}
    assert world.state.messages[name].sender == "task-1"


def test_a_message_to_oneself_reaches_nobody() -> None:
    world = team()
    post(world, "task-1")
    assert unread(world) == {}


@pytest.mark.parametrize("recipient", ["nobody", "task-9", "", "Reviewer"])
def test_a_message_to_somebody_unknown_is_refused(recipient: str) -> None:
    world = team()
    with pytest.raises(Refused, match="there is nobody called"):
        raise world.tell(f.MessagePosted("task-1", 1, recipient, "hello")).refusals[0]
    assert not world.state.messages


def test_a_message_to_a_task_that_is_done_is_refused() -> None:
    world = team()
    world.finish(2)
    with pytest.raises(Refused, match="task-2 is DONE"):
        raise world.tell(f.MessagePosted("task-1", 1, "task-2", "hello")).refusals[0]


def test_a_message_to_a_role_whose_members_have_all_ended_is_refused_and_says_who_has() -> None:
    world = team()
    world.finish(2)
    with pytest.raises(
        Refused, match="nobody of the role 'reviewer' would read it: task-2 is DONE"
    ) as refused:
        raise world.tell(f.MessagePosted("task-1", 1, "reviewer", "hello")).refusals[0]
    assert refused.value.remedy == "send it to 'lead' if it matters"
    assert not world.state.messages


def test_a_message_to_a_role_that_has_not_begun_is_refused_and_says_whom_to_write_to() -> None:
    world = team()
    with pytest.raises(Refused, match="'worker' would read it: task-3 has not begun") as refused:
        raise world.tell(f.MessagePosted("task-1", 1, "worker", "hello")).refusals[0]
    assert refused.value.remedy == "send it to task-3 itself: it is kept until it begins"


def test_of_a_role_whose_only_member_writes_to_it_nobody_reads() -> None:
    world = team()
    with pytest.raises(Refused, match="there is only you"):
        raise world.tell(f.MessagePosted("task-2", 1, "reviewer", "hello")).refusals[0]


def test_a_message_to_all_is_refused_where_all_others_have_ended_and_says_who_has() -> None:
    world = World(session(task(1), task(2), task(3)))
    world.finish(2)
    world.tell(f.SkipTask("task-3", "not needed"))
    world.advance(1, do.RunAgent)
    with pytest.raises(Refused, match="nobody would read it: task-2 is DONE, task-3 is SKIPPED") as refused:
        raise world.tell(f.MessagePosted("task-1", 1, "all", "hello")).refusals[0]
    assert refused.value.remedy == "send it to 'lead' if it matters"
    assert not world.state.messages


def test_a_message_to_all_is_refused_where_no_other_has_begun_and_says_whom_to_write_to() -> None:
    world = World(session(task(1), task(2), limits=Limits(jobs=1)))
    world.advance(1, do.RunAgent)
    with pytest.raises(Refused, match="task-2 has not begun") as refused:
        raise world.tell(f.MessagePosted("task-1", 1, "all", "hello")).refusals[0]
    assert refused.value.remedy == "send it to task-2 itself: it is kept until it begins"


def test_a_message_to_all_of_a_team_of_one_is_refused() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    with pytest.raises(Refused, match="there is only you"):
        raise world.tell(f.MessagePosted("task-1", 1, "all", "hello")).refusals[0]


def test_of_many_who_have_ended_some_are_named() -> None:
    world = World(session(task(1), *(task(number, role="reviewer") for number in range(2, 12))))
    for number in range(2, 12):
        world.finish(number)
    world.advance(1, do.RunAgent)
    with pytest.raises(Refused, match="task-5 is DONE, task-6 is DONE and 5 more"):
        raise world.tell(f.MessagePosted("task-1", 1, "reviewer", "hello")).refusals[0]


def test_an_empty_message_is_refused() -> None:
    world = team()
    for fact in (f.MessagePosted("task-1", 1, "all", " "), f.Tell("task-1", "\n")):
        with pytest.raises(Refused, match="empty message"):
            raise world.tell(fact).refusals[0]


def test_a_message_that_would_fill_a_prompt_is_refused() -> None:
    world = team()
    post(world, "task-2", "x" * MOST_TEXT)
    with pytest.raises(Refused, match="at most 8000 characters"):
        raise world.tell(f.MessagePosted("task-1", 1, "task-2", "x" * (MOST_TEXT + 1))).refusals[0]


SPOKEN = (
    lambda number: f.Reported("task-1", 1, f"{number}"),
    lambda number: f.MessagePosted("task-1", 1, "all", f"{number}"),
    lambda number: f.TaskUpdated("task-1", 1, "task-1", "working", f"{number}"),
    lambda number: f.Asked("task-1", 1, Question(f"{number}?"), f"call-{number}"),
    lambda number: f.FeedbackGiven("task-1", 1, ExplorationFeedback(f"{number}")),
    lambda number: f.ResultSubmitted("task-1", 1, Result("PARTIAL", f"{number}", "", (), 1, "")),
)


def test_an_attempt_that_talks_without_end_is_heard_so_often_and_no_more() -> None:
    world = team()
    for number in range(MOST_SAID):
        assert not world.tell(SPOKEN[number % len(SPOKEN)](number)).refusals
    for say in SPOKEN:
        with pytest.raises(Refused, match="spoken 500 times"):
            raise world.tell(say(MOST_SAID)).refusals[0]
    world.tell(f.Tell("task-1", "Enough."))
    assert world.task(1).member.unread
    world.tell(f.MessagesTaken("task-1", 1, world.task(1).member.unread))
    assert not world.task(1).member.unread
    assert not world.tell(f.Reported("task-2", 1, "Others are heard.")).refusals


def test_what_another_agent_says_is_left_to_be_read_where_the_lead_does_not_react() -> None:
    world = team(autonomy=1)
    name = post(world, "task-2")
    assert letters(world) == []
    world.tell(f.MessagesTaken("task-2", 1, (name,)))
    assert unread(world) == {}


def test_what_another_agent_says_is_delivered_where_the_lead_reacts() -> None:
    world = team(autonomy=2)
    name = post(world, "task-2")
    assert letters(world) == [f"Deliver:task-2:1:{name}"]
    world.tell(f.MessagesTaken("task-2", 1, (name,)))
    assert letters(world) == []


@pytest.mark.parametrize("sender", ["user", "lead"])
def test_what_the_user_or_the_lead_says_is_delivered_at_once(sender: str) -> None:
    world = team(autonomy=1)
    world.tell(f.Tell("task-1", "stop that", sender))
    assert letters(world) == ["Deliver:task-1:1:msg-1"]


def test_a_message_to_a_task_that_does_not_work_yet_is_due_when_it_does() -> None:
    world = team()
    world.tell(f.Tell("task-3", "use the new API"))
    assert letters(world) == []
    world.finish(1)
    world.advance(3, do.RunAgent)
    assert letters(world) == ["Deliver:task-3:1:msg-1"]


def test_what_an_attempt_did_not_read_waits_for_the_next() -> None:
    world = team()
    world.tell(f.Tell("task-1", "stop that"))
    world.tell(agent_ended("task-1", 1, "interrupted"))
    assert letters(world) == []
    assert unread(world) == {"task-1": ["msg-1"]}
    world.advance(1, do.RunAgent)
    assert letters(world) == ["Deliver:task-1:2:msg-1"]


def test_taking_a_message_twice_or_anothers_causes_nothing() -> None:
    world = team()
    name = post(world, "task-2")
    assert world.tell(f.MessagesTaken("task-1", 1, (name,))).events == []
    assert world.tell(f.MessagesTaken("task-2", 1, (name, name, "msg-9"))).events
    assert world.tell(f.MessagesTaken("task-2", 1, (name,))).events == []


def test_a_task_that_ended_its_turn_hears_what_is_said_to_all() -> None:
    world = team()
    world.tell(agent_ended("task-2", 1, "limit", reset_at=world.now + 100))
    name = post(world, "all")
    assert unread(world) == {"task-2": [name]}


def test_telling_a_task_that_is_unknown_or_over_is_refused() -> None:
    world = team()
    with pytest.raises(NotFound, match="no task 'task-9'"):
        raise world.tell(f.Tell("task-9", "hello")).refusals[0]
    world.tell(f.SkipTask("task-3", "not needed"))
    with pytest.raises(Refused, match="task-3 is SKIPPED"):
        raise world.tell(f.Tell("task-3", "hello")).refusals[0]


def test_what_the_user_said_too_late_for_a_turn_begins_another_one() -> None:
    world = team()
    world.now += 1
    world.tell(f.Tell("task-1", "The header stays."))
    world.tell(agent_ended("task-1", 1, "ok", summary="all done"))
    assert [attempt.outcome for attempt in world.task(1).attempts[:1]] == ["asked"]
    assert world.task(1).failures == 0
    world.advance(1, do.RunAgent)
    assert world.state.active["task-1"].number == 2
    world.tell(f.MessagesTaken("task-1", 2, world.task(1).member.unread))
    world.tell(agent_ended("task-1", 2, "ok", summary="now it is"))
    assert world.state.active["task-1"].phase == "collecting"


def test_what_another_agent_said_too_late_for_a_turn_begins_no_other_one() -> None:
    world = team(autonomy=2)
    world.now += 1
    post(world, "task-2")
    world.tell(agent_ended("task-2", 1, "ok"))
    assert world.state.active["task-2"].phase == "collecting"


@pytest.mark.parametrize("step", [do.Collect, do.Check])
def test_a_persons_word_about_work_that_is_looked_at_comes_before_its_acceptance(step: type[Any]) -> None:
    world = World(session(task(1, checks=("make test",))))
    world.advance(1, step)
    world.now += 1.0
    world.tell(f.Tell("task-1", "mind the gap"))
    world.advance(1, do.PrepareCopy)
    assert world.due(do.PrepareCopy).attempt == 2
    assert world.task(1).attempts[0].outcome == "asked"
    assert world.task(1).failures == 0


def test_a_word_about_work_that_is_being_merged_comes_too_late() -> None:
    world = World(session(task(1)))
    world.advance(1, do.Integrate)
    refused = world.tell(f.Tell("task-1", "mind the gap")).refusals[0]
    assert "task-1 is being merged: no agent will read it" in str(refused)
    assert "teamlead retry task-1 --advice TEXT" in refused.remedy


def test_what_another_agent_says_meanwhile_does_not_bring_work_back() -> None:
    world = team()
    world.advance(2, do.Collect)
    world.now += 1.0
    post(world, "task-2")
    world.finish(2)
    assert [attempt.outcome for attempt in world.task(2).attempts] == ["accepted"]
