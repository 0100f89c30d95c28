import pytest

from teamlead.core.model import Plan, Role, SessionSpec, TaskSpec
from teamlead.core.staffing import kind_of, staff


def session() -> SessionSpec:
    return SessionSpec(
        id="s",
        plan=Plan("", "", ()),
        base_commit="",
        target_branch="main",
        agent="claude",
        model="opus",
        effort="low",
        arguments=("--session",),
    )


def task(**said: object) -> TaskSpec:
    return TaskSpec("task-1", "One", role="reviewer", **said)  # type: ignore[arg-type]


def found(task: TaskSpec, *roles: Role) -> tuple[object, ...]:
    """Agent, model, effort and arguments."""
    return staff(session(), {role.name: role for role in roles}, task)[:4]


def test_a_task_that_says_nothing_is_staffed_as_the_session_is() -> None:
    assert found(task()) == ("claude", "opus", "low", ("--session",))


def test_the_tasks_word_goes_before_its_roles_and_that_before_the_sessions() -> None:
    role = Role("reviewer", model="sonnet", effort="high")
    assert found(task(), role) == ("claude", "sonnet", "high", ("--session",))
    assert found(task(model="haiku"), role)[1] == "haiku"
    assert found(task(), Role("other", model="sonnet"))[1] == "opus"


def test_a_model_and_arguments_for_one_program_do_not_reach_another() -> None:
    role = Role("reviewer", agent="codex", arguments=("--role",))
    assert found(task(), role) == ("codex", "", "low", ("--role",))
    assert found(task(agent="gemini"), role) == ("gemini", "", "low", ())
    assert found(task(agent="gemini", model="pro"), role)[1] == "pro"


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
