"""Tasks for a session that is under way."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from teamlead.core.model import TaskSpec
from teamlead.errors import PlanError
from teamlead.plans.added_tasks import sorted_out, task_from
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


FIRST = TaskSpec("task-3", "Describe it", scope=("docs/",), depends_on=("task-1",))
SECOND = TaskSpec("task-4", "Print it", depends_on=("task-3",))


def again(spec: TaskSpec, name: str, *depends_on: str) -> TaskSpec:
    return replace(spec, id=name, depends_on=depends_on)


def test_tasks_that_are_there_are_known_whatever_their_number() -> None:
    given = [again(SECOND, "task-5", "task-6"), again(FIRST, "task-6", "task-1")]
    assert sorted_out(given, [FIRST, SECOND]) == ([FIRST, SECOND], [])


@pytest.mark.parametrize("change", [{"title": "Describe all"}, {"scope": ("src/",)}, {"depends_on": ()}])
def test_a_task_that_says_something_else_is_another(change: dict[str, Any]) -> None:
    other = replace(FIRST, id="task-5", **change)
    assert sorted_out([other], [FIRST]) == ([], [other])


def test_what_is_new_builds_on_what_is_known_and_keeps_its_place() -> None:
    given = [
        again(SECOND, "task-7", "task-6"),
        again(SECOND, "task-6", "task-5"),
        again(FIRST, "task-5", "task-1"),
    ]
    found = sorted_out(given, [FIRST])
    assert found.known == [FIRST]
    assert found.fresh == [again(SECOND, "task-7", "task-6"), again(SECOND, "task-6", "task-3")]
