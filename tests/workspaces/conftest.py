"""A small repository, made once and copied for each test, and a workspace in it."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from teamlead.ports.leadership import Epoch
from teamlead.ports.rooms import House
from teamlead.system.git import as_user, read_settings
from teamlead.system.repository import Repository, claim, discover
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions

Opener = Callable[..., GitWorkspace]


def write(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("template")
    os.environ["GIT_CONFIG_GLOBAL"] = str(home / "gitconfig")
    (home / "gitconfig").write_text(
        "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
    )
    root = home / "project"
    root.mkdir()
    as_user(root, "init", "-q")
    write(root, {"README.md": "hello\n", "src/app.py": "one\ntwo\nthree\n", ".gitignore": "*.log\n.env\n"})
    as_user(root, "add", "-A")
    as_user(root, "commit", "-qm", "first")
    return home


@pytest.fixture(autouse=True)
def user_home(tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(template / "gitconfig", tmp_path / "gitconfig")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def root(tmp_path: Path, template: Path) -> Path:
    return Path(shutil.copytree(template / "project", tmp_path / "project", symlinks=True))


@pytest.fixture
def repository(root: Path, user_home: None) -> Repository:
    return claim(discover(root))


@pytest.fixture
def base(root: Path) -> str:
    return as_user(root, "rev-parse", "HEAD").text


@pytest.fixture
def open_workspace(repository: Repository, base: str) -> Iterator[Opener]:
    opened = ExitStack()

    def open_one(
        session: str = "s1",
        provisions: Provisions = Provisions(),  # noqa: B008 - immutable
        epoch: Epoch = Epoch(),  # noqa: B008 - as above
        *,
        keep_ignored: int = 1,
        pooled: int = 16,
        scope: tuple[str, ...] = (),
        where: Repository = repository,
        house: House | None = None,
    ) -> GitWorkspace:
        workspace = GitWorkspace(
            where,
            read_settings(where.root),
            session,
            base,
            copies=repository.state_dir / "copies" / session,
            logs=repository.state_dir / "logs",
            provisions=provisions,
            epoch=epoch,
            keep_ignored=keep_ignored,
            pooled=pooled,
            limited_to=lambda _: scope,
            house=house,
        )
        return opened.enter_context(workspace)

    with opened:
        yield open_one


@pytest.fixture
def workspace(open_workspace: Opener) -> GitWorkspace:
    return open_workspace()
