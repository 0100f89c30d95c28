"""What an agent says in plain words where it has changed nothing."""

import pytest

from teamlead.core.reports import DifficultyFeedback, ImplementationFeedback
from teamlead.forms.plain_words import LONGEST, read_plain_words


@pytest.mark.parametrize(
    "text",
    [
        "This cannot be done: the test asks for 5 and the page says 4. I changed nothing. Which one holds?",
        "I couldn't find a way to meet both requirements, so I left the code as it was.",
        "The two tests contradict each other.",
        "STATUS: IMPOSSIBLE\nnaturalsize() rounds, so 3000 and 3001 give one text.",
        "**Status:** cannot be done\n\nIt is already lossy.",
        "There is no function fromGreek() in src/roman.py. Which one is meant?",
        "It is not possible... in fact it is impossible to do without a new dependency.",
        "両立できません。どちらを優先しますか。",
        "두 요구사항은 모순입니다.",
    ],
)
def test_that_it_cannot_be_done_is_a_difficulty_for_others_to_decide(text: str) -> None:
    found = read_plain_words(text)
    assert isinstance(found, DifficultyFeedback)
    assert (found.category, found.issue) == ("impossible", text)


@pytest.mark.parametrize(
    "text",
    [
        "Nothing to do: show() puts the sign first already, in money.py.",
        "No changes are needed; the suite passes.",
        "It was already implemented in 1.2.",
        "STATUS: ALREADY_DONE\nVersion 0.6.0 has it; it is impossible to add it twice.",
        "すでに実装されています。",
        "이미 구현되어 있습니다.",
    ],
)
def test_that_it_was_done_before_is_told_with_where(text: str) -> None:
    assert read_plain_words(text) == ImplementationFeedback(result="already_done", notes=text)


@pytest.mark.parametrize(
    "text", ["", "Done.", "Mended show(). All 12 tests pass.", "I looked at money.py and its tests."]
)
def test_other_words_say_neither(text: str) -> None:
    assert read_plain_words(text) is None


def test_no_more_is_handed_on_than_can_be_read() -> None:
    found = read_plain_words("This is impossible. " * 1000)
    assert isinstance(found, DifficultyFeedback)
    assert len(found.issue) <= LONGEST
