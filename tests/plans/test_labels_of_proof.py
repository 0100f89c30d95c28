"""What a plan says of tests and checks: what to leave alone, which may go, which nobody is told of."""

import pytest

from teamlead.core.model import TaskSpec
from teamlead.markup.problems import Problem
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine

HIDDEN = "pytest /home/ada/hidden -q"


def read(text: str) -> tuple[TaskSpec, list[Problem]]:
    plan, problems = examine(parse(text, "plan.md"))
    return plan.tasks[0], problems


@pytest.mark.parametrize(
    ("protect", "removes", "hidden"),
    [
        ("Protect", "Removes tests", "Hidden checks"),
        ("保護", "削除するテスト", "非公開チェック"),
        ("보호", "삭제할 테스트", "숨은 검사"),
    ],
    ids=["English", "Japanese", "Korean"],
)
def test_the_labels_exist_in_each_language(protect: str, removes: str, hidden: str) -> None:
    task, problems = read(
        f"# Plan\n\n### 1. One\n- Scope: src/\n- {protect}: tests/, `conftest.py`\n"
        f"- {removes}: `test_old`, `tests/legacy/`\n- {hidden}: `{HIDDEN}`\n"
    )
    assert problems == []
    assert task.protects == ("tests/", "conftest.py")
    assert task.removes_tests == ("test_old", "tests/legacy/")
    assert task.hidden_checks == (HIDDEN,)
    assert task.checks == ()


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        ("- Scope: src/\n- Protect: /etc", 5, "protects '/etc' is absolute"),
        (
            "- Scope: tests/unit/\n- Protect: tests/",
            5,
            "task-1 may change nothing: all of its scope is protected",
        ),
        (
            "- Scope: a\n- Checks: `make`\n- Hidden checks: `make`",
            6,
            "the hidden check 'make' stands under `Checks`",
        ),
        ("- Scope: a\n\nHidden checks: make", 6, "'Hidden checks' is not read here, and agents would see it"),
        ("- Scope: a\n\n## Notes\n\n- Hidden checks: `make`", 8, "'Hidden checks' is not read here"),
    ],
)
def test_what_cannot_be_meant_is_an_error_with_its_line(lines: str, line: int, says: str) -> None:
    _, problems = read(f"# Plan\n\n### 1. One\n{lines}\n")
    found = [problem for problem in problems if problem.severity == "error"]
    assert [problem.line for problem in found] == [line]
    assert says in found[0].message


@pytest.mark.parametrize(
    "written",
    [
        f"- Hidden checks: `{HIDDEN}`",
        f"- Hidden checks:\n  - `{HIDDEN}`",
        f"**Hidden checks:** `{HIDDEN}`",
        f"#### Hidden checks\n\n```sh\n{HIDDEN}\n```",
        f"**Hidden checks:**\n\n```\n{HIDDEN}\n```",
    ],
)
def test_agents_and_planners_see_the_document_without_hidden_checks(written: str) -> None:
    text = f"# Plan\n\nBe quick.\n\n### 1. One\n\nDo it.\n\n{written}\n\n### 2. Two\n- Scope: b\n"
    plan, _ = examine(parse(text, "plan.md"))
    assert plan.tasks[0].hidden_checks == (HIDDEN,)
    assert HIDDEN in plan.text
    assert "hidden" not in plan.wanted.lower()
    assert "Do it." in plan.wanted
    assert "### 2. Two" in plan.wanted
    assert plan.holds_for_all == "Be quick."
