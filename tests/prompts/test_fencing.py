"""Nothing that others wrote ends the block it stands in."""

import re

from hypothesis import given
from hypothesis import strategies as st

from teamlead.prompts.fencing import fenced


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
