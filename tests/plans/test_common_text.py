"""What a plan says outside of its tasks is told apart from what it says of each."""

import pytest

from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine

PLAN = """\
# Login for the shop

The shop gets a login.

## Constraints

- No new dependencies.
- Python 3.9 has to run it, too.

## Background
## Tasks

Small ones, in this order.

### 1. Add the form
It has two fields.

- Scope: src/login/

#### Steps

Begin with the template.

### 2. Describe it
- Type: documentation
- Scope: docs/

## Out of scope

    sessions on several machines
"""


def common(text: str) -> str:
    return examine(parse(text, "plan.md")).plan.common


def test_the_introduction_and_sections_that_hold_for_all_are_kept_as_written() -> None:
    assert (
        common(PLAN)
        == """\
The shop gets a login.

## Constraints

- No new dependencies.
- Python 3.9 has to run it, too.

## Tasks

Small ones, in this order.

## Out of scope

    sessions on several machines"""
    )


@pytest.mark.parametrize(
    "text",
    [
        "# Plan\n\n## 1. One\n- Scope: a\n",
        "# Plan\n\n## Phase 1\n\n### 1. One\n- Scope: a\n\n## Phase 2\n\n### 2. Two\n- Scope: b\n",
        "# Plan\n\n- [ ] One\n- [x] Two\n",
        "# Plan\n\n## 1. One\nIn words.\n\n### Notes\nMore of it.\n",
    ],
    ids=["no text", "headings only", "a list of tasks", "text of a task"],
)
def test_a_plan_that_says_nothing_beside_its_tasks_has_no_common_text(text: str) -> None:
    assert common(text) == ""


def test_of_a_plan_that_is_written_freely_all_is_common() -> None:
    assert common("# Plan\n\nAdd a form.\n\nThen describe it.\n") == "Add a form.\n\nThen describe it."


def test_a_list_of_no_tasks_is_common_to_those_beside_it() -> None:
    text = "# Plan\n\n* a word on all of it\n* and one more\n\n1. One\n   - Scope: a\n   - Checks: `true`\n"
    assert common(text) == "* a word on all of it\n* and one more"
