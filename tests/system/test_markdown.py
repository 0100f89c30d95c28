"""Lines of Markdown are told apart: headings, code, and the rest."""

import pytest

from teamlead.system.markdown import Line, fence, lines_of, longest_ticks

MEGABYTE = 1_000_000


def code(*lines: str) -> list[int]:
    return [line.number for line in lines_of(lines) if line.code]


def test_headings_come_without_their_marks_and_with_their_level() -> None:
    assert list(lines_of(["# One #", "text", "   ### Three", "    # code", "#none"])) == [
        Line(1, "One", 1),
        Line(2, "text"),
        Line(3, "Three", 3),
        Line(4, "    # code"),
        Line(5, "#none"),
    ]


def test_nothing_in_a_block_of_code_is_a_heading() -> None:
    assert code("```py", "# a comment", "```", "# Title") == [1, 2, 3]


@pytest.mark.parametrize(
    "opening", ["```", "~~~~", "  ```json", "- ```sh", "> ```", "``` text of more words"]
)
def test_a_block_may_stand_in_a_list_or_in_a_quotation(opening: str) -> None:
    mark = "~" * 4 if "~" in opening else "```"
    assert code("before", opening, "inside", mark, "after") == [2, 3, 4]


def test_a_shorter_fence_or_one_with_a_language_does_not_end_a_block() -> None:
    assert code("````", "```", "````py", "````", "after") == [1, 2, 3, 4]


def test_code_within_a_line_opens_no_block() -> None:
    assert fence("```inline``` is no block") is None


def test_a_long_line_is_read_at_once() -> None:
    assert fence("```" + " " * MEGABYTE + "x" * MEGABYTE + "`") is None


def test_the_longest_run_of_backticks_is_counted() -> None:
    assert [longest_ticks(text) for text in ("", "a `b` c", "```\n`````")] == [0, 1, 5]
