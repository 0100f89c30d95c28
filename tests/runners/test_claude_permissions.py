from pathlib import Path

import pytest

from teamlead.core.model import TOOLS, ToolPolicy
from teamlead.runners.claude.permissions import Gate, tool_names


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    (folder / "src").mkdir(parents=True)
    return folder


def test_every_tool_of_a_policy_has_names() -> None:
    for tool in TOOLS:
        assert tool_names(ToolPolicy(tools=(tool,)))


@pytest.mark.parametrize(
    ("name", "key"),
    [("Write", "file_path"), ("Edit", "file_path"), ("NotebookEdit", "notebook_path")],
)
@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("src/a", True),
        ("{copy}/src/a", True),
        ("src/new/deep/a", True),
        ("inside/a", True),
        ("a", False),
        ("src/../a", False),
        ("../copy/src/a", True),
        ("../src/a", False),
        ("outside/a", False),
        ("src/link", False),
        ("/etc/hosts", False),
        ("~/a", False),
    ],
)
def test_an_edit_is_judged_by_where_it_really_ends(
    copy: Path, name: str, key: str, path: str, allowed: bool
) -> None:
    (copy / "inside").symlink_to(copy / "src")
    (copy / "outside").symlink_to(copy.parent)
    (copy / "src" / "link").symlink_to(copy.parent / "elsewhere")
    gate = Gate(ToolPolicy(), ("src/",), copy)
    refused = gate.refusal(name, {key: path.format(copy=copy)}, str(copy))
    assert (refused == "") is allowed


def test_a_relative_path_counts_from_where_the_agent_is(copy: Path) -> None:
    gate = Gate(ToolPolicy(), ("src/",), copy)
    assert gate.refusal("Write", {"file_path": "a"}, str(copy / "src")) == ""
    assert gate.refusal("Write", {"file_path": "a"}, str(copy)) != ""


def test_a_copy_that_is_reached_over_a_link_is_the_copy(copy: Path) -> None:
    (copy.parent / "other").symlink_to(copy)
    gate = Gate(ToolPolicy(), ("src/",), copy.parent / "other")
    assert gate.refusal("Write", {"file_path": str(copy / "src" / "a")}, str(copy)) == ""


def test_tools_of_the_team_are_always_allowed_and_those_we_do_not_know_only_to_those_who_may_do_all(
    copy: Path,
) -> None:
    reader = Gate(ToolPolicy(tools=("read",)), ("**",), copy)
    assert reader.refusal("mcp__team__report_progress", {}, "") == ""
    assert reader.refusal("mcp__other__report_progress", {}, "") != ""
    assert Gate(ToolPolicy(), ("**",), copy).refusal("mcp__other__report_progress", {}, "") == ""


def test_a_command_is_judged_as_a_command(copy: Path) -> None:
    gate = Gate(ToolPolicy(commands="audit"), ("**",), copy)
    assert gate.refusal("Bash", {"command": "git status"}, str(copy)) == ""
    assert gate.refusal("Bash", {"command": "git commit -m x"}, str(copy)) != ""


@pytest.mark.parametrize("given", [{}, {"file_path": 7}, {"file_path": ""}, {"file_path": "a\0b"}])
def test_an_edit_that_names_no_file_is_refused(copy: Path, given: dict[str, object]) -> None:
    assert Gate(ToolPolicy(), ("src/",), copy).refusal("Write", given, str(copy)) != ""
