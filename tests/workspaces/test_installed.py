"""What of a checkout counts as installed for its project."""

import subprocess
from pathlib import Path

import pytest

from teamlead.system.git import UserSettings
from teamlead.system.repository import Repository, discover
from teamlead.workspaces.installed import MOST_FOLDERS, Installed, installed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def look(root: Path) -> Installed:
    repository = discover(root)
    assert isinstance(repository, Repository)
    return installed(repository, UserSettings("Ada", "ada@example.com"))


def environments(root: Path) -> list[str]:
    return [str(path) for path in look(root).environments]


@pytest.mark.parametrize("ignored", ["", "*\n"], ids=["not ignored", "ignored"])
@pytest.mark.parametrize(
    ("mark", "environment"),
    [
        (".venv/pyvenv.cfg", ".venv"),
        (".tox/py311/pyvenv.cfg", ".tox/py311"),
        (".direnv/python-3.11/pyvenv.cfg", ".direnv/python-3.11"),
        (".pixi/envs/default/conda-meta/history", ".pixi/envs/default"),
        ("node_modules/left-pad/index.js", "node_modules"),
        ("site/node_modules/left-pad/index.js", "site/node_modules"),
    ],
)
def test_environments_are_found_ignored_or_not(root: Path, ignored: str, mark: str, environment: str) -> None:
    (root / ".git" / "info" / "exclude").write_text(ignored)
    put(root / mark)
    assert environments(root) == [environment]


def test_a_link_to_an_environment_is_one(root: Path, tmp_path: Path) -> None:
    put(tmp_path / "environments" / "one" / "pyvenv.cfg")
    put(tmp_path / "data" / "file")
    for name, target in {".venv": "environments/one", "data": "data", "broken": "nowhere"}.items():
        (root / name).symlink_to(tmp_path / target)
    assert environments(root) == [".venv"]


def test_what_is_tracked_or_installed_for_another_repository_is_none(root: Path) -> None:
    put(root / "tracked" / "pyvenv.cfg")
    subprocess.run(["git", "-C", root, "add", "-A"], check=True)
    put(root / "trees" / "other" / ".git")
    put(root / "trees" / "other" / ".venv" / "pyvenv.cfg")
    put(root / "a" / "b" / "c" / "d" / "pyvenv.cfg")
    assert look(root) == Installed()


def test_large_folders_are_not_searched_whole(root: Path) -> None:
    for number in range(MOST_FOLDERS * 2):
        put(root / "data" / str(number) / "pyvenv.cfg")
    assert len(environments(root)) == MOST_FOLDERS


def test_what_is_activated_or_on_the_path_is_found_with_what_lies_beside_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("env/bin/tool", "deep/er/down/old/bin/tool", "scripts/run", "bin/tool", ".venv/bin/tool"):
        put(root / path)
    put(root / ".venv" / "pyvenv.cfg")
    put(root / "src" / "bin" / "tool")
    put(root / "src" / "main.py")
    subprocess.run(["git", "-C", root, "add", "src/main.py"], check=True)
    (tmp_path / "link").symlink_to(root)
    places = ("env/bin", "scripts", ".venv/bin", "bin", "src/bin", "src", "missing/bin", "")
    monkeypatch.setenv("PATH", ":".join(f"{root}/{place}" for place in places) + ":/usr/bin:/bin")
    monkeypatch.setenv("VIRTUAL_ENV", f"{tmp_path}/link/deep/er/down/old")
    found = look(root)
    assert [str(path) for path in found.environments] == [".venv"]
    assert {str(path) for path in found.programs} == {"env", "scripts", "bin", "src/bin", "deep/er/down/old"}


def test_what_lies_beside_programs_behind_a_link_is_not_theirs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "home" / "bin" / "tool")
    (root / "home").symlink_to(tmp_path / "home")
    monkeypatch.setenv("PATH", f"{root}/home/bin:/usr/bin:/bin")
    assert [str(path) for path in look(root).programs] == ["home/bin"]
