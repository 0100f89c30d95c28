"""The hooks come and go, and nothing else in Claude Code's settings changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from teamlead.errors import ConfigError
from teamlead.guard.installing import COMMAND, load, settings_file, snippet, store, with_guard, without_guard

OTHERS: dict[str, Any] = {
    "model": "opus",
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./mine.sh"}]}],
        "Notification": [{"hooks": [{"type": "command", "command": "say done"}]}],
    },
}


@pytest.mark.parametrize("before", [{}, {"model": "opus"}, OTHERS, {"hooks": {}}, {"hooks": {"Stop": []}}])
def test_what_is_installed_can_be_removed_without_a_trace(before: dict[str, Any]) -> None:
    after = with_guard(before)
    assert json.dumps(after).count(COMMAND) == len(snippet()["hooks"])
    assert without_guard(after) == {key: value for key, value in before.items() if value != {}} or (
        without_guard(after).get("hooks", {}) == {}
    )


@pytest.mark.parametrize("before", [{}, OTHERS])
def test_installing_twice_changes_nothing_more(before: dict[str, Any]) -> None:
    assert with_guard(with_guard(before)) == with_guard(before)


def test_hooks_of_others_stay_where_they_are() -> None:
    after = with_guard(OTHERS)
    assert after["model"] == "opus"
    assert after["hooks"]["PreToolUse"][0] == OTHERS["hooks"]["PreToolUse"][0]
    assert after["hooks"]["Notification"] == OTHERS["hooks"]["Notification"]
    assert without_guard(after) == OTHERS


def test_a_hook_that_shares_an_entry_with_ours_stays() -> None:
    mine = {"type": "command", "command": "./mine.sh"}
    shared = {"hooks": {"Stop": [{"hooks": [mine, {"type": "command", "command": COMMAND}]}]}}
    assert without_guard(shared) == {"hooks": {"Stop": [{"hooks": [mine]}]}}


def test_a_guard_that_cannot_be_started_blocks() -> None:
    assert snippet()["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"] == "block"


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_settings_in_another_form_are_not_touched(text: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    with pytest.raises(ConfigError):
        with_guard(load(path))
    assert path.read_text() == text


def test_settings_that_are_a_link_stay_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "dotfiles.json"
    target.write_text("{}")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    path = settings_file(None)
    path.parent.mkdir()
    path.symlink_to(target)
    store(path, {"model": "opus"})
    assert path.is_symlink()
    assert load(target) == {"model": "opus"}
