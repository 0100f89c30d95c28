"""Who works on a task, and how."""

import msgspec
import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Budget, Limits, Role, TaskSpec, ToolPolicy
from teamlead.core.runs import AgentStatus
from teamlead.core.state.staffing import Staff, conversation_for, kind_of, staff_of

READING = ToolPolicy(("read", "search"))
ROLES = (
    Role("reviewer", "codex", "gpt", "high", ("--fast",), READING, Budget(turns=5)),
    Role("scout", model="haiku"),
)


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        ("claude", "claude"),
        ("claude:opus", "claude"),
        ("codex", "codex"),
        ("gemini:x", "gemini"),
        ("acp:gemini --acp", "acp:gemini --acp"),
        ("command:claude", "command:claude"),
        ("scripted:a.toml", "scripted:a.toml"),
        ("claudette", "claudette"),
    ],
)
def test_agents_with_an_account_are_one_kind_and_every_other_command_is_its_own(
    agent: str, kind: str
) -> None:
    assert kind_of(agent) == kind


NO_POLICY = ToolPolicy()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (task(1), Staff("claude", "opus", "low", ("-v",), NO_POLICY, Budget())),
        (task(1, model="haiku"), Staff("claude", "haiku", "low", ("-v",), NO_POLICY, Budget())),
        (task(1, agent="gemini"), Staff("gemini", "", "low", (), NO_POLICY, Budget())),
        (task(1, agent="gemini", model="pro"), Staff("gemini", "pro", "low", (), NO_POLICY, Budget())),
        (task(1, role="reviewer"), Staff("codex", "gpt", "high", ("--fast",), READING, Budget(turns=5))),
        (
            task(1, role="reviewer", effort="max", arguments=("-q",)),
            Staff("codex", "gpt", "max", ("-q",), READING, Budget(turns=5)),
        ),
        (
            task(1, role="reviewer", agent="claude"),
            Staff("claude", "", "high", (), READING, Budget(turns=5)),
        ),
        (task(1, role="scout"), Staff("claude", "haiku", "low", ("-v",), NO_POLICY, Budget())),
    ],
)
def test_the_task_comes_before_its_role_and_that_before_the_session(spec: TaskSpec, expected: Staff) -> None:
    plan = msgspec.structs.replace(session(spec), agent="claude", model="opus", effort="low", roles=ROLES)
    world = World(msgspec.structs.replace(plan, arguments=("-v",)))
    assert staff_of(world.state, spec) == expected
    attempt = world.task(1).attempts[0]
    assert (attempt.run.agent, attempt.run.model, attempt.run.effort) == expected[:3]
    world.advance(1, do.RunAgent)
    assert world.state.runs[world.due(do.RunAgent).run].model == expected.model


def ended(world: World, status: AgentStatus, conversation: str = "") -> None:
    world.advance(1, do.RunAgent)
    number = len(world.task(1).attempts)
    world.tell(agent_ended("task-1", number, status, conversation=conversation))


def test_a_conversation_is_continued_by_the_same_agent_over_attempts_that_had_none() -> None:
    world = World(session(task(1), limits=Limits(retry_delay=0.0)))
    assert conversation_for(world.task(1), "scripted") == ""
    ended(world, "interrupted", "c-1")
    ended(world, "interrupted")
    assert conversation_for(world.task(1), "scripted") == "c-1"
    assert conversation_for(world.task(1), "claude") == ""
    ended(world, "error", "c-2")
    assert conversation_for(world.task(1), "scripted") == "c-2"


def test_a_conversation_that_was_not_there_any_more_is_not_looked_for_again() -> None:
    world = World(session(task(1)))
    ended(world, "interrupted", "c-1")
    ended(world, "lost")
    assert conversation_for(world.task(1), "scripted") == ""


def test_no_conversation_outlives_the_copy_it_was_held_in() -> None:
    world = World(session(task(1), limits=Limits(conflict_reruns=1)))
    ended(world, "ok", "c-1")
    world.advance(1, do.Integrate)
    world.tell(f.MergeRefused("task-1", 1, "tip", ("a.py",)))
    assert world.task(1).attempts[1].fresh
    assert conversation_for(world.task(1), "scripted") == ""
    ended(world, "interrupted", "c-2")
    assert conversation_for(world.task(1), "scripted") == "c-2"


def test_a_task_that_is_to_begin_anew_has_no_conversation_before_it_starts() -> None:
    world = World(session(task(1)))
    ended(world, "ok", "c-1")
    world.finish(1)
    world.tell(f.LeaderLeft("it ended"))
    world.tell(f.RetryTask("task-1", "a failure was traced to it"))
    assert conversation_for(world.task(1), "scripted") == ""
