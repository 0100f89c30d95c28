"""What members are doing, and which conversation goes on."""

from tests.core.support import World, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits
from teamlead.core.runs import AgentStatus
from teamlead.core.team.members import conversation_of, run_of, state_of


def ended(world: World, status: AgentStatus, conversation: str = "") -> None:
    world.advance(1, do.RunAgent)
    number = len(world.task(1).attempts)
    world.tell(agent_ended("task-1", number, status, conversation=conversation))


def test_a_conversation_is_continued_by_the_same_agent_over_attempts_that_had_none() -> None:
    world = World(session(task(1), limits=Limits(retry_delay=0.0)))
    assert conversation_of(world.task(1).member, "scripted") == ""
    ended(world, "interrupted", "c-1")
    ended(world, "interrupted")
    assert conversation_of(world.task(1).member, "scripted") == "c-1"
    assert conversation_of(world.task(1).member, "claude") == ""
    ended(world, "error", "c-2")
    assert conversation_of(world.task(1).member, "scripted") == "c-2"


def test_a_conversation_that_was_not_there_any_more_is_not_looked_for_again() -> None:
    world = World(session(task(1)))
    ended(world, "interrupted", "c-1")
    ended(world, "lost")
    assert conversation_of(world.task(1).member, "scripted") == ""


def test_no_conversation_outlives_the_copy_it_was_held_in() -> None:
    world = World(session(task(1), limits=Limits(conflict_reruns=1)))
    ended(world, "ok", "c-1")
    world.advance(1, do.Integrate)
    world.tell(f.MergeRefused("task-1", 1, "tip", ("a.py",)))
    assert world.task(1).attempts[1].fresh
    assert conversation_of(world.task(1).member, "scripted") == ""
    ended(world, "interrupted", "c-2")
    assert conversation_of(world.task(1).member, "scripted") == "c-2"


def test_a_task_that_is_to_begin_anew_has_no_conversation_before_it_starts() -> None:
    world = World(session(task(1)))
    ended(world, "ok", "c-1")
    world.finish(1)
    world.tell(f.LeaderLeft("it ended"))
    world.tell(f.RetryTask("task-1", "a failure was traced to it"))
    assert conversation_of(world.task(1).member, "scripted") == ""


def doing(world: World) -> list[str]:
    return [state_of(member) for member in world.state.members.values()]


def test_a_member_joins_works_is_idle_and_leaves_with_its_task() -> None:
    world = World(session(task(1), task(2, 1), limits=Limits(retry_delay=0.0)))
    assert doing(world) == ["working", "joined"]
    assert run_of(world.task(2).member) is None
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok"))
    assert doing(world) == ["idle", "joined"], "its turn has ended, and its work is looked at"
    world.finish(1)
    assert doing(world) == ["left", "working"]
    world.tell(f.RetryTask("task-1", built_on="again"))
    assert doing(world)[0] == "working"
    run = run_of(world.task(1).member)
    assert run is not None
    assert run.id == "task-1-2"
