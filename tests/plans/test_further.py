"""Tasks for a session that is under way."""

from pathlib import Path

import pytest

from teamlead.errors import PlanError
from teamlead.plans.further import task_from
from teamlead.plans.load import require

THERE = ("task-1", "task-2")


def test_each_value_is_taken_as_it_is() -> None:
    given = {
        "scope": ("docs/a, b.md", "src/"),
        "checks": ("make a, b && true", "make `which c`"),
        "acceptance": ("it reads well, and is `short`",),
        "depends_on": ("1", "task-2"),
        "type": ("documentation",),
        "agent": ("codex",),
    }
    task, problems = task_from("task-3", "Describe\n it", given, beside=THERE)
    assert problems == []
    assert (task.id, task.title, task.type, task.agent) == ("task-3", "Describe it", "documentation", "codex")
    assert task.scope == given["scope"]
    assert task.checks == given["checks"]
    assert task.acceptance == given["acceptance"]
    assert task.depends_on == THERE


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"depends_on": ("7",)}, "task-3 depends on 'task-7', which does not exist"),
        ({"depends_on": ("3",)}, "task-3 depends on itself"),
        ({"scope": ("/etc",)}, "is absolute"),
        ({"type": ("miracle",)}, "unknown type 'miracle'"),
    ],
)
def test_what_a_plan_may_not_say_is_an_error(given: dict[str, tuple[str, ...]], says: str) -> None:
    problems = task_from("task-3", "Describe it", given, beside=THERE).problems
    assert any(says in problem.message for problem in problems if problem.severity == "error")


def test_a_task_without_a_title_is_an_error() -> None:
    assert task_from("task-3", "  ", {}, beside=THERE).problems[0].message == "task-3 has no title"


def test_the_tasks_of_a_file_may_depend_on_those_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "more.md"
    file.write_text("# More\n\n### 1. One\n\n### 5. Five\n- Depends on: 1, 2\n")
    assert require(file, beside=THERE).plan.tasks[1].depends_on == ("task-1", "task-2")
    with pytest.raises(PlanError):
        require(file)
