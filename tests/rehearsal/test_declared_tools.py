"""Steps as calls of the tools which a request declares; the commands are run to see what they do."""

import subprocess
from pathlib import Path

import pytest

from teamlead.rehearsal.conversation import Tool
from teamlead.rehearsal.declared_tools import Toolbox
from teamlead.runners.script_steps import Step

SHELL = Toolbox(commands="exec_command")


def run(step: Step, place: Path) -> int:
    command = SHELL.call(step, {}, None).input["cmd"]
    return subprocess.run(["sh", "-c", command], cwd=place, check=False).returncode


@pytest.mark.parametrize("text", ["", "no newline", "a 'quoted' $HOME `x` \\n %s\n", "Größe\n\n"])
def test_written_and_appended_text_arrives_intact(tmp_path: Path, text: str) -> None:
    assert run({"write": "new folder/a'b", "text": text}, tmp_path) == 0
    assert run({"append": "new folder/a'b", "text": text}, tmp_path) == 0
    assert (tmp_path / "new folder/a'b").read_text() == text * 2


def test_files_are_touched_and_deleted(tmp_path: Path) -> None:
    run({"touch": "deep/-f"}, tmp_path)
    assert (tmp_path / "deep/-f").exists()
    run({"delete": "deep/-f"}, tmp_path)
    assert not (tmp_path / "deep/-f").exists()
    assert run({"delete": "deep/-f"}, tmp_path) != 0


def test_everything_is_committed(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    run({"write": "a", "text": "1"}, tmp_path)
    assert run({"commit": "It's done"}, tmp_path) == 0
    log = subprocess.run(["git", "log", "--format=%s"], cwd=tmp_path, check=True, capture_output=True)
    assert log.stdout == b"It's done\n"


def test_waiting_for_a_file_is_bounded(tmp_path: Path) -> None:
    assert run({"wait_for": "go", "seconds": 0.1}, tmp_path) == 1
    run({"touch": "go"}, tmp_path)
    assert run({"wait_for": "go"}, tmp_path) == 0


@pytest.mark.parametrize(
    ("declared", "key"),
    [
        ("Bash", "command"),
        ("exec_command", "cmd"),
        ("shell_command", "command"),
        ("run_shell_command", "command"),
    ],
)
def test_commands_go_to_the_shell_that_is_declared(declared: str, key: str) -> None:
    call = SHELL.call({"run": "make"}, {declared: Tool(declared)}, None)
    assert (call.tool.name, call.input[key]) == (declared, "make")


def test_a_patch_is_used_where_a_program_declares_it() -> None:
    patch = Tool("apply_patch", free_form=True)
    call = SHELL.call({"write": "a/b", "text": "one\n\ntwo\n"}, {"apply_patch": patch}, None)
    assert call.tool is patch
    assert call.input["input"] == "*** Begin Patch\n*** Add File: a/b\n+one\n+\n+two\n*** End Patch\n"


@pytest.mark.parametrize(
    "declared",
    [
        {"mcp__team__ask_human": Tool("ask_human", "mcp__team")},
        {"other__ask_human": Tool("other__ask_human"), "mcp_team_ask_human": Tool("mcp_team_ask_human")},
    ],
)
def test_a_tool_of_the_team_is_found_by_whatever_name_a_program_gives_it(declared: dict[str, Tool]) -> None:
    call = SHELL.call({"ask": "Which?"}, declared, None)
    assert call.tool is list(declared.values())[-1]
