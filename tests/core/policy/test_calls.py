"""Which calls of an agent's tools are made, and what it is told about the others."""

import pytest

from teamlead.core.model import TOOLS, Tool, ToolPolicy
from teamlead.core.policy.calls import Call, may_change, refusal

EVERYTHING = ("**",)
ROOT = "/copies/one"
AUDIT = ToolPolicy(("read", "search", "shell"), commands="audit")


def edit(*paths: str, scope: tuple[str, ...] = EVERYTHING, writes: tuple[str, ...] = EVERYTHING) -> str:
    return refusal(ToolPolicy(writes=writes), scope, Call("edit", paths, root=ROOT))


def test_what_is_protected_is_read_and_not_edited() -> None:
    def asked(tool: Tool, *paths: str, scope: tuple[str, ...] = EVERYTHING) -> str:
        return refusal(ToolPolicy(), scope, Call(tool, paths, root=ROOT), ("tests/",))

    assert asked("read", "tests/a.py") == ""
    assert asked("edit", "src/a.py") == ""
    told = "tests/a.py is protected: your task may read tests/, and not change it"
    assert asked("edit", "tests/a.py") == told
    assert asked("edit", f"{ROOT}/src/../tests/a.py").startswith(f"{ROOT}/src/../tests/a.py is protected")
    assert asked("edit", "tests/a.py", scope=("tests/a.py",)) == ""
    assert asked("edit") == "an edit that does not name its file is not allowed: name the file"


@pytest.mark.parametrize("tool", TOOLS)
def test_a_worker_may_use_every_tool(tool: Tool) -> None:
    assert refusal(ToolPolicy(), EVERYTHING, Call(tool, ("src/a.py",), "rm -rf build")) == ""


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_that_is_not_in_the_policy_is_refused_with_what_is(tool: Tool) -> None:
    others: tuple[Tool, ...] = tuple(other for other in TOOLS if other != tool)
    said = refusal(ToolPolicy(others), EVERYTHING, Call(tool))
    assert said.startswith(f"the {tool} tool is not allowed in your role: use ")
    assert all(other in said.partition("use ")[2] for other in others)


def test_a_role_without_tools_still_talks_with_its_team() -> None:
    assert refusal(ToolPolicy(()), EVERYTHING, Call("team")) == ""
    assert refusal(ToolPolicy(()), EVERYTHING, Call("read")).endswith("use the team's tools")


def test_an_unknown_tool_is_for_those_alone_who_may_use_all() -> None:
    assert refusal(ToolPolicy(), EVERYTHING, Call("other")) == ""
    assert refusal(ToolPolicy(tuple(reversed(TOOLS))), EVERYTHING, Call("other")) == ""
    assert "is not allowed" in refusal(AUDIT, EVERYTHING, Call("other"))


@pytest.mark.parametrize(
    "path", ["src/a.py", "./src/a.py", f"{ROOT}/src/a.py", "docs/../src/a.py", "src/.gitkeep"]
)
def test_a_file_in_the_copy_is_edited(path: str) -> None:
    assert edit(path) == ""
    assert edit(path, scope=("src/",), writes=("src/**", "docs/")) == ""


@pytest.mark.parametrize(
    "path",
    [
        "../a.py",
        "src/../../a.py",
        "/etc/hosts",
        "/copies/other/a.py",
        "/copies/one-more/a.py",
        f"{ROOT}/../b",
        ROOT,
        ".",
    ],
)
def test_a_file_outside_of_the_copy_is_not(path: str) -> None:
    assert edit(path) == f"{path} is outside of your working copy: change files inside of it only"


@pytest.mark.parametrize(
    "path", [".git", ".git/hooks/pre-commit", "vendor/.git/config", f"{ROOT}/.GIT/config"]
)
def test_what_belongs_to_git_is_not_edited(path: str) -> None:
    assert edit(path) == f"{path} belongs to git: it must not be edited"


def test_both_the_task_and_the_role_must_allow_the_path() -> None:
    assert edit("docs/a.md", scope=("src/",)) == "docs/a.md is outside of what your task may change: src/"
    assert edit("src/a.py", writes=("docs/", "*.md")) == (
        "src/a.py is outside of what your role may change: docs/, *.md"
    )
    assert edit("src/a.py", writes=()) == "src/a.py is outside of what your role may change: nothing"


def test_one_bad_path_of_several_is_enough() -> None:
    assert edit("src/a.py", "../b.py").startswith("../b.py is outside")


def test_teamleads_own_folder_must_be_named() -> None:
    assert edit(".teamlead/config.toml").startswith(".teamlead/config.toml is outside")
    assert edit(".teamlead/config.toml", scope=(".teamlead/",)) == ""
    assert edit(".teamlead/config.toml", scope=(".teamlead/",), writes=("src/",)) != ""


def test_an_edit_of_unknown_files_is_for_those_alone_who_may_edit_all() -> None:
    assert edit() == ""
    assert edit(scope=("src/",)) == edit(writes=("src/",)) != ""


def test_an_audit_shell_takes_only_commands_that_read() -> None:
    assert refusal(AUDIT, EVERYTHING, Call("shell", command=f"cat {ROOT}/a", root=ROOT)) == ""
    assert "git diff" in refusal(AUDIT, EVERYTHING, Call("shell", command="git diff --output=x", root=ROOT))
    assert "shell (commands that read only)" in refusal(AUDIT, EVERYTHING, Call("edit", ("a",)))


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        (ToolPolicy(), True),
        (ToolPolicy(("read", "edit")), True),
        (ToolPolicy(("read", "shell")), True),
        (ToolPolicy(writes=("src/",)), True),
        (ToolPolicy(writes=("docs/",)), False),
        (ToolPolicy(("read", "shell"), commands="audit"), False),
        (ToolPolicy(("read", "edit", "shell"), commands="audit"), True),
        (ToolPolicy(("read", "search")), False),
    ],
)
def test_a_change_is_for_roles_that_may_write(policy: ToolPolicy, *, allowed: bool) -> None:
    assert may_change(policy, "src/a.py") is allowed


def test_a_shell_command_that_is_not_told_is_not_run() -> None:
    assert refusal(AUDIT, EVERYTHING, Call("shell"))
