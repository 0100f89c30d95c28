"""Which scopes overlap."""

import pytest

from teamlead.core.model import TaskSpec
from teamlead.plans.shared_paths import Grounds, Use, grounds_of


def overlap(one: str, other: str) -> bool:
    first = TaskSpec("task-1", "A", scope=(one,))
    second = TaskSpec("task-2", "B", scope=(other,))
    used = Grounds()
    for ground in grounds_of(first):
        used.take(ground, Use(1.0, "task-1"))
    return any(used.free(ground).task == "task-1" for ground in grounds_of(second))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("src/", "src"),
        ("src/", "src/auth/login.py"),
        ("src/**", "src/auth/"),
        ("src/**/test_*.py", "src/auth/"),
        ("docs/*.md", "docs/guide.md"),
        ("docs/*.md", "docs/a*"),
        ("docs/*", "docs/notes.txt"),
        ("docs/*", "docs/guides/"),
        ("docs/*.md", "docs/a?.md"),
        ("docs/*.md", "docs/"),
        ("**/*.md", "docs/"),
        (".", "src/"),
        ("./src", "src/a.py"),
    ],
)
def test_scopes_that_may_reach_one_file_overlap_in_either_order(one: str, other: str) -> None:
    assert overlap(one, other)
    assert overlap(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("src/auth/", "src/billing/"),
        ("src/auth", "src/authority"),
        ("*.md", "src/"),
        ("*.md", "src/readme.md"),
        ("docs/*.md", "docs/guides/"),
        ("docs/*.md", "docs/guides/*.md"),
        ("docs/*.md", "docs/*.txt"),
        ("docs/*.md", "docs/notes.txt"),
    ],
)
def test_scopes_that_reach_no_file_together_do_not(one: str, other: str) -> None:
    assert not overlap(one, other)
    assert not overlap(other, one)


def test_where_nothing_is_known_nothing_overlaps() -> None:
    assert grounds_of(TaskSpec("task-1", "A")) == ()
    assert grounds_of(TaskSpec("task-1", "A", type="investigation", scope=("src/",))) == ()
