"""The real Claude Code and what it may not do: a model tries, and nothing comes of it."""

import pytest
from tests.runners.claude_support import Claude

from teamlead.core.model import TOOLS, Tool, ToolPolicy

READER = ToolPolicy(tools=("read", "search", "shell"), commands="audit", writes=())


def without(tool: Tool) -> ToolPolicy:
    return ToolPolicy(tools=tuple(other for other in TOOLS if other != tool))


ATTEMPTS: dict[str, tuple[Tool, str, str]] = {
    "Write": ("edit", "Write", '{file_path = "made.txt", content = "x"}'),
    "Edit": ("edit", "Edit", '{file_path = "old.txt", old_string = "old", new_string = "new"}'),
    "Bash": ("shell", "Bash", '{command = "touch made.txt", description = "d"}'),
}


@pytest.fixture(autouse=True)
def _old_file(claude: Claude) -> None:
    (claude.copy / "old.txt").write_text("old")


@pytest.mark.parametrize("name", ATTEMPTS)
def test_a_forbidden_tool_is_not_there(claude: Claude, name: str) -> None:
    tool, call, given = ATTEMPTS[name]
    read = '{call = "Read", input = {file_path = "old.txt"}}'
    end = claude.follows(f'{read}, {{call = "{call}", input = {given}}}, {{done = "tried"}}').run(
        policy=without(tool)
    )
    assert (end.status, end.summary) == ("ok", "tried")
    assert end.denials == (f"{call}: it is taken away in this role",)
    offered = {declared["name"] for declared in claude.model.requests[0].body["tools"]}
    assert call not in offered
    assert changed(claude) == []


@pytest.mark.parametrize("name", ATTEMPTS)
def test_the_same_call_works_where_it_is_allowed(claude: Claude, name: str) -> None:
    _, call, given = ATTEMPTS[name]
    read = '{call = "Read", input = {file_path = "old.txt"}}'
    end = claude.follows(f'{read}, {{call = "{call}", input = {given}}}, {{done = "tried"}}').run()
    assert (end.denials, len(changed(claude))) == ((), 1)


def changed(claude: Claude) -> list[str]:
    files = claude.files()
    return [name for name in files if name != "old.txt" or (claude.copy / name).read_text() != "old"]


def test_edits_outside_of_its_scope_are_refused(claude: Claude) -> None:
    (claude.copy / "link").symlink_to(claude.root)
    (claude.copy / ".git" / "hooks").mkdir(parents=True)
    paths = [
        *("other/made.txt", "../made.txt", "link/made.txt", "src/../made.txt", "src/../../made.txt"),
        *(f"{claude.root}/made.txt", f"{claude.copy}/made.txt"),
        # Places about which it asks a second time.
        *(".git/hooks/made.txt", ".claude/made.txt", ".claude/settings.json", ".mcp.json"),
    ]
    tries = [f'{{call = "Write", input = {{file_path = "{path}", content = "x"}}}}' for path in paths]
    end = claude.follows(steps(*tries)).run(scope=("src/",))
    assert end.summary == "tried"
    assert len(end.denials) == len(paths)
    assert all(denial.startswith("Write: ") for denial in end.denials)
    assert changed(claude) == []
    assert [*claude.root.rglob("made.txt")] == []
    assert "outside of what your task may change" in claude.model.requests[-1].content.decode()


def steps(*tries: str) -> str:
    return ", ".join([*tries, '{done = "tried"}'])


def test_an_edit_inside_of_its_scope_is_made(claude: Claude) -> None:
    end = claude.follows('{write = "src/deep/made.txt", text = "x"}, {done = "tried"}').run(scope=("src/",))
    assert (end.denials, changed(claude)) == ((), ["src/deep/made.txt"])


def test_settings_of_its_own_are_changed_where_the_task_says_so(claude: Claude) -> None:
    end = claude.follows('{write = ".claude/settings.json", text = "x"}, {done = "tried"}').run(
        scope=(".claude/",)
    )
    assert (end.status, end.denials) == ("ok", ())
    assert (claude.copy / ".claude" / "settings.json").read_text() == "x"


COMMANDS = [
    "touch made.txt",
    "echo x > made.txt",
    "cat old.txt | tee made.txt",
    "git diff --output=made.txt",
    "ls; touch made.txt",
    "ls $(touch made.txt)",
    "find . -exec touch made.txt +",
    "sed -i s/old/new/ old.txt",
    "python3 -c 'open(1)'",
]


def test_a_shell_for_reading_changes_nothing(claude: Claude) -> None:
    end = claude.follows(steps(*(f'{{run = "{command}"}}' for command in COMMANDS))).run(policy=READER)
    assert end.summary == "tried"
    assert len(end.denials) == len(COMMANDS)
    assert all(denial.startswith("Bash: ") for denial in end.denials)
    assert changed(claude) == []


def test_a_shell_for_reading_reads(claude: Claude) -> None:
    end = claude.follows('{run = "cat old.txt | grep o"}, {done = "tried"}').run(policy=READER)
    assert end.denials == ()
    assert claude.events("tool_result")[0]["output"] == "old"


def test_tools_that_a_user_adds_are_decided_all_the_same(claude: Claude) -> None:
    end = claude.follows('{write = "made.txt", text = "x"}, {done = "tried"}').run(
        policy=READER, arguments=["--tools", "Write", "--permission-mode", "acceptEdits"]
    )
    assert end.summary == "tried"
    assert ["not allowed in your role" in denial for denial in end.denials] == [True]
    assert changed(claude) == []
