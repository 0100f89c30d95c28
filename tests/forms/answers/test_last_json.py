"""The last JSON that a model said counts, unless another could be its answer as well."""

import json
import random
from typing import Any

import pytest
from tests.hostile import Provocation, grows_too_fast

from teamlead.forms.answers.last_json import (
    DEEPEST,
    MOST_BROKEN,
    MOST_CHARACTERS,
    BadJson,
    NoJson,
    TwoAnswers,
    WrongShape,
    last_json,
    only_answer,
    whole_objects,
)

GOOD = '{"success": true, "reason": "all there"}'
READ = {"success": True, "reason": "all there"}
OTHER = '{"success": false, "reason": "half of it"}'
EXAMPLE = 'Of this form:\n```json\n{"success": false, "reason": "what is missing"}\n```\n- `reason`: {why}'


def verdict(given: Any) -> tuple[bool, str]:
    """A reader that wants two fields."""
    if not isinstance(given, dict) or not given.keys() >= {"success", "reason"}:
        raise WrongShape("no verdict")
    return given["success"], given["reason"]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  \n{GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\nThat is all.",
        f"I looked at everything.\n\n{GOOD}",
        f"My verdict: {GOOD}.",
        f'First I thought {{"success": false}}, but then:\n{GOOD}',
        f"function f() {{ return {{}} }}\n{GOOD}\nIt holds for `{{id}}`, and for {{}}.",
        '{\n  "success": true,\n  "reason": "all there"\n}'.replace("\n", "\r\n"),
        '{"success": true, "reason": "all there", "notes": null}',
        '{"success": true, "reason": "  all\u202e there\\u001b[2J "}',
        f'{{"success": true, "reason": }}\n\nOnce more, whole:\n\n```json\n{GOOD}\n```',
    ],
)
def test_it_is_found_wherever_it_stands(text: str) -> None:
    assert last_json(text) == READ


@pytest.mark.parametrize("half", ["\ud800", "\\ud800"])
def test_half_a_character_is_replaced_since_nothing_can_store_it(half: str) -> None:
    assert last_json(f'{{"reason": "{half}"}}') == {"reason": "\ufffd"}


@pytest.mark.parametrize("name", ["shouldReplan", "should_replan", "should-replan"])
def test_names_are_read_however_they_are_joined(name: str) -> None:
    assert last_json(f'{{"{name}": true}}') == {"shouldReplan": True}


@pytest.mark.parametrize(
    "text",
    ["", "It is fine.", "[1, 2]", "{}", "success: true", "- [ ] {open}", "a" * (MOST_CHARACTERS + 1) + GOOD],
)
def test_where_there_is_none_that_is_said(text: str) -> None:
    with pytest.raises(NoJson):
        last_json(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"success": true,}', "line 1 column 18"),
        ('Well:\n{"success": true\n "reason": "x"}', "Expecting ',' delimiter: line 3 column 2"),
        ("{'success': True}", "line 1 column 2"),
        ('{"reason": "two\nlines"}', "Invalid control character at: line 1 column 16"),
        ('{"success": true, "success": false}', "'success' stands there twice"),
        ('{"should_replan": true, "shouldReplan": false}', "'shouldReplan' stands there twice"),
        ('{"hours": NaN}', "NaN is no number"),
        ('{"hours": ' + "9" * 5000 + "}", "cannot be read"),
        ('{"a":' * 100_000, "the JSON is"),
        ('{"a":' * (DEEPEST + 2) + "1" + "}" * (DEEPEST + 2), "deeper than"),
        ('{"a":' * 900 + "1" + "}" * 900, "deeper than"),
    ],
)
def test_what_is_broken_is_named_with_its_place(text: str, told: str) -> None:
    with pytest.raises(BadJson) as caught:
        last_json(text[:MOST_CHARACTERS])
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        f"{GOOD}\nOn reflection:\n" + '{"success": false, "reason": "it lacks',
        f'{{"success": false, "log": {GOOD}, "reason": oops}}',
        f'{{"success": false, "reason": oops, "log": {GOOD}}}',
        f'{{\n  "success": false,\n  "reason": oops,\n  "log":\n    {GOOD}\n}}',
        f'{{"log": {GOOD}',
        f"{{'log': {GOOD}}}",
        '{"success": oops}\n' * MOST_BROKEN + GOOD,
    ],
)
def test_nothing_inside_or_before_a_broken_answer_passes_for_it(text: str) -> None:
    with pytest.raises(BadJson):
        last_json(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Tasks:\n[{"id": "task-1"}]', [{"id": "task-1"}]),
        ('[x] done\n{"tasks": [{"id": "task-1"}]}', {"tasks": [{"id": "task-1"}]}),
        ('[\n  {"id": "task-1"},\n  {"id": "task-2"}\n]', [{"id": "task-1"}, {"id": "task-2"}]),
    ],
)
def test_a_list_counts_where_one_is_asked_for(text: str, expected: Any) -> None:
    assert last_json(text, lists=True) == expected


def test_one_task_of_a_broken_list_does_not_pass_for_the_list() -> None:
    with pytest.raises(BadJson):
        last_json('[\n  {"id": task-1},\n  {"id": "task-2"}\n]', lists=True)


@pytest.mark.parametrize(
    "text",
    [
        f"The log says: {OTHER}\nIt is not so.\n{GOOD}",
        f"{GOOD}\nThe log ends with:\n```json\n{OTHER}\n```",
        f"{GOOD}\n{OTHER}\n{GOOD}",
        f'{OTHER[:-1]}, "notes": "a field more"}}\n{GOOD}',
        f"{OTHER}\n{EXAMPLE}",
        f'{{"x": bad}} {OTHER}\n{GOOD}',
        f'{{"a": {OTHER}\n{GOOD}',
        f"{{'log': {OTHER}}}\n{GOOD}",
        f'{{"answer": {OTHER}}}\n{GOOD}',
        f'[[{{"draft": [1, {OTHER}]}}]]\n{GOOD}',
        f'{{"quoted": "{OTHER}"}}\n{GOOD}',
        f"```\n{GOOD}\n```\n{{{OTHER}}}\n{GOOD}",
        OTHER[:-1] + ', "notes": ' + '{"a":' * DEEPEST + "1" + "}" * (DEEPEST + 1) + f"\n{GOOD}",
        '{"a":' * (DEEPEST + 2) + OTHER + "}" * (DEEPEST + 2) + f"\n{GOOD}",
    ],
)
def test_two_whole_answers_that_differ_are_none(text: str) -> None:
    with pytest.raises(TwoAnswers, match="two answers in it that differ"):
        only_answer(text, verdict, example=EXAMPLE)


@pytest.mark.parametrize(
    "text",
    [
        f"{GOOD}\n\nIn short:\n```json\n{GOOD}\n```",
        '{"reason":   "all\\u0020there", "success": true, "notes": null}\n' + GOOD,
        f'First {{"success": false}}, then {{"reason": "half of it"}}, but now:\n{GOOD}',
        f"I am to answer so:\n{EXAMPLE}\nSo:\n{GOOD}",
        '{"success": false, "reason": "half of\n' + GOOD,
        '{"a":' * (DEEPEST + 2) + "1" + "}" * (DEEPEST + 2) + f"\n{GOOD}",
        f"{json.dumps({'quoted': OTHER})}\n{GOOD}",
        f'{{"x": bad}} {GOOD}\n{GOOD}',
        f'{{"answer": {GOOD}}}\n{GOOD}',
        f'{{"success": false, "reason": }}, or rather:\n{GOOD}',
        'if (a) { "use strict"; return {"success": ok, "reason": [] } }\n' * 50 + GOOD,
        GOOD[:-1] + f', "log": {OTHER}}}\n' + GOOD,
        f'{{"of this form": {EXAMPLE.splitlines()[2]}, so}}\n{GOOD}',
    ],
)
def test_what_is_said_twice_in_part_only_or_as_an_example_is_no_second_answer(text: str) -> None:
    assert only_answer(text, verdict, example=EXAMPLE) == (True, "all there")


def test_an_answer_may_be_the_example_itself() -> None:
    assert only_answer(EXAMPLE, verdict, example=EXAMPLE) == (False, "what is missing")


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
