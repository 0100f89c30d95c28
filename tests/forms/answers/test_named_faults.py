"""What a judge leaves out, and what it quotes that nobody wrote."""

import pytest
from msgspec.structs import replace

from teamlead.core.answers import Fulfils, Judgement, PlannedFor, Remark
from teamlead.forms.answers.named_faults import Asked, faults, stands

PLAN = "# A shop\n\n- Remove the `old` rate,\n  and its *tests*.\n"
ASKED = Asked(required=2, questions=1, changed=True, words=(PLAN, "Title"))
BOTH = (Fulfils(1, "a.py:1"), Fulfils(2, "a.py:2"))
ANSWERED = (PlannedFor(1, "Remove the old rate, and its tests"),)


def said(success: bool = True, **fields: object) -> list[str]:
    return list(faults(Judgement(success, "so it is", **fields), ASKED))  # type: ignore[arg-type]


def test_an_answer_with_all_that_was_asked_for_has_no_fault() -> None:
    assert said(fulfilled=BOTH, answers=ANSWERED) == []


def test_that_no_sentence_asks_for_something_is_an_answer() -> None:
    assert said(fulfilled=BOTH, answers=(PlannedFor(1),)) == []


def test_who_is_content_names_a_line_for_each_sentence() -> None:
    assert said(fulfilled=BOTH[1:], answers=ANSWERED) == ["`fulfilled` names no line for 1"]
    assert said(fulfilled=(*BOTH[1:], Fulfils(1)), answers=ANSWERED) == ["`fulfilled` names no line for 1"]


def test_who_is_content_answers_each_question() -> None:
    assert said(fulfilled=BOTH) == ["`answers` has none to question 1"]


@pytest.mark.parametrize("report", ["I added `gross`.", "gross() rounds now", "see tax.py:3"])
def test_who_is_content_says_which_line_bears_out_what_is_reported_of_code(report: str) -> None:
    asked = ASKED._replace(report=report, questions=0)
    content = Judgement(True, "so", fulfilled=BOTH)
    assert list(faults(content, asked)) == ["`statements` is empty, and the report says something of code"]
    stated = replace(content, statements=(Remark("it rounds", "tax.py:3"),))
    assert list(faults(stated, asked)) == []
    assert list(faults(content, asked._replace(changed=False))) == []


@pytest.mark.parametrize("report", ["", "Done. All tests pass.", "Files changed: tax.py, tests/test_tax.py."])
def test_a_report_that_says_nothing_of_code_needs_no_line(report: str) -> None:
    asked = ASKED._replace(report=report, questions=0)
    assert list(faults(Judgement(True, "so", fulfilled=BOTH), asked)) == []


def test_who_is_not_content_owes_no_places() -> None:
    assert said(success=False) == []


def test_where_nothing_was_changed_no_line_is_owed() -> None:
    assert list(faults(Judgement(True, "so"), ASKED._replace(changed=False, questions=0))) == []


@pytest.mark.parametrize("success", [True, False])
def test_numbers_that_nobody_asked_about_are_none(success: bool) -> None:
    further = (*BOTH, Fulfils(3, "a.py:1"))
    assert said(success, fulfilled=further, answers=ANSWERED) == [
        "`fulfilled` has the number 3, and there are 2"
    ]


def test_a_sentence_that_stands_nowhere_is_told() -> None:
    (told,) = said(fulfilled=BOTH, answers=(PlannedFor(1, "All tests may go"),))
    assert told.startswith("'All tests may go' stands neither in the plan nor in the task")


@pytest.mark.parametrize(
    ("sentence", "there"),
    [
        ("Remove the old rate, and its tests.", True),
        ("remove the  OLD rate", True),
        ("the old", False),
        ("", False),
        ("Remove the new rate", False),
    ],
)
def test_a_sentence_is_known_by_its_words_and_a_scrap_is_none(sentence: str, there: bool) -> None:
    assert stands(sentence, ASKED.words) is there
