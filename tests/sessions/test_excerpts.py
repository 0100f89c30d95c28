"""What the lead reads in the place of an agent that failed: little, and nothing from elsewhere."""

import os
from pathlib import Path

from tests.core.support import World, session, task

from teamlead.core.state.records import Task
from teamlead.sessions.excerpts import read_excerpts


def reader(*cited: str) -> Task:
    """A task that builds on what an explorer was to read at these places."""
    world = World(session(task(1, context="\n".join(cited), role="code-explorer"), task(2, 1)))
    world.task(1).gap = "read-directly"
    return world.task(2)


def test_at_most_three_files_are_read_and_each_once(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.py").write_text(f"{name} = 1\n")
    found = read_excerpts(reader("a.py:1", "a.py:1", "b.py:1", "c.py:1", "d.py:1"), tmp_path)
    assert [lent.excerpt.path for lent in found] == ["a.py", "b.py", "c.py"]


def test_two_hundred_lines_around_the_cited_one_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("".join(f"{number}\n" for number in range(1, 501)))
    (lent,) = read_excerpts(reader("a.py:300"), tmp_path)
    assert (lent.excerpt.first, lent.excerpt.lines) == (200, 200)
    assert lent.text.split("\n")[100] == "300"


def test_only_ordinary_files_of_the_copy_are_read(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    (tmp_path / "secret.py").write_text("secret\n")
    (copy / "link.py").symlink_to(tmp_path / "secret.py")
    (copy / "binary.py").write_bytes(b"\xff\xfe\0")
    (copy / "folder.py").mkdir()
    os.mkfifo(copy / "pipe.py")
    cited = ["../secret.py:1", "link.py:1", "binary.py:1", "folder.py:1", "pipe.py:1", "gone.py:1"]
    assert read_excerpts(reader(*cited), copy) == ()
    (copy / "real.py").write_text("real = 1\n")
    assert [lent.text for lent in read_excerpts(reader(*cited, "real.py:1"), copy)] == ["real = 1"]


def test_what_is_cited_comes_before_what_is_only_named(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.py").write_text(f"{name} = 1\n")
    found = read_excerpts(reader("Begin at `a.py`, then b.py.", "See d.py:1."), tmp_path)
    assert [lent.excerpt.path for lent in found] == ["d.py", "a.py", "b.py"]
