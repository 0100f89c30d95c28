import subprocess
from pathlib import Path

import pytest

from teamlead.system.repository import Repository, discover


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a git identity, of whom nothing else is known yet."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.com\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """One commit on the branch main; it is the current folder."""
    folder = tmp_path.resolve() / "repository"
    for command in (
        ["init", "--quiet", "--initial-branch=main", str(folder)],
        ["-C", str(folder), "commit", "--quiet", "--allow-empty", "-m", "first"],
    ):
        subprocess.run(["git", *command], check=True)
    monkeypatch.chdir(folder)
    return discover(folder)
