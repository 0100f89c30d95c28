"""Whether agents' programs are logged in, as they say it; where they do not, nothing is claimed."""

from pathlib import Path

import pytest
from tests.programs import claude, codex

from teamlead.errors import Refused
from teamlead.runners.detection import PROGRAMS
from teamlead.runners.login_files import logged_in
from teamlead.runners.logins import missing_logins
from teamlead.sessions.preconditions import require_logins

OUT = '{"loggedIn": false, "authMethod": "none"}'


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in PROGRAMS:
        monkeypatch.delenv(name.variable or "NONE", raising=False)
    return folder


def says(tools: Path, name: str, text: str, code: int) -> None:
    (tools / name).write_text(f"#!/bin/sh\n[ \"$2\" = status ] || exit 9\necho '{text}'\nexit {code}\n")
    (tools / name).chmod(0o755)


@pytest.mark.parametrize(
    ("name", "text", "code", "missing"),
    [
        ("claude", OUT, 1, True),
        ("claude", '{"loggedIn": true}', 0, False),
        ("claude", "Hello! How can I help?", 0, False),
        ("claude", "[]", 1, False),
        ("codex", "Not logged in", 1, True),
        ("codex", "Logged in using ChatGPT", 0, False),
        ("codex", "error: unrecognized subcommand", 2, False),
    ],
)
def test_a_login_is_missing_only_where_the_program_says_so(
    tools: Path, name: str, text: str, code: int, missing: bool
) -> None:
    says(tools, name, text, code)
    assert list(missing_logins(["scripted", name], {})) == [name] * missing


def test_nothing_is_claimed_where_a_key_or_another_service_is_set(tools: Path, tmp_path: Path) -> None:
    says(tools, "claude", OUT, 1)
    says(tools, "codex", "Not logged in", 1)
    assert missing_logins(["claude"], {"ANTHROPIC_API_KEY": "k"}) == {}
    assert missing_logins(["claude"], {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}) == {}
    (tmp_path / "config.toml").write_text('model_provider = "local"\n')
    assert missing_logins(["codex"], {"CODEX_HOME": str(tmp_path)}) == {}


def test_gemini_was_never_logged_in_where_it_has_no_folder(tools: Path, tmp_path: Path) -> None:
    home = {"GEMINI_CLI_HOME": str(tmp_path)}
    assert missing_logins(["gemini"], home) == {}
    says(tools, "gemini", "", 0)
    assert list(missing_logins(["gemini"], home)) == ["gemini"]
    (tmp_path / ".gemini").mkdir()
    assert missing_logins(["gemini"], home) == {}


def test_the_file_of_a_login_of_gemini_lies_where_gemini_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for home, environment in (("home", {}), ("own", {"GEMINI_CLI_HOME": str(tmp_path / "own")})):
        assert not logged_in("gemini", environment)
        (tmp_path / home / ".gemini").mkdir(parents=True)
        (tmp_path / home / ".gemini" / "oauth_creds.json").write_text("{}")
        assert logged_in("gemini", environment)


def test_who_starts_agents_is_refused_with_what_to_do(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    says(tools, "claude", OUT, 1)
    with pytest.raises(Refused, match="nobody is logged in: claude") as refusal:
        require_logins(["claude", "scripted:a.toml"])
    assert "`claude auth login`" in refusal.value.remedy


def test_the_real_programs_say_it_in_these_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAMLEAD_CLAUDE", str(claude()))
    monkeypatch.setenv("TEAMLEAD_CODEX", str(codex()))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert list(missing_logins(["claude", "codex"], {})) == ["claude", "codex"]
