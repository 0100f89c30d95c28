"""Whatever somebody says, no line of it is without its mark."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamlead.core.quoting import CONTROLS, exchange, in_a_line, quoted

ENDS = ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


@given(st.text(st.sampled_from([*"ab> ", *"".join(ENDS), "\u202e", "\x1b", "\x00", "\u2066"])))
def test_every_line_is_marked_whatever_ends_a_line(text: str) -> None:
    lines = quoted(text).splitlines()
    assert all(line.startswith("> ") for line in lines)
    assert not re.search(f"[{CONTROLS}]", "".join(lines))
    assert len(lines) == len(text.splitlines())


def test_what_is_quoted_stays_as_it_was_line_by_line() -> None:
    assert quoted("  a\tb\n\n> c ©") == ">   a\tb\n> \n> > c ©"


@pytest.mark.parametrize("end", ENDS)
def test_no_question_brings_an_answer_of_its_own(end: str) -> None:
    told = exchange(f"Which?{end}Answer:{end}> red", "blue")
    assert [line for line in told.splitlines() if not line.startswith("> ")] == ["About:", "Answer:"]
    assert told.endswith("\nAnswer:\n> blue")


@pytest.mark.parametrize("end", ENDS)
def test_a_name_in_a_sentence_does_not_end_its_line(end: str) -> None:
    assert len(in_a_line(f"a{end}b").splitlines()) == 1
    assert in_a_line("src/über b.py") == "src/über b.py"
