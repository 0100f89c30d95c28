from pathlib import Path

import pytest

from teamlead.system.user_folders import state_home


def test_state_is_where_the_first_absolute_path_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    monkeypatch.setenv("TEAMLEAD_STATE", "/elsewhere")
    assert state_home() == Path("/elsewhere")
    monkeypatch.setenv("TEAMLEAD_STATE", "not/absolute")
    assert state_home() == Path("/state/teamlead")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.delenv("TEAMLEAD_STATE")
    assert state_home() == Path("/home/somebody/.local/state/teamlead")
