import json
import random

import pytest
from tests.hostile import Provocation, grows_too_fast

from teamlead.forms.answers.whole_json import whole_objects

VALUES = [
    {},
    {"a": [1, -2.5, 1e9, True, False, None, "", 'q"\\/\b\n\t\u1234\u00e9', [], {}, [{"b": []}]]},
    {"a": {"b": {"c": [[[{"d": 0}]]]}}},
]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("spaced", [None, 1])
def test_what_json_reads_is_read_alike(value: object, spaced: int | None) -> None:
    text = json.dumps(value, indent=spaced)
    assert list(whole_objects(text)) == [value]
    assert list(whole_objects(f'{{"a": {text} {text}')) == [value, value]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a" 1}',
        '{"a": 01}',
        '{"a": "x\ny"}',
        '{"a": "\\x"}',
        '{"a": [1}',
        "[1]",
    ],
)
def test_what_json_does_not_read_is_none(text: str) -> None:
    assert list(whole_objects(text)) == []


def test_lists_count_where_they_are_asked_for_and_then_what_is_in_them_does_not() -> None:
    text = 'x [{"a": 1}] {"b": [2]}'
    assert list(whole_objects(text)) == [{"a": 1}, {"b": [2]}]
    assert list(whole_objects(text, lists=True)) == [[{"a": 1}], {"b": [2]}]


def test_random_pieces_are_whole_wherever_json_itself_says_so() -> None:
    dice = random.Random(1)
    pieces = ["{", "}", "[", "]", '"', '"a"', ":", ",", "1", "\\", " ", '{"a":', '"}', "null", "\n"]
    for _ in range(3000):
        text = "".join(dice.choices(pieces, k=dice.randrange(30)))
        assert list(whole_objects(text, lists=True)) == expected(text)


def expected(text: str) -> list[object]:
    """As found by trying every place, which takes the square of the text's length."""
    found: list[object] = []
    at = 0
    while at < len(text):
        try:
            if text[at] in "{[":
                value, at = json.JSONDecoder().raw_decode(text, at)
                found.append(value)
                continue
        except ValueError:
            pass
        at += 1
    return found


@pytest.mark.parametrize(
    "part",
    [
        "{",
        "[",
        '{"a":',
        '[{"a":',
        '["[",',
        '[",[" , ',
        '{"',
        "{'",
        '{"a":"\\"',
        "[1,",
        '{"a":1,',
        "[ ",
        '"[1,",",',
    ],
)
def test_the_work_grows_with_the_text_whatever_is_never_closed(part: str) -> None:
    assert grows_too_fast(lambda text: list(whole_objects(text, lists=True)), Provocation("", part, "")) == ""
