"""How much is read is counted, and never endlessly."""

import os
from pathlib import Path

import pytest

from teamlead.guard.files import ENOUGH, LARGEST, files_below, lines_of


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", 0), ("one", 1), ("one\n", 1), ("one\ntwo", 2), ("\n\n", 2), ("x" * 500, 1), ("x" * 501, 2)],
)
def test_lines_are_counted_and_long_ones_count_as_several(text: str, lines: int, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    assert lines_of(path) == lines


@pytest.mark.parametrize(("start", "limit", "lines"), [(1, 3, 3), (8, 10, 3), (10, 1, 1), (11, 5, 0)])
def test_only_the_part_that_is_read_counts(start: int, limit: int, lines: int, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x\n" * 10)
    assert lines_of(path, start, limit) == lines


def test_what_is_no_file_has_no_lines_and_a_huge_one_enough(tmp_path: Path) -> None:
    assert lines_of(tmp_path) == lines_of(tmp_path / "nothing") == 0
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert lines_of(pipe) == 0
    with (huge := tmp_path / "huge").open("wb") as stream:
        stream.truncate(LARGEST + 1)
    assert lines_of(huge) == ENOUGH


@pytest.mark.parametrize(
    ("pattern", "files"),
    [("", 4), ("*.py", 2), ("src/*.py", 1), ("**/*.py", 2), ("*.md", 1), ("*.rs", 0)],
)
def test_files_of_a_search_are_counted_up_to_one_more_than_matter(
    pattern: str, files: int, tmp_path: Path
) -> None:
    for name in ("a.py", "src/b.py", "c.md", "src/deep/d.txt", ".git/config"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert files_below(tmp_path, pattern, most=10) == files
    assert files_below(tmp_path, pattern, most=1) == min(files, 2)
