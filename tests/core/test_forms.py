"""What is handed in belongs to the task; its role gives the default."""

import pytest

from teamlead.core.forms import form_of
from teamlead.core.model import TaskSpec
from teamlead.core.roles import BUILT_IN


@pytest.mark.parametrize("role", BUILT_IN)
def test_a_task_that_names_no_form_has_that_of_its_role(role: str) -> None:
    assert form_of(TaskSpec("task-1", "A task", role=role)) == BUILT_IN[role].form


def test_a_role_that_nobody_knows_hands_in_a_summary() -> None:
    assert form_of(TaskSpec("task-1", "A task", role="poet")) == "summary"


def test_a_task_may_name_another_form_than_its_role_has() -> None:
    assert form_of(TaskSpec("task-1", "A task", role="system-architect", form="review")) == "review"
