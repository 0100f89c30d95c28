"""Words are known by what they mean, however they are written."""

import pytest

from teamlead.system.vocabulary import Vocabulary

COLOURS = Vocabulary({"red": ("Red", "Bright red", "赤"), "green": ("Green", "초록")})


@pytest.mark.parametrize("word", ["Red", "RED", "**red**", "bright-red", "Bright  Red (the sign)", "赤"])
def test_case_spaces_markup_and_asides_do_not_matter(word: str) -> None:
    assert COLOURS.meaning(word) == "red"


def test_a_word_that_is_not_there_means_nothing() -> None:
    assert COLOURS.meaning("blue") is None


@pytest.mark.parametrize("word", ["gren", "greeen", "grean", "gree n"])
def test_the_nearest_word_is_one_letter_away(word: str) -> None:
    assert COLOURS.nearest(word) == "Green"


@pytest.mark.parametrize("word", ["blue", "re", "grrr", "g" * 100_000])
def test_what_is_further_away_or_too_short_is_near_to_nothing(word: str) -> None:
    assert COLOURS.nearest(word) is None
