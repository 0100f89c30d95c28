"""What of an agent's own home is written through in a room, and what is guarded there."""

import json
from pathlib import Path

import pytest

from teamlead.runners.agent_homes import Home, changed, file_states, home_at, home_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def written(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("agent", "names"),
    [
        ("claude", "local ide mcp.json .mcp.json statusline.sh settings.json"),
        ("codex", ".env instructions.md bin mcp.json config.toml"),
        ("gemini", ".env bin tmp/bin mcp.json settings.json"),
    ],
)
def test_what_runs_code_in_the_users_own_sessions_is_guarded_also_before_it_exists(
    home: Path, agent: str, names: str
) -> None:
    own = home / f".{agent}"
    guarded = home_at(agent, own).guarded
    assert {own / name for name in names.split()} <= {*guarded}
    before = file_states(guarded)
    made = [written(own / name) for name in names.split()]
    told = list(changed(before))
    assert all(any(f"{str(path)!r} was made" in line for line in told) for path in made)


@pytest.mark.parametrize(
    "name", ["claude/statusline-command.sh", "codex/mcp_servers", "gemini/mcp-tokens.json"]
)
def test_what_exists_is_guarded_by_a_pattern_too(home: Path, name: str) -> None:
    path = written(home / f".{name}")
    assert path in home_at(name.split("/", maxsplit=1)[0], path.parent).guarded


def test_the_scripts_that_settings_have_run_are_guarded_and_nothing_else_that_commands_name(
    home: Path,
) -> None:
    own = home / ".claude"
    tool = written(own / "tools/show")
    tool.chmod(0o755)
    entry = {"type": "command", "command": f"python3 '{own}/late.py' <~/.claude/history.jsonl"}
    settings = {
        "statusLine": {"type": "command", "command": "bash ~/.claude/bar/line.sh | $HOME/.claude/tools/show"},
        "hooks": {"Stop": [{"hooks": [entry]}]},
        "apiKeyHelper": "jq .key ${CLAUDE_CONFIG_DIR}/.credentials.json; ~/.claude/../other.sh",
        "permissions": {
            "allow": ["Read(~/.claude/projects/a.sh)"],
            "additionalDirectories": ["~/.claude/projects"],
        },
    }
    for name in ("history.jsonl", ".credentials.json"):
        written(own / name)
    plain = home_at("claude", own)
    written(own / "settings.json", json.dumps(settings))
    found = home_at("claude", own)
    assert {*found.guarded} - {*plain.guarded} == {own / "bar/line.sh", own / "tools/show", own / "late.py"}
    assert found.writable == (own, own / "tools")


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '"\udcff"', "[1]"])
def test_settings_that_cannot_be_read_name_no_script(home: Path, text: str) -> None:
    own = home / ".claude"
    plain = home_at("claude", own)
    own.mkdir()
    (own / "settings.json").write_bytes(text.encode(errors="surrogateescape"))
    assert home_at("claude", own) == plain


def test_the_snapshots_of_other_sessions_are_guarded_and_new_ones_can_be_written(home: Path) -> None:
    own = home / ".claude"
    snapshot = written(own / "shell-snapshots/snapshot-bash-1.sh")
    found = home_at("claude", own)
    assert snapshot in found.guarded
    assert snapshot.parent not in found.guarded
    # A place of its own: it cannot be moved away with what is guarded in it.
    assert snapshot.parent in found.writable


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        ("claude -p", ".claude"),
        ("/opt/bin/claude.cmd", ".claude"),
        ("npx -y @zed-industries/claude-code-acp@0.4.0", ".claude"),
        ("npx codex-acp", ".codex"),
        ("gemini --acp", ".gemini"),
        ("aider", ".aider.conf.yml"),
        ("goose run", ".config/goose"),
        ("opencode acp", ".config/opencode"),
    ],
)
def test_a_program_has_the_home_of_its_own_name(home: Path, command: str, folder: str) -> None:
    (home / folder).mkdir(parents=True)
    assert home / folder in home_of(command.split(), {}).writable


def test_the_script_of_a_shell_is_looked_into(home: Path) -> None:
    assert home_of(["sh", "-c", "cat x|claude -p"], {}).writable == (home / ".claude",)


@pytest.mark.parametrize(
    "command",
    [
        ["sh", "run.sh"],
        ["go", "run", "."],
        ["co"],
        ["python3", "/home/claude/agent.py"],
        ["cat", "about-claude.md"],
        ["./notcodex"],
        ["tool", "--say", "ask claude what gemini is"],
    ],
)
def test_a_part_of_a_name_opens_no_other_agents_home(home: Path, command: list[str]) -> None:
    for name in (".claude", ".codex", ".gemini", ".local/share/opencode", ".config/goose"):
        (home / name).mkdir(parents=True)
    assert home_of(command, {}) == Home()
