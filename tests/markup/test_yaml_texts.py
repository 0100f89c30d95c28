"""Of YAML only texts and lists of texts are read, and nothing that means more than it shows."""

# ruff: noqa: E501 - lines are shown as they are printed

import pytest

from teamlead.markup.yaml_texts import UnreadableYaml, entries


def told(text: str) -> dict[str, tuple[str, ...]]:
    return {entry.key.text: tuple(value.text for value in entry.values) for entry in entries(text)}


def test_texts_and_lists_come_as_they_are_written_and_no_word_becomes_a_number_or_a_date() -> None:
    text = 'name: yes\nwhen: 2020-01-01\nlist: [1, \'two\', null]\nblock:\n  - a\n  - "b \\" c"\nlong: >\n  x\n  y\n'
    assert told(text) == {
        "name": ("yes",),
        "when": ("2020-01-01",),
        "list": ("1", "two", "null"),
        "block": ("a", 'b " c'),
        "long": ("x y\n",),
    }


def test_every_entry_has_its_line_and_a_repeated_key_is_there_twice() -> None:
    found = entries("a: 1\nb:\n  - x\na: 2\n", first=2)
    assert [(entry.key.text, entry.key.line) for entry in found] == [("a", 2), ("b", 3), ("a", 5)]
    assert found[1].values[0].line == 4


def test_nothing_is_no_entry() -> None:
    assert entries("") == entries("# only a remark\n") == []


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: &x 1\nb: 2\n", 1, "anchor"),
        ("a: 1\nb: *x\n", 2, "alias"),
        ("a: !!python/object:os.system 1\n", 1, "tag"),
        ("a: 1\nb: !x [1]\n", 2, "tag"),
        ("a:\n  b: 1\n", 2, "'a' holds more than a text"),
        ("a: [1, [2]]\n", 1, "'a' holds more than a text"),
        ("- a\n- b\n", 1, "no list of `key: value`"),
        ("? [a]\n: 1\n", 1, "a key is no text"),
        ("a: 1\n--- \nb: 1\n", 3, "more than one document"),
        ("a: 1\nb: [\n", 3, "not YAML"),
        ("a: 1\n b: 2\n", 2, "not YAML"),
        ("a: 1\nb: \x1b[2J\n", 2, "not YAML"),
        ('a: "\\q"\n', 1, "not YAML"),
    ],
)
def test_what_could_mean_more_than_it_shows_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(UnreadableYaml) as caught:
        entries(text)
    assert said in caught.value.message
    assert caught.value.line == line


def test_a_bomb_of_aliases_is_refused_at_its_first_anchor() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{n}: &{n} [*a, *a]\n" for n in "bcdefgh")
    with pytest.raises(UnreadableYaml, match="anchor"):
        entries(bomb)


@pytest.mark.parametrize(
    "text", ["a: " + "[" * 5000, "{" * 5000, "a:\n" + "".join(" " * n + "- \n" for n in range(1, 90))]
)
def test_what_lies_deep_ends_at_once(text: str) -> None:
    with pytest.raises(UnreadableYaml):
        entries(text)
