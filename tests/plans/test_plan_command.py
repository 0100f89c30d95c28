"""`teamlead plan check` and `teamlead plan graph`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from teamlead.cli.plan import plan
from teamlead.errors import NotFound, PlanError

LABELS = "- Scope: src/\n- Checks: make test\n"
GOOD = f"# P\n### 1. a\n{LABELS}### 2. b\n{LABELS}- Depends on: 1\n"
WARNED = "### 1. a\n- Scope: src/\n"
BAD = "### 1. a\n- Scope: src/\n- Checks: x\n- Type: magic\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("good.md", GOOD), ("warned.md", WARNED), ("bad.md", BAD)):
        (tmp_path / name).write_text(text)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(plan, arguments)


def test_check_of_a_good_plan_prints_one_line_and_succeeds() -> None:
    result = run("check", "good.md")
    assert (result.exit_code, result.stdout) == (0, "good.md: 2 tasks, 0 errors, 0 warnings\n")


def test_check_succeeds_with_warnings() -> None:
    result = run("check", "warned.md")
    assert result.exit_code == 0
    assert result.stdout.startswith("warned.md:1: warning: task-1 has no acceptance and no checks (")
    assert result.stdout.endswith("warned.md: 1 task, 0 errors, 1 warning\n")


def test_check_of_a_plan_with_errors_lists_them_and_exits_2() -> None:
    result = run("check", "bad.md")
    assert result.exit_code == 2
    assert "bad.md:4: error: unknown type 'magic' (use one of:" in result.stdout


def test_check_as_json_tells_tasks_and_problems() -> None:
    result = run("check", "bad.md", "--json")
    assert result.exit_code == 2
    document = json.loads(result.stdout)
    assert (document["schema_version"], document["file"], document["ok"]) == (1, "bad.md", False)
    assert [task["id"] for task in document["tasks"]] == ["task-1"]
    (problem,) = document["problems"]
    assert set(problem) == {"line", "severity", "message", "remedy"}
    assert (problem["line"], problem["severity"]) == (4, "error")
    assert json.loads(run("check", "good.md", "--json").stdout)["ok"] is True


@pytest.mark.parametrize("command", ["check", "graph"])
def test_a_missing_file_is_not_found(command: str) -> None:
    result = run(command, "gone.md")
    assert isinstance(result.exception, NotFound)
    assert "gone.md" in str(result.exception)


def test_graph_draws_the_waves() -> None:
    result = run("graph", "good.md")
    assert result.exit_code == 0
    assert result.stdout.split("\n")[3:5] == ["wave 1  ○  task-1  a", "wave 2  ●  task-2  b  ← task-1"]


def test_graph_speaks_mermaid() -> None:
    assert "    task_1 --> task_2\n" in run("graph", "good.md", "--format", "mermaid").stdout


def test_graph_as_json_tells_tasks_what_they_depend_on_and_waves() -> None:
    document = json.loads(run("graph", "good.md", "--json").stdout)
    assert document["schema_version"] == 1
    found = {task["id"]: task["depends_on"] for task in document["tasks"]}
    assert found == {"task-1": [], "task-2": ["task-1"]}
    assert document["waves"] == [["task-1"], ["task-2"]]
    assert (document["longest_chain"], document["longest_chain_hours"]) == (["task-1", "task-2"], 2.0)
    assert document["stages"] == [{"name": "", "tasks": ["task-1", "task-2"]}]


def test_graph_as_json_tells_the_stages_in_their_order_with_their_tasks(tmp_path: Path) -> None:
    stages = ("Build", "Review", "build")
    tasks = "".join(f"### {n}. a\n{LABELS}- Stage: {name}\n" for n, name in enumerate(stages, 1))
    (tmp_path / "staged.md").write_text(tasks)
    assert json.loads(run("graph", "staged.md", "--json").stdout)["stages"] == [
        {"name": "Build", "tasks": ["task-1", "task-3"]},
        {"name": "Review", "tasks": ["task-2"]},
    ]


def test_graph_of_a_plan_with_errors_is_refused() -> None:
    result = run("graph", "bad.md")
    assert isinstance(result.exception, PlanError)
    assert any(line.startswith("bad.md:4: error:") for line in result.exception.problems)


def test_control_characters_of_a_plan_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "evil.md").write_text("### 1. a\n- Scope: src/\n- Checks: x\n- Type: \x1b[31mred\x07\n")
    result = run("check", "evil.md")
    assert result.exit_code == 2
    assert not set(result.stdout) & {"\x1b", "\x07"}


def test_help_shows_the_form_of_a_task_without_importing_the_parser() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "teamlead", "plan", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "- Depends on: 1" in done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "teamlead.cli.output" in imported
    assert not imported & {"markdown_it", "msgspec", "asyncio", "teamlead.plans"}
