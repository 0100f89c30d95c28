from typing import get_args

import pytest

from teamlead.core.runs import ROLE_OF, Consultant, Purpose
from teamlead.forms.catalogue import answer_to
from teamlead.runners.script_parts import DEFAULTS, PURPOSES, Part, part_of
from teamlead.runners.script_steps import last_words


def test_everybody_whom_the_lead_consults_has_a_part_for_every_purpose() -> None:
    assert set(PURPOSES) == set(get_args(Consultant))
    assert all(purpose in PURPOSES[role] for purpose, role in ROLE_OF.items())


@pytest.mark.parametrize("purpose", [purpose for purpose in ROLE_OF if purpose in DEFAULTS])
def test_what_is_answered_without_a_table_can_be_read(purpose: Purpose) -> None:
    assert answer_to(purpose, last_words({"answer": DEFAULTS[purpose]}, ()))


@pytest.mark.parametrize(
    ("prompt", "part"),
    [
        ("# task-3: Colours\n\nThis is attempt 2.\n", Part("task-3", 2)),
        ("# task-3: Colours", Part("task-3")),
        ("Hello\n\n# task-3-judge: judge\n\nThis is attempt 2 of task-3.", Part("task-3-judge", 1, "judge")),
        ("# planner: plan (12)\n# task-1: Title", Part("planner", 12, "plan")),
        ("# planners: plan", None),
        ("#  task-1: Title", None),
        ("", None),
    ],
)
def test_a_part_is_told_by_the_first_heading(prompt: str, part: Part | None) -> None:
    assert part_of(prompt) == part
