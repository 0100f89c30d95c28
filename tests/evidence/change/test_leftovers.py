"""Large files, backups, logs, caches and keys that a change brings along."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Repository

from teamlead.evidence.change.leftovers import LARGE, examine_leftovers

BASE = {"shop/prices.py": "RATE = 1\n", "shop/old.log": "one\n", "shop/data.csv": "x" * (LARGE + 1)}


def found(root: Path, path: str, text: str = "x\n", scope: str = "**") -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit({path: text}), spec={"scope": (scope,)})
    items = list(examine_leftovers(repository.git, claim))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


@pytest.mark.parametrize(
    "path",
    [
        "shop/prices.py.orig",
        "shop/prices.py.bak",
        "shop/prices.py~",
        "debug.log",
        "shop/__pycache__/prices.pyc",
        ".coverage",
        "a/.DS_Store",
        "deploy/id_rsa",
        ".env",
        "node_modules/x/index.js",
    ],
)
def test_what_nobody_wrote_for_others_is_asked_about(tmp_path: Path, path: str) -> None:
    assert found(tmp_path, path)


def test_a_file_that_is_new_and_large_is_asked_about(tmp_path: Path) -> None:
    assert found(tmp_path, "shop/dump.json", "x" * (LARGE + 1)) == ["shop/dump.json: 1.0 MB"]


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("shop/logs.py", "**"),
        ("shop/backup.py", "**"),
        (".env.example", "**"),
        ("shop/old.log", "**"),
        ("shop/data.csv", "**"),
        ("docs/build.log", "docs/build.log"),
    ],
)
def test_what_was_there_or_is_named_by_the_scope_is_left_alone(tmp_path: Path, path: str, scope: str) -> None:
    assert found(tmp_path, path, "y" * (LARGE + 2) if path.endswith("csv") else "y\n", scope) == []
