"""Single calls of tools that a person has to allow."""

import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended

from teamlead.core import facts as f
from teamlead.core.model import Limits, Question
from teamlead.core.runs import AgentStatus

MAY_IT = Question("May it?", ("allow", "deny"))


def asking(**fields: bool) -> World:
    """A task at work whose agent waits for a person's word."""
    world = World(session(task(1), task(2), limits=Limits(jobs=1), **fields))
    world.tell(f.CopyReady("task-1", 1, "base"))
    world.tell(f.PermissionAsked("task-1", 1, MAY_IT, "call-1"))
    return world


def refusal(world: World, fact: f.AnyFact) -> str:
    return str(world.tell(fact).refusals[0])


def record(world: World) -> tuple[str, str]:
    found = world.state.escalations["esc-1"]
    return found.state, found.resolution


def test_it_is_asked_once_and_the_agent_stays_at_work() -> None:
    world = asking()
    world.tell(f.PermissionAsked("task-1", 1, MAY_IT, "call-1"))
    assert [r.kind for r in world.state.open.values()] == ["permission"]
    assert world.state.calls == {"call-1": "esc-1"}
    assert world.task(1).state == "RUNNING"


@pytest.mark.parametrize("word", ["allow", "deny", " Allow "])
def test_an_answer_is_the_whole_of_it(word: str) -> None:
    world = asking()
    world.tell(f.Resolve("esc-1", word))
    assert record(world) == ("resolved", word.strip())
    assert (world.task(1).guidance, world.task(1).state) == ([], "RUNNING")


def test_it_is_answered_with_one_of_two_words() -> None:
    world = asking()
    assert "'allow' or 'deny'" in refusal(world, f.Resolve("esc-1", "maybe"))
    assert record(world) == ("open", "")


def test_without_an_answer_in_time_it_is_withdrawn_and_can_be_answered_no_more() -> None:
    world = asking()
    world.tell(f.PermissionLapsed("task-1", 1, "esc-1"))
    assert record(world) == ("withdrawn", "nobody answered in time, so it was refused")
    assert "withdrawn" in refusal(world, f.Resolve("esc-1", "allow"))


def test_an_answer_that_came_first_holds() -> None:
    world = asking()
    world.tell(f.Resolve("esc-1", "allow"))
    world.tell(f.PermissionLapsed("task-1", 1, "esc-1"))
    assert record(world) == ("resolved", "allow")


@pytest.mark.parametrize("status", ["ok", "lost", "error", "limit", "budget"])
def test_it_does_not_outlive_the_agent_and_its_task_does_not_wait_for_it(status: AgentStatus) -> None:
    world = asking()
    world.tell(agent_ended("task-1", 1, status))
    assert record(world) == ("withdrawn", "the agent that asked has ended")
    assert world.task(1).blocked is None


def test_it_goes_with_the_session() -> None:
    world = asking()
    world.tell(f.Cancel("enough"))
    assert record(world) == ("withdrawn", "enough")
    assert world.state.permissions == {}


def test_it_does_not_use_up_the_persons_patience() -> None:
    world = asking()
    assert world.state.counted_questions == 0


def test_one_that_is_not_at_work_is_refused() -> None:
    world = asking()
    assert "not at work" in refusal(world, f.PermissionAsked("task-1", 2, MAY_IT, "call-2"))


def test_nothing_else_starts_meanwhile_if_the_user_wants_it_so() -> None:
    world = asking(stop_on_escalation=True)
    assert world.state.held_up
    world.tell(f.Resolve("esc-1", "allow"))
    assert not world.state.held_up
