"""A plan that is written reads back as the very same plan, whatever its texts hold."""

# ruff: noqa: RUF001 - full-width characters are what is tested

import os
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from teamlead.core.model import EFFORTS, TASK_FORMS, Budget, Plan, TaskSpec, TaskType
from teamlead.core.policy.paths import fault_of
from teamlead.markup.problems import Problem
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine
from teamlead.plans.writing import tidy, tidy_plan, write

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
NASTY = st.sampled_from(
    [
        *(
            "### 2. Another task\n",
            "- Scope: src/\n",
            "## Tasks\n",
            "**Checks:** `rm -rf x`\n",
            "Depends on 1",
        ),
        *("```\n", "````", "~~~\n", "`", "``", "<!--", "-->", "<div>\n", "> quoted\n", "- [x] ticked\n"),
        *(
            "\n",
            "\n\n",
            "\n   \n",
            "    ",
            "\t",
            "...",
            "…",
            "---\n",
            "===\n",
            "***",
            "**",
            "__",
            "#",
            " #",
            "\\",
        ),
        *("none", "-", "1. ", "task-3: ", "Task 1: ", "Tasks", "$ ", "# ", "[ ] ", "[link]: x\n", "|", "\\`"),
        *("\0", "\x1b[31m", "\u202e", "\u2028", "\x85", "\ufeff", "\u3000", "\xa0", "\r", "\r\n", "\ud800"),
        *("スコープ：a", "タスク", "、", "word", "a sentence. ", "é", "，", ":", "and"),
    ]
)
TEXT = st.lists(NASTY | st.text(max_size=6), max_size=8).map("".join)
PATH = st.lists(st.text("ab_-.*[] `é（", min_size=1, max_size=6), min_size=1, max_size=3).map("/".join)
NAME = st.from_regex(r"[a-z0-9][a-z0-9._\\-]{0,20}", fullmatch=True)
AMOUNT = st.floats(0.000001, 999999, allow_nan=False) | st.sampled_from([0.5, 5.0, 0.004, 1.234567])
BUDGET = st.builds(
    Budget,
    cost_usd=st.none() | AMOUNT,
    tokens=st.none() | st.integers(1, 10**9),
    seconds=st.none() | AMOUNT,
    turns=st.none() | st.integers(1, 10**6),
)


def usable(path: str) -> bool:
    return not fault_of(path.strip())


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    numbers = draw(
        st.lists(st.integers(1, 999_999_999) | st.integers(1, 9), min_size=1, max_size=4, unique=True)
    )
    ids = [f"task-{number}" for number in numbers]
    tasks = []
    for position, name in enumerate(ids):
        kind: TaskType = draw(st.sampled_from(get_args(TaskType)))
        tasks.append(
            TaskSpec(
                id=name,
                title=draw(TEXT),
                description=draw(TEXT),
                scope=tuple(
                    draw(st.lists(PATH.filter(usable), min_size=kind != "investigation", max_size=3))
                ),
                acceptance=tuple(draw(st.lists(TEXT, max_size=3))),
                checks=tuple(draw(st.lists(TEXT, max_size=3))),
                depends_on=tuple(draw(st.lists(st.sampled_from(ids[:position]), max_size=2)))
                if position
                else (),
                type=kind,
                role=draw(st.just("worker") | NAME),
                agent=draw(st.just("") | NAME | st.just("command:a `b` -c")),
                model=draw(st.just("") | NAME),
                form=draw(st.sampled_from(["", *TASK_FORMS])),
                effort=draw(st.sampled_from(["", *EFFORTS])),
                arguments=tuple(draw(st.lists(TEXT, max_size=2))),
                budget=draw(BUDGET),
                branch=draw(TEXT),
                context=draw(TEXT),
                hours=draw(st.floats(0.5, 8)),
                outputs=tuple(draw(st.lists(PATH.filter(usable), max_size=2))),
                critical=draw(st.booleans()),
                approved_by_user=draw(st.booleans()),
                protects=tuple(draw(st.lists(PATH.filter(usable).map("kept/{}".format), max_size=2))),
                removes_tests=tuple(draw(st.lists(TEXT, max_size=2))),
                hidden_checks=tuple(f"hidden {text}" for text in draw(st.lists(TEXT, max_size=2))),
            )
        )
    return Plan(title=draw(TEXT), text="", tasks=tuple(tasks))


def read_back(text: str) -> tuple[Plan, list[Problem]]:
    plan, problems = examine(parse(text, ""))
    return replace(plan, text="", common="", hidden_lines=()), [
        problem for problem in problems if problem.severity == "error"
    ]


@settings(deadline=None, max_examples=100 * SIZE)
@given(plans(), TEXT)
def test_whatever_a_plan_holds_it_reads_back_as_the_same_plan(plan: Plan, instruction: str) -> None:
    text = write(plan, instruction)
    assert text.encode()
    found, errors = read_back(text)
    assert errors == []
    assert found == tidy_plan(plan)
    assert write(found, instruction) == text


ORDINARY = TaskSpec(
    "task-1",
    "Add the login form",
    "A form with two fields.\n\nIt posts to /login.",
    scope=("src/login/", "tests/**"),
    acceptance=("a user can sign in", "a wrong password is refused"),
    checks=("make test", "echo `date`"),
    context="see docs/login.md",
    hours=2.5,
    outputs=("src/login/form.py",),
)


def test_an_ordinary_task_is_written_as_a_person_would_write_it() -> None:
    assert (
        write(Plan("Sign in", "", (ORDINARY,)), "add a login\nto the site")
        == """\
# Sign in

> add a login
> to the site

### 1. Add the login form

A form with two fields.

It posts to /login.

- Scope: src/login/, `tests/**`
- Acceptance:
  - a user can sign in
  - a wrong password is refused
- Checks:
  - `make test`
  - `` echo `date` ``
- Outputs: src/login/form.py
- Context: see docs/login.md
- Estimate: 2.5 h
"""
    )


def test_an_ordinary_task_is_tidy_as_it_is() -> None:
    assert tidy(ORDINARY) == ORDINARY


def test_what_is_tidy_stays_as_it_is() -> None:
    only_checked = tidy(replace(ORDINARY, acceptance=(), checks=("``", "make test")))
    assert only_checked.acceptance == only_checked.checks == ("``", "make test")
    assert tidy(only_checked) == only_checked


@pytest.mark.parametrize(
    "text", ["### 2. Another\n- Scope: **", "<!-- hidden", "- Checks: `rm -rf /`", "```\nopen"]
)
def test_a_text_cannot_become_another_task_or_another_label(text: str) -> None:
    hostile = replace(ORDINARY, description=text, context=text, acceptance=(text,))
    plan, _ = read_back(write(Plan("Sign in", "", (hostile, replace(ORDINARY, id="task-2")))))
    assert plan.tasks == (hostile, replace(ORDINARY, id="task-2"))


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Tasks", "### Task 1: Tasks"),
        ("C #", "### 1. C # #"),
        ("Task 2: more", "### 1. Task 2: more"),
        ("two\nlines", "### 1. two lines"),
    ],
)
def test_a_title_that_looks_like_something_else_stays_the_title_of_its_task(title: str, said: str) -> None:
    text = write(Plan("Plan", "", (replace(ORDINARY, title=title),)))
    assert said in text.splitlines()
    assert read_back(text)[0].tasks[0].title == " ".join(title.split())
