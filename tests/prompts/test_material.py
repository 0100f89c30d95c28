"""Nothing that others wrote ends the block it stands in, or fills a prompt."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamlead.prompts.material import HEAD_BYTES, MOST_BYTES, fenced, shortened


@given(st.text(alphabet="`~ab\n #"))
def test_no_line_of_the_data_can_close_its_fence(text: str) -> None:
    block = fenced(text, "log")
    if not text.strip():
        assert block == ""
        return
    first, *lines, last = block.split("\n")
    fence = first.removesuffix("data log")
    assert set(fence) == {"`"}
    assert last == fence
    assert all(len(run) < len(fence) for line in lines for run in re.findall("`+", line))


def test_what_steers_a_terminal_and_half_characters_are_taken_out() -> None:
    assert fenced("a\x1b[2Jb\ud800", "log") == "```data log\nab\ufffd\n```"


def test_the_bounds_are_ten_kilobytes_at_the_beginning_and_150_in_all() -> None:
    assert (HEAD_BYTES, MOST_BYTES) == (10 * 1024, 150 * 1024)


@pytest.mark.parametrize("text", ["", "a", "a" * MOST_BYTES, "é" * (MOST_BYTES // 2)])
def test_what_is_not_too_long_stays_as_it_is(text: str) -> None:
    assert shortened(text) == text


@pytest.mark.parametrize("more", [1, 2, 1000, 10**6])
def test_what_is_too_long_loses_its_middle_and_says_how_much(more: int) -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(MOST_BYTES + more))
    first, told, last = shortened(text).split("\n")
    assert first == text[:HEAD_BYTES]
    assert last == text[HEAD_BYTES - MOST_BYTES :]
    assert told == f"[... {more} bytes are left out here ...]"


def test_bytes_are_counted_and_no_letter_is_halved() -> None:
    told = shortened("\N{SNOWMAN}" * MOST_BYTES)
    assert len(told.encode()) <= MOST_BYTES + 60
    assert set(re.sub(r"\n\[.*\]\n", "", told)) == {"\N{SNOWMAN}"}
