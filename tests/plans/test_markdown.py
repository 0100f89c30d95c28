"""What people write, and the tasks it is read as."""

# ruff: noqa: RUF001 - full-width characters are what is tested

import pytest

from teamlead.core.model import Budget, Plan
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine

ENGLISH = """\
# Login for the shop

### 1. Add the user table
The table holds users.

- Branch: feature/users
- Scope: src/db/, src/models/
- Acceptance:
  - the migration runs twice
  - old rows stay
- Checks: `make lint`, `make test`
- Depends on: none
- Type: implementation
- Role: builder
- Form: design
- Agent: codex
- Model: large-2
- Effort: high
- Arguments: `--verbose 'a b'`
- Budget: 5 usd, 200k tokens
- Context: see docs/db.md
- Estimate: 2 hours
- Description: Keep it small.

### 2. Find out about mail
- Scope: none
- Type: investigation
- Depends on: 1
- Acceptance: we know the cost
"""
JAPANESE = """\
# Login for the shop

### タスク1：Add the user table
The table holds users.

- ブランチ： feature/users
- スコープ: src/db/、src/models/
- 受け入れ条件:
  - the migration runs twice
  - old rows stay
- 検証: `make lint`、`make test`
- 依存関係: なし
- 種別: 実装
- 役割: builder
- 報告形式: 設計
- エージェント: codex
- モデル: large-2
- 推論レベル: high
- 引数: `--verbose 'a b'`
- 予算: 5ドル、200k トークン
- 背景：see docs/db.md
- 所要時間: 2時間
- 説明: Keep it small.

### タスク2：Find out about mail
- 対象: なし
- タイプ: 調査
- 依存: タスク1
- 完了条件: we know the cost
"""
KOREAN = """\
# Login for the shop

### 작업 1: Add the user table
The table holds users.

- 브랜치: feature/users
- 범위: src/db/， src/models/
- 수용 기준:
  - the migration runs twice
  - old rows stay
- 검사: `make lint`, `make test`
- 의존성: 없음
- 유형: 구현
- 역할: builder
- 양식: 설계
- 에이전트: codex
- 모델: large-2
- 추론 수준: high
- 추가 인수: `--verbose 'a b'`
- 예산: 5달러, 200k 토큰
- 배경: see docs/db.md
- 예상 시간: 2시간
- 설명: Keep it small.

### 작업 2: Find out about mail
- 범위: 없음
- 유형: 조사
- 의존: 작업 1
- 인수 조건: we know the cost
"""


def read(text: str) -> Plan:
    """The plan of a text that has no errors."""
    plan, problems = examine(parse(text, "plan.md"))
    assert [problem for problem in problems if problem.severity == "error"] == []
    return plan


def titles(text: str) -> dict[str, str]:
    return {task.id: task.title for task in read(text).tasks}


def test_every_label_reaches_its_place_in_the_task() -> None:
    plan, problems = examine(parse(ENGLISH, "plan.md"))
    assert problems == []
    assert (plan.title, plan.source, plan.text) == ("Login for the shop", "plan.md", ENGLISH)
    first, second = plan.tasks
    assert first.id == "task-1"
    assert first.title == "Add the user table"
    assert first.description == "Keep it small.\n\nThe table holds users."
    assert first.scope == ("src/db/", "src/models/")
    assert first.acceptance == ("the migration runs twice", "old rows stay")
    assert first.checks == ("make lint", "make test")
    assert first.depends_on == ()
    assert (first.role, first.form, first.agent, first.model) == ("builder", "design", "codex", "large-2")
    assert (first.effort, first.arguments) == ("high", ("--verbose", "a b"))
    assert first.budget == Budget(cost_usd=5, tokens=200_000)
    assert (first.branch, first.context, first.hours) == ("feature/users", "see docs/db.md", 2.0)
    assert (second.type, second.scope, second.depends_on) == ("investigation", (), ("task-1",))


@pytest.mark.parametrize("text", [JAPANESE, KOREAN], ids=["Japanese", "Korean"])
def test_the_same_plan_in_another_language_is_the_same_plan(text: str) -> None:
    assert read(text).tasks == read(ENGLISH).tasks


def test_a_short_japanese_plan_with_an_ellipsis_is_read_as_it_stands() -> None:
    task_text = "### 1. 認証機能の実装\n- ブランチ: feature/auth\n- スコープ: src/auth/\n...\n"
    plan = read(f"# テスト計画\n## タスク\n{task_text}")
    (task,) = plan.tasks
    assert plan.title == "テスト計画"
    assert (task.id, task.title, task.description) == ("task-1", "認証機能の実装", "認証機能の実装")
    assert (task.branch, task.scope) == ("feature/auth", ("src/auth/",))


@pytest.mark.parametrize(
    "heading",
    [
        "### 1. Sign in",
        "### 1) Sign in",
        "### １．Sign in",
        "### 1 - Sign in",
        "### 01. Sign in",
        "### #1 Sign in",
        "### task-1: Sign in",
        "### Task 1 - Sign in",
        "### TASK 1: Sign in",
        "### **1. Sign in**",
        "### [ ] 1. `Sign in`",
        "### Task: Sign in",
        "## 1. Sign in",
        "#### 1. Sign in",
        "- [ ] 1. Sign in",
        "- [ ] task-1: Sign in",
        "* [ ] Sign in",
        "- [ ] **Sign in**",
    ],
)
def test_a_task_may_be_written_in_many_ways(heading: str) -> None:
    assert titles(f"# Plan\n\n{heading}\n") == {"task-1": "Sign in"}


def test_tasks_without_a_number_get_the_free_ones_in_order() -> None:
    text = "- [ ] a\n- [ ] 2. b\n- [ ] c\n- [ ] 1. d\n- [ ] e\n"
    assert titles(text) == {"task-3": "a", "task-2": "b", "task-4": "c", "task-1": "d", "task-5": "e"}


def test_checkboxes_carry_labels_as_nested_bullets() -> None:
    sign_in = "- [ ] 1. Sign in\n  More words.\n  - Scope: src/\n  - Checks: make test\n"
    first, second = read(f"{sign_in}- [ ] 2. Mail\n  - Depends on: 1\n").tasks
    assert (first.description, first.scope, first.checks) == ("More words.", ("src/",), ("make test",))
    assert second.depends_on == ("task-1",)


def test_a_numbered_list_whose_items_have_labels_holds_tasks() -> None:
    assert titles("# Plan\n1. Sign in\n   - Scope: src/\n2. Mail\n") == {
        "task-1": "Sign in",
        "task-2": "Mail",
    }


def test_a_bare_numbered_list_holds_no_tasks() -> None:
    assert parse("# テスト計画\n1. ファイル探索\n2. 簡単な実装\n", "plan.md").tasks == []


def test_numbered_sections_around_the_tasks_are_not_tasks() -> None:
    text = "# Plan\n## 1. Overview\nWhy.\n## 2. Tasks\n### 1. a\n### 2. b\n## 3. Risks\n- [ ] none known\n"
    assert titles(text) == {"task-1": "a", "task-2": "b"}


def test_numbered_steps_inside_a_labelled_task_are_its_description() -> None:
    (task,) = read("## 1. Sign in\n- Scope: src/\n### 1. First step\nDo it.\n").tasks
    assert task.description == "### 1. First step\n\nDo it."


def test_headings_without_numbers_in_the_tasks_section_are_tasks_and_groups_are_not() -> None:
    assert titles("# P\n## Tasks\n### Sign in\ntext\n### Mail\n") == {"task-1": "Sign in", "task-2": "Mail"}
    assert titles("# P\n## Tasks\n### Phase one\n- [ ] Sign in\n") == {"task-1": "Sign in"}


def test_text_after_the_tasks_belongs_to_no_task() -> None:
    (task,) = read("### 1. a\nInside.\n## Notes\nOutside.\n- [ ] not a task\n").tasks
    assert task.description == "Inside."


def test_an_example_in_a_code_block_or_comment_is_not_a_task() -> None:
    assert titles("### 1. a\n```\n### 2. b\n```\n<!--\n### 3. c\n-->\n") == {"task-1": "a"}


@pytest.mark.parametrize(
    "label",
    [
        "- Scope: src/",
        "- **Scope**: src/",
        "- **Scope:** src/",
        "- __scope__：`src/`",
        "* SCOPE (paths): src/",
        "**Scope:** src/",
    ],
)
def test_labels_may_be_bold_and_in_any_case(label: str) -> None:
    assert read(f"### 1. a\n{label}\n").tasks[0].scope == ("src/",)


@pytest.mark.parametrize(
    "scope",
    [
        "- Scope: src/**, docs/*.md",
        "- Scope: `src/**`, docs/*.md",
        "- Scope: `src/**` `docs/*.md`",
        "- Scope:\n  - src/** (new)\n  - `docs/*.md`",
        "- Scope: src/**,\n  docs/*.md",
        "- Scope: src/\\*\\*, docs/\\*.md",
        "#### Scope\n- src/**\n- docs/*.md",
        "**Scope:**\n\n- src/**\n- docs/*.md",
        "- Scope:\n  ```\n  src/**\n  docs/*.md\n  ```",
    ],
)
def test_several_paths_may_be_given_in_many_ways(scope: str) -> None:
    assert read(f"### 1. a\n{scope}\n").tasks[0].scope == ("src/**", "docs/*.md")


@pytest.mark.parametrize(
    "checks",
    [
        '- Checks: `pytest -k "a, b"`, `make lint`',
        '- Checks:\n  - pytest -k "a, b"\n  - `make lint`',
        '- Checks:\n  ```sh\n  # first\n  $ pytest \\\n      -k "a, b"\n  make lint\n  ```',
        '#### Checks\n```\npytest -k "a, b"\nmake lint\n```',
    ],
)
def test_several_commands_may_be_given_in_many_ways(checks: str) -> None:
    assert read(f"### 1. a\n{checks}\n").tasks[0].checks == ('pytest -k "a, b"', "make lint")


def test_acceptance_is_prose_and_keeps_its_commas() -> None:
    (task,) = read("### 1. a\n- 完了条件: ログインでき、エラーも出る\n").tasks
    assert task.acceptance == ("ログインでき、エラーも出る",)


def test_acceptance_defaults_to_the_checks() -> None:
    assert read("### 1. a\n- Checks: make test\n").tasks[0].acceptance == ("make test",)


@pytest.mark.parametrize(
    "depends",
    [
        "1, 2",
        "task-1、task-2",
        "#1 and #2",
        "Tasks 1; `task 2`",
        "1. One, 2. Two",
        "\n  - 1\n  - 2",
        "1と2",
        "1 및 2",
    ],
)
def test_dependencies_may_be_named_in_many_ways(depends: str) -> None:
    text = f"### 1. One\n### 2. Two\n### 3. c\n- Depends on: {depends}\n"
    assert read(text).tasks[2].depends_on == ("task-1", "task-2")


def test_depends_on_needs_no_colon() -> None:
    assert read("### 1. a\n### 2. b\n- Scope: src/\n- Depends on task-1\n").tasks[1].depends_on == ("task-1",)


@pytest.mark.parametrize(
    ("written", "hours"),
    [("2", 2), ("1.5 h", 1.5), ("30m", 0.5), ("3時間", 3), ("45 분", 0.75), ("8 hours", 8)],
)
def test_estimates_may_be_hours_or_minutes(written: str, hours: float) -> None:
    assert read(f"### 1. a\n- Estimate: {written}\n").tasks[0].hours == hours


def test_unlabelled_text_below_a_task_is_kept_as_its_description() -> None:
    bullets = "- plain bullet\n  - nested\n- See http://x.example/: it helps\n"
    description = read(f"### 1. a\nFirst.\n\n{bullets}\n```\ncode\n```\n").tasks[0].description
    assert description.split("\n\n") == [
        "First.",
        "- plain bullet\n  - nested",
        "- See http://x.example/: it helps",
        "```\ncode\n```",
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("intro\n\n## Second\n# The plan\n### 1. a\n", "The plan"),
        ("intro\n\n## Second\n### 1. a\n", "Second"),
        ("\n\nFirst line\nsecond\n", "First line"),
        ("x" * 150, "x" * 100),
        ("\ufeff# The plan\r\n### 1. a\r\n", "The plan"),
    ],
)
def test_the_title_is_the_first_h1_else_the_first_heading_else_the_first_line(text: str, title: str) -> None:
    assert parse(text, "plan.md").title == title


def test_an_agent_may_be_a_whole_command_line() -> None:
    (task,) = read("### 1. a\n- Scope: src/\n- Checks: make\n- Agent: `acp:opencode acp --pure`\n").tasks
    assert task.agent == "acp:opencode acp --pure"


@pytest.mark.parametrize(
    ("label", "word", "critical"),
    [
        ("Critical", "no", False),
        ("Critical", "yes", True),
        ("必須", "いいえ", False),
        ("必須", "はい", True),
        ("필수", "아니오", False),
        ("필수", "예", True),
    ],
)
def test_a_task_says_whether_the_plan_can_do_without_it(label: str, word: str, *, critical: bool) -> None:
    plan = read(f"# Plan\n\n### 1. One\n- Scope: src/\n- Checks: true\n- {label}: {word}\n")
    assert plan.tasks[0].critical is critical


@pytest.mark.parametrize(
    ("label", "word"), [("Approved by", "you"), ("承認者", "あなた"), ("승인자", "사용자")]
)
def test_a_task_says_that_its_user_accepts_its_work(label: str, word: str) -> None:
    plan = read(f"# Plan\n\n### 1. One\n- Scope: src/\n- Checks: true\n- {label}: {word}\n")
    assert plan.tasks[0].approved_by_user


@pytest.mark.parametrize("label", ["Outputs", "Deliverables", "成果物", "산출물"])
def test_outputs_are_paths_that_the_task_must_leave(label: str) -> None:
    plan = read(f"# Plan\n\n### 1. One\n- Scope: docs/\n- {label}: docs/api.md, `docs/*.svg`\n")
    assert plan.tasks[0].outputs == ("docs/api.md", "docs/*.svg")
    assert plan.tasks[0].scope == ("docs/",)
