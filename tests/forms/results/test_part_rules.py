import pytest

from teamlead.forms.results.part_rules import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a", 1),
        ("a" * 2000, 500),
        ("a" * 2001, 501),
        ("  word \n\n word  ", 3),
        ("読" * 4, 3),
        ("글" * 4, 3),
        ("é" * 4, 2),
        ("\ud800", 1),
    ],
)
def test_tokens_are_a_quarter_of_the_bytes(text: str, expected: int) -> None:
    assert tokens(text) == expected


def test_the_same_said_in_another_script_counts_about_the_same() -> None:
    english = "The parser reads empty files and reports the line of every mistake."
    japanese = "パーサーは空のファイルを読み、すべての誤りの行を報告する。"
    korean = "파서는 빈 파일을 읽고 모든 오류의 줄을 보고한다."
    counts = [tokens(text) for text in (english, japanese, korean)]
    assert max(counts) < 1.5 * min(counts)
