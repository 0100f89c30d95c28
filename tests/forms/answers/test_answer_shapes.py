"""What a model says besides never changes its answer: it is passed over, or the answer is refused."""

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.forms.answers.test_breakdown import LEAST
from tests.forms.answers.test_readers import ANALYSIS, TASK

from teamlead.core.runs import Purpose
from teamlead.errors import Unreadable
from teamlead.forms.answers.breakdown import read_breakdown
from teamlead.forms.answers.last_json import WrongShape
from teamlead.forms.catalogue import answer_to

CRITERION = {"criterion": "each can be tested", "met": True}
ANSWERS: dict[Purpose, dict[str, Any]] = {
    "judge": {"success": True, "reason": "it holds"},
    "replan": {"tasks": [TASK], "reason": "smaller"},
    "review": {"tasks": [], "reason": "stop it"},
    "complete": {"fulfilled": True, "reason": "all of it"},
    "validate": ANALYSIS,
    "advise": ANALYSIS,
}
FIELDS = {
    "judge": (
        "success",
        "reason",
        "missingRequirements",
        "shouldContinue",
        "shouldReplan",
        "alreadySatisfied",
    ),
    "replan": ("tasks", "questions", "reason", "title"),
    "review": ("tasks", "questions", "reason", "title"),
    "complete": ("fulfilled", "reason", "missing", "tasks"),
    "validate": tuple(ANALYSIS),
    "advise": (*ANALYSIS, "contradiction"),
}
ASIDES = ("notes", "score", "severity", "filesReviewed", "备注", "$schema", "x", "")
WORDS = st.text(max_size=20).filter(lambda text: "task" not in text)
HARMLESS = st.recursive(
    WORDS | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3), max_leaves=5
)
ANYTHING = st.recursive(
    WORDS | st.booleans() | st.none() | st.just("task-1"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(ASIDES), inner, max_size=2),
    max_leaves=5,
)
PURPOSES = st.sampled_from(sorted(ANSWERS))


def with_field(purpose: Purpose, name: str, value: Any) -> str:
    return json.dumps({**ANSWERS[purpose], name: value})


@given(PURPOSES, st.sampled_from(ASIDES), HARMLESS)
def test_an_aside_is_passed_over(purpose: Purpose, name: str, value: Any) -> None:
    said = with_field(purpose, name, value)
    assert answer_to(purpose, said) == answer_to(purpose, json.dumps(ANSWERS[purpose]))


@given(PURPOSES, WORDS | st.sampled_from(ASIDES), ANYTHING)
def test_an_unknown_field_never_changes_an_answer(purpose: Purpose, name: str, value: Any) -> None:
    assume(name not in FIELDS[purpose])
    try:
        read = answer_to(purpose, with_field(purpose, name, value))
    except Unreadable:
        return
    assert read == answer_to(purpose, json.dumps(ANSWERS[purpose]))


@given(PURPOSES, st.data())
def test_a_name_that_is_known_but_for_a_typo_is_refused_and_told(
    purpose: Purpose, data: st.DataObject
) -> None:
    field = data.draw(st.sampled_from(FIELDS[purpose]))
    at = data.draw(st.integers(0, len(field) - 1))
    letter = data.draw(st.sampled_from("aeiou"))
    name = data.draw(
        st.sampled_from(
            [
                field.upper(),
                field.capitalize(),
                "_".join(field) + "_",
                field[:at] + field[at + 1 :],
                field[:at] + letter + field[at:],
                field[:at] + letter + field[at + 1 :],
                field[:at] + field[at + 1 : at + 2] + field[at] + field[at + 2 :],
            ]
        )
    )
    assume(name not in FIELDS[purpose])
    with pytest.raises(WrongShape, match="unknown field"):
        answer_to(purpose, with_field(purpose, name, "x"))


@pytest.mark.parametrize(
    ("purpose", "name", "value", "told"),
    [
        ("judge", "missing", ["the log"], "`missing`, which may be meant as `missingRequirements`"),
        ("judge", "verdict", "fail", "`verdict`, which may be another verdict"),
        ("judge", "overall_status", "blocked", "`overallStatus`, which may be another verdict"),
        ("judge", "safe", False, "`safe`, which may be another verdict"),
        ("judge", "review", {"success": "no"}, "`review`, which may be another verdict"),
        ("judge", "details", [{"passed": 3}], "`details`, which may be another verdict"),
        ("complete", "stillMissing", ["docs"], "`stillMissing`, which may be meant as `missing`"),
        ("review", "steps", [TASK], "`steps`, which names tasks"),
        ("replan", "openQuestions", ["Which?"], "`openQuestions`, which may be meant as `questions`"),
    ],
)
def test_what_could_decide_otherwise_is_refused(purpose: Purpose, name: str, value: Any, told: str) -> None:
    with pytest.raises(WrongShape) as caught:
        answer_to(purpose, with_field(purpose, name, value))
    assert f"unknown field {told}; the fields are" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("dependsOn", ["task-1"], "`dependsOn`, which may be meant as `dependencies`"),
        ("blockedBy", ["task-1"], "`blockedBy`, which names tasks"),
        ("estimated_hours", 3, "`estimatedHours`, which may be meant as `estimatedDuration`"),
    ],
)
def test_a_task_loses_nothing_that_it_says_in_other_words(name: str, value: Any, told: str) -> None:
    with pytest.raises(WrongShape) as caught:
        read_breakdown(json.dumps([TASK, {**LEAST, name: value}]))
    assert f"task-2: unknown field {told}" in str(caught.value)


def test_a_task_may_have_a_priority_and_files_beside_what_it_is_asked() -> None:
    plain = read_breakdown(json.dumps([LEAST]))
    assert (
        read_breakdown(json.dumps([{**LEAST, "priority": "high", "parallel": True, "paths": ["a"]}])) == plain
    )


def test_the_longer_word_for_a_field_that_is_there_is_an_aside() -> None:
    said = with_field("judge", "reasoning", "I looked at every file.")
    assert answer_to("judge", said) == answer_to("judge", json.dumps(ANSWERS["judge"]))


def test_marks_beside_the_criteria_do_not_count() -> None:
    plain = {"critical": [CRITERION], "important": [{**CRITERION, "met": False}]}
    said = {**plain, "score": 100, "critical": [{**CRITERION, "evidence": "task-1 names a command"}]}
    assert answer_to("quality", json.dumps(said)) == answer_to("quality", json.dumps(plain))


@pytest.mark.parametrize("extra", [{"Met": False}, {"result": "no"}, {"reallyMet": False}])
def test_a_criterion_says_once_whether_it_is_met(extra: dict[str, Any]) -> None:
    with pytest.raises(WrongShape, match="unknown field"):
        answer_to("quality", json.dumps({"critical": [{**CRITERION, **extra}]}))


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}")])
def test_an_aside_that_is_nested_without_end_is_refused(opening: str, closing: str) -> None:
    deep = opening * 900 + "1" + closing * 900
    for purpose, said in ANSWERS.items():
        with pytest.raises(Unreadable):
            answer_to(purpose, f'{json.dumps(said)[:-1]}, "notes": {deep}}}')


def test_an_answer_with_nothing_that_was_asked_for_is_none() -> None:
    with pytest.raises(WrongShape, match="none of the fields; the fields are tasks, questions"):
        read_breakdown('{"plan": "later"}')
