"""Whatever a file holds, reading it ends, and ends in a plan or in problems."""

# ruff: noqa: RUF001 - full-width characters are what is tested

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamlead.plans.drawing import draw, mermaid
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine

PIECES = st.sampled_from(
    [
        *(
            "# ",
            "## Tasks\n",
            "### 1. a\n",
            "### task-2: b\n",
            "#### Acceptance\n",
            "### Task: c\n",
            "- [ ] d\n",
        ),
        *(
            "- [x] 3. e\n",
            "  - Scope: src/\n",
            "- Scope: `a`, b\n",
            "- Depends on: 1, task-2\n",
            "**Checks:** x\n",
        ),
        *(
            "- 依存：タスク1\n",
            "- Type: 조사\n",
            "- Estimate: 2h\n",
            "```\n",
            "> ",
            "1. f\n",
            "    ",
            "\t",
            "- ",
            "* ",
        ),
        *(
            "\n",
            "\n\n",
            "...\n",
            "<!--",
            "-->",
            "`",
            "**",
            ":",
            "：",
            "|",
            "\\",
            "---\n",
            "===\n",
            "\r",
            "\0",
            "{",
            ",",
        ),
    ]
)
TEXTS = st.text() | st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)


@settings(deadline=None)
@given(TEXTS)
def test_any_text_becomes_a_plan_or_problems_on_lines_that_exist(text: str) -> None:
    plan, problems = examine(parse(text, "plan.md"))
    lines = plan.text.count("\n") + 1
    assert all(1 <= problem.line <= lines for problem in problems)
    assert all(problem.message and problem.remedy for problem in problems)
    assert [p.line for p in problems] == sorted(p.line for p in problems)
    if not any(problem.severity == "error" for problem in problems):
        ids = [task.id for task in plan.tasks]
        assert ids
        assert len(set(ids)) == len(ids)
        assert all(name in ids for task in plan.tasks for name in task.depends_on)
        assert all(task.title in draw(plan) for task in plan.tasks)
        assert mermaid(plan).count("[") >= len(ids)


@pytest.mark.parametrize(
    "text",
    [
        "### 1. a\n- Scope: " + "a," * 200_000,
        "### 1. a\n- Scope: " + "{," * 200_000,
        "### 1. a\n- Checks: " + "` `` " * 80_000,
        "### 1. a\n- Depends on: " + " 1" * 200_000,
        "### 1. a\n- Type: " + "(" * 300_000,
        "### " + "9" * 500_000,
        "### " + "*" * 500_000,
        "- " * 200_000,
        ">" * 200_000,
        "### 1. a\n" + "".join(f"- l{number:06}: x\n" for number in range(20_000)),
    ],
    ids=lambda text: ascii(text[-12:]),
)
@pytest.mark.timeout(60)
def test_text_made_to_be_slow_is_not(text: str) -> None:
    assert examine(parse(text, "plan.md")).problems
