import pytest

from teamlead.system.text import clip, printable, tail


@pytest.mark.parametrize(
    ("hostile", "safe"),
    [
        ("plain ünïcode 日本\ttab\nline", "plain ünïcode 日本\ttab\nline"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[?1049h\x1b[2Jgone?", "gone?"),
        ("\x1b]0;title\x07shown", "shown"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;cGFzdGU=\x9cshown", "shown"),
        ("\x1bP1$r0m\x1b\\shown", "shown"),
        ("\x9b31mred", "red"),
        ("\x9d0;title\x07shown", "shown"),
        ("\x1bcreset", "reset"),
        ("\x1b(0line drawing", "line drawing"),
        ("a\x00b\x08c\x0bd\x7fe\x85f", "abcdef"),
        ("over\rwritten\r\n", "overwritten\n"),
        ("user\u202egpj.exe\u2066x\u2069\u200f\u061c", "usergpj.exex"),
        ("half\ud800", "half\ufffd"),
    ],
)
def test_controls_and_escape_sequences_vanish_and_text_stays(hostile: str, safe: str) -> None:
    assert printable(hostile) == safe


def test_an_unterminated_string_sequence_cannot_hide_what_follows() -> None:
    assert printable("\x1b]0;title\nerror: tests failed") == "0;title\nerror: tests failed"


def test_nothing_can_reassemble_into_a_sequence_after_stripping() -> None:
    assert "\x1b" not in printable("\x1b\x00[31m\x1b\x1b[0m[31m")


def test_the_tail_keeps_the_last_lines_and_marks_the_cut() -> None:
    assert tail("1\n2\n3\n4\n", lines=2, chars=100) == "[...]\n3\n4"


def test_the_tail_of_a_short_text_is_the_text() -> None:
    assert tail("1\n2\n", lines=2, chars=100) == "1\n2"


def test_the_tail_keeps_the_end_of_a_long_line() -> None:
    assert tail("x" * 50 + "end", lines=5, chars=3) == "[...]\nend"


def test_a_clipped_text_keeps_its_beginning() -> None:
    assert clip("abcdef", 3) == "abc [...]"
    assert clip("abc", 3) == "abc"
