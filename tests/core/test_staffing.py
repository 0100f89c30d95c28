import pytest

from teamlead.core.model import Plan, Role, SessionSpec, TaskSpec
from teamlead.core.staffing import Staffing, kind_of, staffing


def session(*roles: Role) -> SessionSpec:
    return SessionSpec(
        id="s",
        plan=Plan("", "", ()),
        base_commit="",
        target_branch="main",
        agent="claude",
        model="opus",
        effort="low",
        arguments=("--session",),
        roles=roles,
    )


def task(**said: object) -> TaskSpec:
    return TaskSpec("task-1", "One", role="reviewer", **said)  # type: ignore[arg-type]


def test_a_task_that_says_nothing_is_staffed_as_the_session_is() -> None:
    assert staffing(session(), task()) == Staffing("claude", "opus", "low", ("--session",))


def test_the_tasks_word_goes_before_its_roles_and_that_before_the_sessions() -> None:
    role = Role("reviewer", model="sonnet", effort="high")
    assert staffing(session(role), task()) == Staffing("claude", "sonnet", "high", ("--session",))
    assert staffing(session(role), task(model="haiku")).model == "haiku"
    assert staffing(session(Role("other", model="sonnet")), task()).model == "opus"


def test_a_model_and_arguments_for_one_program_do_not_reach_another() -> None:
    role = Role("reviewer", agent="codex", arguments=("--role",))
    assert staffing(session(role), task()) == Staffing("codex", "", "low", ("--role",))
    assert staffing(session(role), task(agent="gemini")) == Staffing("gemini", "", "low", ())
    assert staffing(session(role), task(agent="gemini", model="pro")).model == "pro"


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        ("claude", "claude"),
        ("acp:opencode acp", "acp:opencode acp"),
        ("scripted:/a.toml", "scripted:/a.toml"),
    ],
)
def test_programs_of_ours_are_one_kind_each_and_others_are_as_many_as_their_commands(
    agent: str, kind: str
) -> None:
    assert kind_of(agent) == kind
