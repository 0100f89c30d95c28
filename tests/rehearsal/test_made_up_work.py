from pathlib import Path
from typing import Literal

import pytest

from teamlead.core.model import TaskSpec, ToolPolicy
from teamlead.core.policy.scope import in_scope
from teamlead.core.roles import BUILT_IN
from teamlead.forms.results.contract import blocking, read_result
from teamlead.rehearsal.made_up_work import inside, made_up, outside

EVERYWHERE = ("**",)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src/v1.2").mkdir(parents=True)
    (tmp_path / "Makefile").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**", "rehearsal-task-1.md"),
        ("README.md", "README.md"),
        ("./docs/", "docs/rehearsal-task-1.md"),
        ("docs/*.md", "docs/rehearsal-task-1.md"),
        ("src/**/*.py", "src/rehearsal-task-1.py"),
        ("src/**", "src/rehearsal-task-1.md"),
        ("src", "src/rehearsal-task-1.md"),
        ("src/v1.2", "src/v1.2/rehearsal-task-1.md"),
        ("tests/test_*.py", "tests/test_rehearsal-task-1.py"),
        ("*/models.py", "rehearsal-task-1/models.py"),
        ("new/folder", "new/folder/rehearsal-task-1.md"),
        ("a?c.txt", "axc.txt"),
        (".github/", ".github/rehearsal-task-1.md"),
        (".gitignore", ".gitignore"),
        ("Makefile", "Makefile"),
    ],
)
def test_a_made_up_path_is_in_the_scope(pattern: str, path: str, root: Path) -> None:
    task = TaskSpec("task-1", "A title", scope=(pattern,))
    assert inside(task, EVERYWHERE, root) == path
    assert in_scope(path, task.scope)
    assert not in_scope(outside(task), task.scope)


def test_the_role_has_a_say_too(root: Path) -> None:
    task = TaskSpec("task-1", "A title", scope=("src/", "docs/"))
    assert inside(task, ("docs/",), root) == "docs/rehearsal-task-1.md"
    assert inside(TaskSpec("task-1", "A title"), ("docs/",), root) == "docs/rehearsal-task-1.md"


def test_an_investigation_changes_nothing(root: Path) -> None:
    task = TaskSpec("task-1", "A title", type="investigation")
    assert made_up(task, ToolPolicy(), root) == [{"run": "git log -1"}, {"done": "Rehearsed: A title"}]


@pytest.mark.parametrize(
    ("role", "form"),
    [
        *((name, "") for name, role in BUILT_IN.items() if role.reports),
        ("worker", "design"),
        ("Explore", "design"),
    ],
)
def test_a_task_that_owes_a_report_hands_in_one_that_keeps_its_contract(
    role: str, form: Literal["", "design"], root: Path
) -> None:
    task = TaskSpec("task-1", "A title", role=role, form=form)
    *_, last = made_up(task, ToolPolicy(), root)
    reading = read_result(last["done"], role, form)
    assert (blocking(reading), reading.flags) == ((), ())
