"""Every problem is found at once, with its line and a remedy."""

import pytest

from teamlead.markup.problems import Problem
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine

GOOD = "- Scope: src/\n- Checks: make test\n"


def problems(text: str) -> list[Problem]:
    return examine(parse(text, "plan.md")).problems


def task(number: int, *bullets: str) -> str:
    """Four lines and one for each bullet."""
    return f"### {number}. Title {number}\n{GOOD}" + "".join(f"- {bullet}\n" for bullet in bullets) + "\n"


@pytest.mark.parametrize(
    ("text", "line", "severity", "message", "remedy"),
    [
        (task(1) + task(1), 5, "error", "task-1 is there already, on line 1", "its own number"),
        (task(0), 1, "error", "'task-0' is not a task id", "from 1"),
        ("### task-abc: x\n" + GOOD, 1, "error", "'task-abc' is not a task id", "from 1"),
        (task(1) + task(2, "Depends on: 9"), 8, "error", "task-2 depends on 'task-9'", "nearest is task-2"),
        (task(1) + task(2, "Depends on: Title 1"), 8, "error", "depends on 'Title 1'", "by number: task-1"),
        (task(1) + task(2, "Depends on: 1-2"), 8, "error", "depends on '1-2'", "separated by commas"),
        (task(1, "Depends on: 1"), 4, "error", "task-1 depends on itself", "remove"),
        (
            task(1, "Depends on: 2") + task(2, "Depends on: 1"),
            4,
            "error",
            "task-1 → task-2 → task-1",
            "remove one",
        ),
        (task(1, "Type: magic"), 4, "error", "unknown type 'magic'", "investigation"),
        (task(1, "Form: desing"), 4, "error", "unknown form 'desing'", "did you mean 'design'?"),
        (
            task(1, "Form: poem"),
            4,
            "error",
            "unknown form 'poem'",
            "use one of: summary, exploration, design",
        ),
        (task(1, "Brnach: x"), 4, "warning", "unknown label 'Brnach'", "'Branch'"),
        (task(1, "ブランチー: x"), 4, "warning", "unknown label 'ブランチー'", "'ブランチ'"),
        (task(1, "Colour: x"), 4, "warning", "unknown label 'Colour'", "description"),
        (
            task(1, "Scope: docs/"),
            4,
            "error",
            "'Scope' is given twice for this task, first on line 2",
            "keep one",
        ),
        (f"### 1.\n{GOOD}", 1, "error", "task-1 has no title", "task-1:"),
        (f"### 1. {'x' * 201}\n{GOOD}", 1, "warning", "201 characters", "shorten"),
        (task(1, "Estimate: 0.4"), 4, "error", "0.4 h is out of range", "0.5 to 8"),
        (task(1, "Estimate: 9h"), 4, "error", "9 h is out of range", "0.5 to 8"),
        (task(1, "Estimate: soon"), 4, "error", "cannot read the estimate 'soon'", "hours"),
        (task(1, "Estimate: 5"), 4, "warning", "5 h, more than 4", "splitting"),
        (task(1, "Branch:"), 4, "warning", "'Branch' is empty", "remove"),
        (task(1, "Branch:\n  - a\n  - b"), 4, "error", "'Branch' takes one value, not 2", "keep one"),
        (task(1, "Agent: -x"), 4, "error", "'-x' cannot be the agent", "begins with a letter"),
        (task(1, "Agent: claude code"), 4, "error", "'claude code' cannot be the agent", "one word"),
        (task(1, "Effort: heroic"), 4, "error", "unknown effort 'heroic'", "low, medium, high"),
        (
            task(1, "Outputs: ../report.md"),
            4,
            "error",
            "outputs '../report.md' leaves the repository",
            "below",
        ),
        (task(1, "Approved by: Bob"), 4, "error", "nobody is called 'Bob' who", "Approved by: you"),
        (task(1, "Critical: maybe"), 4, "error", "'Critical' takes yes or no", "Critical: no"),
        (task(1, "Budget: 5"), 4, "error", "'5' is no amount", "200k tokens"),
        (task(1, "Budget:\n  - 5 usd\n  - 6 usd"), 5, "error", "two amounts of one kind", "200k tokens"),
        (task(1, "Arguments: `--a 'b`"), 4, "error", "cannot read the arguments", "as for a shell"),
        (task(1, "Model: --yolo"), 4, "error", "'--yolo' cannot be the model", "begins with a letter"),
        ("### 1. a\n- Checks: make test\n", 1, "warning", "no scope", "Scope: src/auth/"),
        ("### 1. a\n- Scope: none\n- Checks: make test\n", 2, "error", "may change nothing", "investigation"),
        ("### 1. a\n- Scope: src/\n", 1, "warning", "no acceptance and no checks", "Checks: make test"),
        (
            "### 1. a\n- Scope: src/\n- 検証: 手動で見る\n",
            3,
            "warning",
            "not look like a command",
            "Acceptance",
        ),
        (
            "### 1. a\n- Scope: src/\n- Checks: run `x` now\n",
            3,
            "warning",
            "only what stands in backticks",
            "whole",
        ),
        (
            "- [x] old\n- [ ] new\n  " + GOOD.replace("\n", "\n  "),
            1,
            "warning",
            "task-1 is ticked off",
            "untick",
        ),
        (
            "# P\n## Ideas\n- Scope: src/\n### 1. a\n" + GOOD,
            2,
            "warning",
            "'Ideas' has the bullets",
            "number it",
        ),
        (task(1) + "### Extra\n" + GOOD, 5, "warning", "'Extra' has no number", "number it"),
        ("", 1, "error", "the plan is empty", "### 1."),
        ("# P\n1. a\n2. b\n", 1, "error", "no recognisable tasks were found", "- Scope: src/login/"),
        ("- [x] done\n", 1, "error", "every task is ticked off", "untick"),
    ],
)
def test_a_problem_is_named_with_its_line_and_remedy(
    text: str, line: int, severity: str, message: str, remedy: str
) -> None:
    found = [p for p in problems(text) if message in p.message]
    assert [(p.line, p.severity) for p in found] == [(line, severity)]
    assert remedy in found[0].remedy


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/etc/passwd", "absolute"),
        ("~/x", "absolute"),
        ("C:/x", "absolute"),
        ("../x", "`..`"),
        ("src/../../x", "`..`"),
        ("--force", "dash"),
        (".git/hooks", "git's own"),
        ("src/{a,b}", "braces"),
    ],
)
def test_a_scope_outside_the_repository_is_refused(path: str, reason: str) -> None:
    text = f"### 1. a\n- Checks: make test\n- Scope:\n  - src/\n  - {path}\n"
    plan, found = examine(parse(text, "plan.md"))
    assert [(p.line, p.severity, reason in p.message) for p in found] == [(5, "error", True)]
    assert plan.tasks[0].scope == ("src/",)


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x7f", "\x85", "\u202e", "\u2066", "\u200f"])
def test_hidden_control_characters_are_an_error_on_their_line(character: str) -> None:
    (found,) = problems(task(1) + f"text {character} text\n")
    assert (found.line, found.severity) == (5, "error")
    assert f"U+{ord(character):04X}" in found.message


def test_tabs_and_windows_line_ends_are_no_problem() -> None:
    assert problems(task(1).replace("\n", "\r\n") + "a\tb\r\n") == []


def test_all_problems_are_listed_at_once_in_the_order_of_lines() -> None:
    text = task(1, "Type: magic", "Estimate: 9") + task(1, "Depends on: 7", "Scope: /x")
    found = problems(text)
    assert [(p.line, p.severity) for p in found] == [
        *((4, "error"), (5, "error"), (7, "error"), (10, "error"), (11, "error"), (11, "error")),
    ]


def test_every_knot_of_tasks_is_named_once() -> None:
    text = "".join(
        task(number, f"Depends on: {after}")
        for number, after in [(1, "2"), (2, "3, 1"), (3, "2"), (4, "none"), (5, "6, 1"), (6, "5")]
    )
    cycles = [p.message.partition(": ")[2] for p in problems(text) if "wait for each other" in p.message]
    assert cycles == ["task-2 → task-3 → task-2", "task-5 → task-6 → task-5"]


def test_a_very_long_cycle_is_shown_shortened() -> None:
    text = "".join(task(number, f"Depends on: {number % 50 + 1}") for number in range(1, 51))
    (message,) = [p.message for p in problems(text) if "wait for each other" in p.message]
    assert message.endswith("task-6 → (41 more) → task-48 → task-49 → task-50 → task-1")


def test_more_than_five_tasks_are_a_warning_at_the_sixth() -> None:
    assert problems("".join(map(task, range(1, 6)))) == []
    (found,) = problems("".join(map(task, range(1, 7))))
    assert (found.line, found.severity) == (21, "warning")


def test_a_ticked_task_is_left_out_and_nobody_waits_for_it() -> None:
    plan, found = examine(parse("- [x] 1. old\n- [ ] 2. new\n  - Depends on: 1\n", "plan.md"))
    assert [(t.id, t.depends_on) for t in plan.tasks] == [("task-2", ())]
    assert {p.severity for p in found} == {"warning"}


def test_numbered_steps_of_a_task_misspell_no_label() -> None:
    assert problems(task(1) + "1. First: this\n2. Then: that\n") == []


def test_an_investigation_needs_no_scope() -> None:
    assert problems("### 1. a\n- Type: 조사\n- Acceptance: we know\n") == []


def test_a_plan_of_five_thousand_tasks_is_read_in_full() -> None:
    text = "".join(task(number, f"Depends on: {number - 1 or 'none'}") for number in range(1, 5001))
    plan, found = examine(parse(text, "plan.md"))
    assert len(plan.tasks) == 5000
    assert plan.tasks[-1].depends_on == ("task-4999",)
    assert [p.severity for p in found] == ["warning"]


def test_a_task_hidden_below_another_one_is_pointed_out() -> None:
    text = "### 1. First\n- Scope: src/\n- Checks: make test\n- [ ] 2. Second\n  - Scope: docs/\n"
    (found,) = problems(text)
    assert (found.severity, found.line) == ("warning", 4)
    assert "has the bullets of a task but stands below another one" in found.message
