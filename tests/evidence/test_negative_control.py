"""Checks that pass are tried with garbage in a clean copy, once for each check, session and project."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.errors import DiskUnusable
from teamlead.evidence.checks import ShellChecker
from teamlead.evidence.clean_copies import CleanCopies
from teamlead.evidence.negative_control import CleanControl
from teamlead.system.git import as_user, read_settings
from teamlead.system.repository import claim, discover
from teamlead.workspaces.git_workspace import GitWorkspace

Value = TypeVar("Value")
FILES = {
    "shop/__init__.py": "",
    "shop/tax.py": "RATE = 12\n",
    "till/package.json": "{}\n",
    "till/index.js": "exports.open = true;\n",
    "README.md": "A shop\n",
}


def run(work: Coroutine[Any, Any, Value]) -> Value:
    return asyncio.run(work)


class Shop:
    """A repository, and a control of checks of what is changed in it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        self.root.mkdir()
        self.ran = folder / "ran.txt"
        self._folder = folder
        as_user(self.root, "init", "-q")
        as_user(self.root, "config", "user.name", "Ada")
        as_user(self.root, "config", "user.email", "ada@example.org")
        self.base = self.commit(FILES)
        repository = claim(discover(self.root))
        self._git = repository.git()
        self.workspace = GitWorkspace(
            repository,
            read_settings(self.root),
            "s1",
            self.base,
            copies=repository.state_dir / "copies",
            logs=repository.state_dir / "logs",
        )

    def commit(self, files: dict[str, str]) -> str:
        for name, text in files.items():
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_text(text)
        as_user(self.root, "add", "-A")
        as_user(self.root, "commit", "-qm", "x")
        return as_user(self.root, "rev-parse", "HEAD").text

    def command(self, text: str) -> str:
        return f"echo x >> {self.ran}; {text}"

    @property
    def runs(self) -> int:
        return len(self.ran.read_text().split()) if self.ran.exists() else 0

    @property
    def seeing(self) -> str:
        return self.command("python3 -c 'import shop.tax'")

    @property
    def blind(self) -> str:
        """As if the project were installed editable."""
        return self.command(f"cd {self.root} && python3 -c 'import shop.tax'")

    def control(self, **options: Any) -> CleanControl:
        """Of a leader; another one remembers the same."""
        place = self._folder / "controls"
        copies = CleanCopies(self.workspace, ShellChecker(), first_slot=4, **options)
        return CleanControl(self._git, copies, place)

    def unseen(self, command: str, commit: str, bound: float = 60.0) -> tuple[str, ...]:
        return run(self.control().unseen(command, self.base, commit, bound))


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    shop = Shop(tmp_path)
    with shop.workspace:
        yield shop


def test_a_check_that_looks_elsewhere_does_not_see_what_was_changed(shop: Shop) -> None:
    commit = shop.commit({"shop/tax.py": "RATE = 13\n"})
    assert shop.unseen(shop.blind, commit) == ("shop/__init__.py", "shop/tax.py")
    assert (shop.root / "shop/tax.py").read_text() == "RATE = 13\n"


@pytest.mark.parametrize("path", ["shop/tax.py", "shop/new.py"])
def test_a_check_that_loads_the_code_sees_a_change_also_of_what_nobody_uses_yet(
    shop: Shop, path: str
) -> None:
    assert shop.unseen(shop.seeing, shop.commit({path: "RATE = 14\n"})) == ()
    assert shop.runs == 1


def test_a_check_is_tried_once_also_for_later_work_and_later_leaders(shop: Shop) -> None:
    first = shop.commit({"shop/tax.py": "RATE = 13\n"})
    second = shop.commit({"shop/tax.py": "RATE = 14\n"})
    for command in (shop.blind, shop.seeing):
        told = [shop.unseen(command, commit) for commit in (first, second, second)]
        assert told[0] == told[1] == told[2]
    assert shop.runs == 2


def test_what_was_found_in_a_room_does_not_hold_without_one(shop: Shop) -> None:
    commit = shop.commit({"shop/tax.py": "RATE = 13\n"})
    for conditions in ("room", "no room", "room"):
        run(shop.control(conditions=conditions).unseen(shop.seeing, shop.base, commit, 60.0))
    assert shop.runs == 2


def test_a_project_that_was_not_changed_before_is_tried_anew(shop: Shop) -> None:
    shop.unseen(shop.seeing, shop.commit({"shop/tax.py": "RATE = 13\n"}))
    shop.base = as_user(shop.root, "rev-parse", "HEAD").text
    assert shop.unseen(shop.seeing, shop.commit({"till/index.js": "exports.open = 1;\n"})) == (
        "till/index.js",
    )
    assert shop.runs == 2


def test_a_change_of_documentation_alone_is_not_tried(shop: Shop) -> None:
    assert shop.unseen(shop.blind, shop.commit({"README.md": "The shop\n"})) == ()
    assert shop.runs == 0


def test_those_who_ask_at_the_same_time_wait_for_one_run(shop: Shop) -> None:
    commit = shop.commit({"shop/tax.py": "RATE = 13\n"})
    control = shop.control()

    async def ask() -> list[tuple[str, ...]]:
        asked = (control.unseen(shop.blind, shop.base, commit, 60.0) for _ in range(3))
        return await asyncio.gather(*asked)

    assert len(set(run(ask()))) == 1
    assert shop.runs == 1


def test_a_check_that_does_not_end_with_garbage_has_seen_it(shop: Shop) -> None:
    commit = shop.commit({"shop/tax.py": "RATE = 13\n"})
    assert shop.unseen(shop.command("sleep 60"), commit, bound=0.2) == ()


def test_a_failure_on_a_full_disk_is_nobodys_and_not_remembered(shop: Shop) -> None:
    commit = shop.commit({"shop/tax.py": "RATE = 13\n"})

    def full() -> None:
        raise DiskUnusable("the disk is full")

    def asked(require_disk_space: Callable[[], None]) -> tuple[str, ...]:
        control = shop.control(require_disk_space=require_disk_space)
        return run(control.unseen(shop.seeing, shop.base, commit, 60.0))

    with pytest.raises(DiskUnusable):
        asked(full)
    asked(lambda: None)
    assert shop.runs == 2
