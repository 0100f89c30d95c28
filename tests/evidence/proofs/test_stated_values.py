"""What sentences say that an expression gives."""

import pytest

from teamlead.evidence.proofs.stated_values import Stated, stated_values, turned_values


def pairs(text: str) -> list[tuple[str, str]]:
    return [(each.expression, each.value) for each in stated_values([text])]


@pytest.mark.parametrize(
    ("text", "expression", "value"),
    [
        ("`double(2)` is `4`.", "double(2)", "4"),
        ("So `double(2)` must give 4, always.", "double(2)", "4"),
        ('`slug("A b")` has to return `"a-b"`', 'slug("A b")', '"a-b"'),
        ("Give `double(2) == 4` back.", "double(2)", "4"),
        ("`merge({a: 1}, {b: 2})` → `{a: 1, b: 2}`", "merge({a: 1}, {b: 2})", "{a: 1, b: 2}"),
        ("- `split('a,b')` -> `['a', 'b']`", "split('a,b')", "['a', 'b']"),
        ("For example, slug('A. B') gives 'a-b'.", "slug('A. B')", "'a-b'"),
        ("```python\nassert double(2) == 4\n```", "double(2)", "4"),
        ("```js\ndouble(2) // => 4\n```", "double(2)", "4"),
        (">>> double(2)\n4\n", "double(2)", "4"),
        ("It should return `'a-b'` for `slug('A b')`.", "slug('A b')", "'a-b'"),
        ("`double(2)` は `4` を返す。", "double(2)", "4"),
        ("`double(2)`は`4`になる", "double(2)", "4"),
        ("`double(2)`는 `4`를 반환한다.", "double(2)", "4"),
        ("`double(2)` gives `5`, but it must be `4`.", "double(2)", "4"),
        ("`double(2)` gives `5`. It should be `4`.", "double(2)", "4"),
        (
            "With `depth: 1` only the top is merged, so `m({a: 1})` is\n`{a: 1}`. Else not.",
            "m({a: 1})",
            "{a: 1}",
        ),
        ("`Account(3).total()` equals `3`", "Account(3).total()", "3"),
    ],
)
def test_a_sentence_with_an_expression_and_its_value_is_read(text: str, expression: str, value: str) -> None:
    assert pairs(text) == [(expression, value)]


@pytest.mark.parametrize(
    "text",
    [
        "`double(2)` is not `4`.",
        "`double(2)` is called for each line.",
        "`double(2)` is 3 times faster than before.",
        "`double(2)` is `4` if `strict` is set.",
        "With `strict: true`, `double(2)` gives `4`.",
        "Today `double(2)` gives `5`.",
        "It is wrong that `double(2)` is `5`.",
        "`double(2)` is about 4.",
        "`double(...)` is `4`",
        "`double(2)` は `4` を返さない。",
        "`double` is `4`",
        "`double(2)` or `double(3)`",
        "`def main() -> None` and def double() -> 4",
    ],
)
def test_what_says_nothing_that_could_be_tried_is_passed_over(text: str) -> None:
    assert pairs(text) == []


def test_words_that_want_something_are_told_from_those_that_may_tell_how_it_was() -> None:
    said = stated_values(["`a(1)` gives `2`. `b(1)` must give `3`. `c(1)` stays `4`. `d(1) == 5`"])

    assert [each.must for each in sorted(said)] == [False, True, True, True]


def test_an_error_that_is_raised_is_a_value_too() -> None:
    (said,) = stated_values(["`parse('x')` raises a `ValueError`."])

    assert said == Stated("parse('x')", "ValueError", "`parse('x')` raises a `ValueError`.", raises=True)
    assert stated_values(["`parse('x')` throws an Error"])[0].value == "Error"


def test_what_becomes_something_needs_no_function() -> None:
    (turned,) = turned_values(["`A b` becomes `a-b`."])

    assert (turned.given, turned.value) == ("A b", "a-b")
