from pathlib import Path

import pytest

from teamlead.errors import UsageError
from teamlead.runners import detection
from teamlead.runners.detection import (
    LOGIN,
    PROGRAMS,
    FoundProgram,
    credentials,
    default_agent,
    find,
    require,
)


@pytest.fixture(autouse=True)
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH on which only what a test puts there is found."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for program in PROGRAMS:
        monkeypatch.delenv(program.variable, raising=False)
        for name in program.credentials:
            monkeypatch.delenv(name, raising=False)
    return folder


HOLDS = '[ "$1" = sandbox ] && : > inside'
"""What makes a script pass for a program that can hold its commands."""


def install(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_nothing_installed_is_told_as_absent() -> None:
    assert find() == [FoundProgram(program.agent) for program in PROGRAMS]


@pytest.mark.parametrize(
    ("kind", "name", "said", "version"),
    [
        ("claude", "claude", "2.1.325 (Claude Code)", "2.1.325"),
        ("codex", "codex", "codex-cli 0.163.0", "0.163.0"),
        ("gemini", "gemini", "0.61.0", "0.61.0"),
        ("acp:opencode acp", "opencode", "1.18.33-beta.2", "1.18.33-beta.2"),
    ],
)
def test_a_program_is_found_with_its_version(
    tools: Path, kind: str, name: str, said: str, version: str
) -> None:
    path = install(tools / name, f'{HOLDS}; [ "$*" = --version ] && echo "{said}"')
    assert find(kind) == [FoundProgram(kind, path, version)]


def test_a_variable_names_another_program(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tools / "claude", "echo 2.1.1")
    other = install(tmp_path / "another", "echo 2.2.0")
    monkeypatch.setenv("TEAMLEAD_CLAUDE", str(other))
    assert find("claude") == [FoundProgram("claude", other, "2.2.0")]


def test_a_variable_that_names_no_program_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAMLEAD_CLAUDE", "/nowhere/claude")
    (found,) = find("claude")
    assert not found.usable
    assert found.problem == "TEAMLEAD_CLAUDE names '/nowhere/claude', which is no program"
    with pytest.raises(UsageError, match="TEAMLEAD_CLAUDE names '/nowhere/claude', which is no program"):
        require("claude")


def test_a_program_that_is_absent_is_named_with_its_variable() -> None:
    with pytest.raises(UsageError, match=r"no program 'claude'.*TEAMLEAD_CLAUDE"):
        require("claude")


def test_no_variable_stands_for_a_command_that_would_not_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEAMLEAD_OPENCODE", str(install(tmp_path / "another", "echo 1.18.33")))
    assert find("acp:opencode acp") == [FoundProgram("acp:opencode acp")]


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("echo Hello", "tells no version"),
        ("echo 'node: not found' >&2; exit 127", "failed: node: not found"),
        ("exit 3", "failed: 3"),
        ("printf '\\033[31m1.0' >&2; exit 1", "failed: 1.0"),
        ("kill -SEGV $$", "failed: -11"),
    ],
)
def test_a_broken_program_is_told_as_such(tools: Path, script: str, problem: str) -> None:
    install(tools / "claude", script)
    (found,) = find("claude")
    assert not found.usable
    assert found.problem.endswith(problem)


def test_a_file_that_cannot_be_started_is_told_as_such(tools: Path) -> None:
    (tools / "claude").write_bytes(b"\x7fELF nonsense")
    (tools / "claude").chmod(0o755)
    (found,) = find("claude")
    assert "cannot start" in found.problem


def test_programs_that_hang_are_given_up_all_at_once(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detection, "PATIENCE", 1.0)
    monkeypatch.setenv("PATH", f"{tools}:/bin:/usr/bin")
    for program in PROGRAMS:
        install(tools / program.executable, "trap '' INT TERM; exec sleep 600")
    assert {found.problem for found in find()} == {"`--version` gave no answer within 1 s"}


def test_a_flood_of_words_is_cut(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tools}:/bin:/usr/bin")
    install(tools / "claude", "echo 2.1.9; head -c 3000000 /dev/zero")
    assert find("claude")[0].version == "2.1.9"


def test_an_ancient_program_is_usable_with_a_warning(tools: Path) -> None:
    install(tools / "claude", "echo '1.0.44 (Claude Code)'")
    (found,) = find("claude")
    assert found.usable
    assert "1.0.44 is older than 2.1" in found.warning


def test_credentials_are_told_by_the_name_of_their_variable_only() -> None:
    secret = {"ANTHROPIC_AUTH_TOKEN": "s3cret", "OPENAI_API_KEY": ""}
    assert credentials("claude", secret) == "ANTHROPIC_AUTH_TOKEN"
    assert credentials("codex", secret) == LOGIN


def test_the_default_agent_is_the_first_that_is_there(tools: Path) -> None:
    install(tools / "gemini", "echo 0.61.0")
    install(tools / "codex", f"{HOLDS}; echo codex-cli 0.163.0")
    assert default_agent() == "codex"


def test_who_cannot_hold_its_commands_is_the_default_only_where_nobody_else_is(tools: Path) -> None:
    install(tools / "codex", '[ "$1" = sandbox ] && echo "no namespaces" >&2; echo codex-cli 0.163.0')
    assert [found.unheld for found in find("codex")] == ["no namespaces"]
    assert default_agent() == "codex"
    install(tools / "gemini", "echo 0.61.0")
    assert default_agent() == "gemini"


def test_a_broken_program_is_no_default(tools: Path) -> None:
    install(tools / "claude", "exit 1")
    install(tools / "gemini", "echo 0.61.0")
    assert default_agent() == "gemini"


def test_without_any_agent_the_options_are_named(tools: Path) -> None:
    install(tools / "codex", "exit 1")
    with pytest.raises(UsageError) as caught:
        default_agent()
    assert "codex: `--version` failed" in caught.value.message
    for option in ("claude", "codex", "gemini", "acp:COMMAND", "command:COMMAND", "scripted:FILE", "demo"):
        assert option in caught.value.remedy
