"""Commands that tell the user something: what they get, and what they do not."""

import asyncio
from pathlib import Path

import pytest

from teamlead.core.people.notices import Notice
from teamlead.system import notifying
from teamlead.system.notifying import CommandNotifier, why_no_desktop

HOSTILE = "esc-1: $(touch owned) `touch owned`; touch owned\x1b[31m \"quoted\" 'x' <b>\x00\nsecond line"


def notify(cwd: Path, way: str, message: str = "hello") -> str:
    notice = Notice("20260101-000000-aaaa", "esc-1", "task-1", message)
    return asyncio.run(CommandNotifier(cwd).notify(way, notice))


def test_a_command_finds_the_message_on_its_input_and_in_its_environment(tmp_path: Path) -> None:
    command = (
        'cat > input; printf "%s|%s|%s" "$TEAMLEAD_SESSION" "$TEAMLEAD_ABOUT" "$TEAMLEAD_TASK" > ids;'
        ' printf "%s" "$TEAMLEAD_MESSAGE" > variable'
    )
    assert notify(tmp_path, command, "Which rate?\nteamlead resolve") == ""
    assert (tmp_path / "input").read_text() == "Which rate?\nteamlead resolve\n"
    assert (tmp_path / "variable").read_text() == "Which rate?\nteamlead resolve"
    assert (tmp_path / "ids").read_text() == "20260101-000000-aaaa|esc-1|task-1"


def test_what_an_agent_wrote_is_never_run_nor_reaches_the_terminal_raw(tmp_path: Path) -> None:
    assert notify(tmp_path, "cat > input", HOSTILE) == ""
    text = (tmp_path / "input").read_text()
    assert "$(touch owned)" in text
    assert "\x1b" not in text
    assert "\x00" not in text
    assert not (tmp_path / "owned").exists()
    # The control: what the user writes into the command is run.
    notify(tmp_path, "touch owned", HOSTILE)
    assert (tmp_path / "owned").exists()


def test_the_desktop_gets_it_as_one_argument_without_markup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / notifying._program()
    program.write_text('#!/bin/sh\nfor each in "$@"; do last=$each; done\nprintf "%s" "$last" > shown\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert why_no_desktop() == ""
    assert notify(tmp_path, "desktop", HOSTILE) == ""
    shown = (tmp_path / "shown").read_text()
    assert "second line" in shown
    assert "$(touch owned)" in shown
    assert not (tmp_path / "owned").exists()
    if notifying._program() == "notify-send":
        assert "&lt;b&gt;" in shown


def test_a_missing_desktop_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "to notify the desktop with" in why_no_desktop()
    assert notify(tmp_path, "desktop") == why_no_desktop()


def test_a_command_that_fails_says_why(tmp_path: Path) -> None:
    assert notify(tmp_path, "echo no network >&2; exit 7") == (
        "`echo no network >&2; exit 7` ended with 7: no network"
    )
    assert "ended with 127" in notify(tmp_path, "no-such-program-here")


def test_a_command_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "PATIENCE", 0.2)
    assert "did not end within" in notify(tmp_path, "sleep 600")
