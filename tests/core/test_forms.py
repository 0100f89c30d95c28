"""What is handed in belongs to the task; its role gives the default."""

import pytest

from teamlead.core.forms import FORM_OF_ROLE, form_of
from teamlead.core.model import TaskSpec


@pytest.mark.parametrize("role", FORM_OF_ROLE)
def test_a_task_that_names_no_form_has_that_of_its_role(role: str) -> None:
    assert form_of(TaskSpec("task-1", "A task", role=role)) == FORM_OF_ROLE[role]


def test_a_role_that_has_none_hands_in_a_summary() -> None:
    assert form_of(TaskSpec("task-1", "A task")) == "summary"


def test_a_task_may_name_another_form_than_its_role_has() -> None:
    assert form_of(TaskSpec("task-1", "A task", role="system-architect", form="review")) == "review"
