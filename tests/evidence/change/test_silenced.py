"""Marks that keep tools from saying something."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Repository

from teamlead.evidence.change.silenced import examine_silenced


def told(
    root: Path, before: str, after: str, *, path: str = "shop/a.py", title: str = "Mend it"
) -> list[str]:
    repository = Repository(root / "r", {path: before})
    claim = repository.claim(repository.commit({path: after}), spec={"title": title})
    items = list(examine_silenced(claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


@pytest.mark.parametrize(
    ("path", "mark"),
    [
        ("a.py", "# noqa"),
        ("a.py", "# type: ignore"),
        ("a.py", "# pragma: no cover"),
        ("test_a.py", "# pylint: disable"),
        ("a.js", "// eslint-disable"),
        ("a.ts", "// @ts-ignore"),
        ("a.go", "//nolint"),
        ("a.rs", "#[allow("),
    ],
)
def test_a_new_mark_is_asked_about_with_its_place(tmp_path: Path, path: str, mark: str) -> None:
    assert told(tmp_path, "x = 1\n", f"x = 1\ny = 2  {mark}\n", path=path) == [f"{path}:2: `{mark}`"]


@pytest.mark.parametrize(
    ("before", "after", "title"),
    [
        ("x = 1  # noqa\n", "y = 2\nx = 1  # noqa\n", "Mend it"),
        ("x = 1\n", "x = 1  # noqa\n", "Mark the line with noqa, with the reason"),
        ("x = 1\n", "x = 1  # note of it\n", "Mend it"),
    ],
    ids=["moved", "asked for", "words"],
)
def test_one_that_moved_or_was_asked_for_is_left_alone(
    tmp_path: Path, before: str, after: str, title: str
) -> None:
    assert told(tmp_path, before, after, title=title) == []


def test_a_plan_that_forbids_it_does_not_ask_for_it(tmp_path: Path) -> None:
    title = "Mend what ruff finds, without noqa"
    assert told(tmp_path, "x = 1\n", "x = 1  # noqa\n", title=title) == ["shop/a.py:1: `# noqa`"]
