import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.documents import require_printed
from tests.zygote import zygote

Teamlead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a git identity, of whom nothing else is known yet."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.com\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in (
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "NO_COLOR",
        "TEAMLEAD_DEBUG",
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
    ):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository, which is the current folder."""
    folder = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def teamlead() -> Teamlead:
    """The program; each call is a process of its own."""

    def run(
        *arguments: str,
        input: str = "",  # noqa: A002 - subprocess's name
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        done = zygote().run(arguments, text=input, cwd=cwd, environment=env)
        if "--json" in arguments and done.stdout:
            require_printed(arguments, done.stdout)
        return done

    return run
