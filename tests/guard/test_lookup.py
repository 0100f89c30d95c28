"""A lead reads one value itself, and no more."""

import os
from pathlib import Path

import pytest

from teamlead.core.policy.exemptions import Context, Portion
from teamlead.guard.lookup import ENOUGH, LARGEST, files_below, judge_read, judge_search, lines_of


def files(*lines: int) -> list[Portion]:
    return [Portion(f"file-{number}.py", count) for number, count in enumerate(lines)]


@pytest.mark.parametrize("lines", [(1,), (200,), (100, 100, 100), (200, 99, 1), (0, 0, 0)])
def test_a_lookup_within_every_limit_is_allowed(lines: tuple[int, ...]) -> None:
    verdict = judge_read(files(*lines))
    assert verdict.allowed
    assert verdict.exemption == "quick-lookup"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ((1, 1, 1, 1), "4 files are more than the 3 of a lookup"),
        ((201,), "201 lines of file-0.py are more than the 200 a file"),
        ((150, 151), "301 lines are more than the 300 in total"),
        ((101, 100, 100), "301 lines are more than the 300 in total"),
    ],
)
def test_a_lookup_one_step_over_a_limit_goes_to_the_explorer(lines: tuple[int, ...], reason: str) -> None:
    verdict = judge_read(files(*lines))
    assert (verdict.allowed, verdict.reason, verdict.role) == (False, reason, "code-explorer")


def test_parts_of_one_file_count_as_one_file_and_add_up() -> None:
    assert judge_read([Portion("a", 50)] * 4).allowed
    assert not judge_read([Portion("a", 51)] * 4).allowed


@pytest.mark.parametrize(("seconds", "allowed"), [(0, True), (9.9, True), (10, False), (60, False)])
def test_a_lookup_takes_less_than_ten_seconds(*, seconds: float, allowed: bool) -> None:
    assert judge_read(files(1), seconds=seconds).allowed is allowed


@pytest.mark.parametrize(
    ("context", "lines", "allowed"),
    [
        ("fallback", (200, 200, 200), True),
        ("fallback", (201,), False),
        ("fallback", (1, 1, 1, 1), False),
        ("reference", (200, 100), True),
        ("reference", (201,), False),
        ("reference", (1, 1, 1, 1), False),
        ("metadata", (100_000,) * 9, True),
        ("presentation", (300,), True),
        ("presentation", (60,) * 5, True),
        ("presentation", (301,), False),
        ("presentation", (61,) * 5, False),
    ],
)
def test_each_context_has_its_own_limits(*, context: Context, lines: tuple[int, ...], allowed: bool) -> None:
    assert judge_read(files(*lines), context).allowed is allowed


@pytest.mark.parametrize(("looked_into", "allowed"), [(0, True), (1, True), (3, True), (4, False)])
def test_a_search_looks_into_at_most_three_files(*, looked_into: int, allowed: bool) -> None:
    assert judge_search(looked_into).allowed is allowed


def test_a_second_search_in_one_lookup_goes_to_the_explorer() -> None:
    verdict = judge_search(1, earlier=1)
    assert (verdict.allowed, verdict.role) == (False, "code-explorer")


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
