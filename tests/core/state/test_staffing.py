"""Who works on a task, and how."""

import msgspec
import pytest
from tests.core.support import World, session, task

from teamlead.core import effects as do
from teamlead.core.model import Budget, RoleSettings, TaskSpec, ToolPolicy
from teamlead.core.state.staffing import Staff, kind_of

READING = ToolPolicy(("read", "search"))
ROLES = (
    RoleSettings("reviewer", "codex", "gpt", "high", ("--fast",), READING, Budget(turns=5)),
    RoleSettings("scout", model="haiku"),
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
    assert world.state.staff_of(spec) == expected
    attempt = world.task(1).attempts[0]
    assert (attempt.run.agent, attempt.run.model, attempt.run.effort) == expected[:3]
    world.advance(1, do.RunAgent)
    assert world.state.runs[world.due(do.RunAgent).run].model == expected.model
