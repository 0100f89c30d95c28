"""Files that are plans, and files that are not."""

from pathlib import Path

import pytest

from teamlead.errors import NotFound, PlanError
from teamlead.markup.files import MAX_BYTES
from teamlead.plans.load import load, require

GOOD = "### 1. a\n- Scope: src/\n- Checks: make test\n"


def test_a_good_plan_is_loaded_with_its_source(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    path.write_text(GOOD)
    plan, warnings = require(path)
    assert (plan.source, [task.id for task in plan.tasks], warnings) == (str(path), ["task-1"], [])


def test_warnings_are_ready_to_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.md").write_text("### 1. a\n- Scope: src/\n")
    (warning,) = require("plan.md").warnings
    assert warning.startswith("plan.md:1: warning: task-1 has no acceptance and no checks (say how")


def test_a_plan_with_errors_is_refused_with_every_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.md").write_text("### 1. a\n- Scope: /x\n- Type: y\n- Checks: make test\n")
    with pytest.raises(PlanError) as caught:
        require("plan.md")
    assert caught.value.message == "the plan 'plan.md' has 2 errors"
    assert [line.partition(" (")[0] for line in caught.value.problems] == [
        "plan.md:2: error: scope '/x' is absolute",
        "plan.md:3: error: unknown type 'y'",
    ]


def test_a_plan_without_tasks_is_refused_with_an_example(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    path.write_text("# テスト計画\n1. ファイル探索\n2. 簡単な実装\n")
    with pytest.raises(PlanError, match=r"(?s)no recognisable tasks.*### 1\. .*- Scope: "):
        require(path)


def test_a_missing_file_is_not_found_by_name(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"gone\.md"):
        load(tmp_path / "gone.md")


def test_bytes_that_are_not_utf8_are_named_with_line_and_position(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    path.write_bytes(b"# a\nb \xff c\n")
    with pytest.raises(PlanError, match=r"plan\.md:2: error: not UTF-8 text: byte 0xff at position 6"):
        load(path)


def test_a_folder_is_not_a_plan(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="is a folder"):
        load(tmp_path)


def test_a_path_that_no_system_can_open_is_refused() -> None:
    with pytest.raises(PlanError, match="cannot read"):
        load("a\0b")


def test_a_plan_may_be_one_mebibyte_and_not_more(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    path.write_text(GOOD + "x" * (MAX_BYTES - len(GOOD)))
    assert load(path).ok
    path.write_text(GOOD + "x" * (MAX_BYTES - len(GOOD) + 1))
    with pytest.raises(PlanError, match="larger than 1 MiB"):
        load(path)
