"""Feedback is read where an agent writes it; whatever else it writes there is no feedback, and no crash."""

import json
from typing import Any

import pytest

from teamlead.core import reports as r
from teamlead.forms.feedback import read_feedback

IMPLEMENTATION = {"kind": "implementation", "result": "partial", "changes": ["a.py"], "notes": "half of it"}
EXPLORATION = {"kind": "exploration", "findings": "two ways", "recommendations": ["one"], "confidence": "low"}
DIFFICULTY: dict[str, Any] = {
    "kind": "difficulty",
    "issue": "no access",
    "attempts": ["asked"],
    "impediment": {"category": "dependency", "requestedAction": "escalate"},
    "suggestion": "a key",
}
HARD = r.DifficultyFeedback("no access", ("asked",), "dependency", "escalate", "a key")


def block(values: object) -> str:
    return f"Done.\n\n## Feedback\n\n```json\n{json.dumps(values, indent=2)}\n```\n"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (IMPLEMENTATION, r.ImplementationFeedback("partial", ("a.py",), "half of it")),
        (EXPLORATION, r.ExplorationFeedback("two ways", ("one",), "low")),
        (DIFFICULTY, HARD),
        ({"type": "exploration", "findings": "two ways"}, r.ExplorationFeedback("two ways")),
        ({"kind": "implementation", "result": "success", "notes": None}, r.ImplementationFeedback("success")),
        (
            {"kind": "difficulty", "issue": "no access", "category": "scope", "requestedAction": "replan"},
            r.DifficultyFeedback("no access", (), "scope", "replan"),
        ),
    ],
)
def test_each_kind_is_read(values: object, expected: r.Feedback) -> None:
    assert read_feedback(block(values)) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"## Feedback\n{json.dumps(DIFFICULTY)}",
        f"### feedback:\n```\n{json.dumps(DIFFICULTY)}\n```",
        f"## フィードバック\n\nAs asked:\n```json\n{json.dumps(DIFFICULTY)}\n```\nThat is all.",
        f"## 피드백\n```JSON\n{json.dumps(DIFFICULTY)}\n```",
        f"## Feedback\n```json\n{json.dumps(DIFFICULTY)}\n```\n## Status\n```json\n{{}}\n```",
        block(IMPLEMENTATION) + block(DIFFICULTY),
        block(DIFFICULTY).replace("\n", "\r\n"),
    ],
)
def test_it_is_found_wherever_its_heading_stands(text: str) -> None:
    assert read_feedback(text) == HARD


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I give no feedback.",
        json.dumps(DIFFICULTY),
        "## Feedback",
        "## Feedback\nIt went well.",
        "## Feedback\n```json\n{\n```",
        "## Feedback\n```json\n[1, 2]\n```",
        "## Feedback\n" + "[" * 100_000,
        "## Feedback\n" + '{"a":' * 100_000,
        block({**IMPLEMENTATION, "result": "great"}),
        block({**EXPLORATION, "confidence": 80}),
        block({**DIFFICULTY, "issue": None}),
        block({**DIFFICULTY, "issue": 7}),
        block({**DIFFICULTY, "attempts": [7]}),
        block({**IMPLEMENTATION, "kind": "praise"}),
        block({"findings": "two ways"}),
        block({**DIFFICULTY, "kind": ["difficulty"]}),
        block({**IMPLEMENTATION, "changes": "a.py"}),
        block(DIFFICULTY) + "\n## Feedback\nnone",
        '## Feedback\n{"kind": "\ud800"}',
    ],
)
def test_what_is_wrong_or_not_there_is_none(text: str) -> None:
    assert read_feedback(text) is None


def test_a_difficulty_may_name_what_else_it_would_have_to_change() -> None:
    given = {"type": "difficulty", "issue": "x", "paths": ["docs/"], "impediment": {"category": "scope"}}
    feedback = read_feedback(f"## Feedback\n\n```json\n{json.dumps(given)}\n```\n")
    assert isinstance(feedback, r.DifficultyFeedback)
    assert (feedback.category, feedback.paths) == ("scope", ("docs/",))


@pytest.mark.parametrize(
    "written",
    [
        {"impediment": {"category": "Dependency", "requestedAction": "Escalate"}},
        {"impediment": {"Category": "DEPENDENCY", "requested-action": " escalate "}},
        {"kind": "Difficulty"},
        {"action": "continue", "mood": {"bad": True}},
        {"impediment": {**DIFFICULTY["impediment"], "type": "network", "since": "noon"}},
        {"attempts": "asked"},
    ],
)
def test_a_difficulty_stands_however_it_is_written_and_whatever_is_said_besides(
    written: dict[str, object],
) -> None:
    assert read_feedback(block({**DIFFICULTY, **written})) == HARD


@pytest.mark.parametrize("unknown", ["blocked", "weather", 7, ["dependency"], {"name": "dependency"}])
def test_a_category_or_a_wish_that_nobody_knows_is_none_and_the_difficulty_stands(unknown: object) -> None:
    without = {**DIFFICULTY, "impediment": {"category": unknown, "requestedAction": unknown}}
    assert read_feedback(block(without)) == r.DifficultyFeedback("no access", ("asked",), suggestion="a key")
    wished = {**DIFFICULTY, "impediment": {"category": unknown, "requestedAction": "replan"}}
    assert read_feedback(block(wished)) == r.DifficultyFeedback(
        "no access", ("asked",), None, "replan", "a key"
    )


def test_the_words_of_other_feedback_may_have_any_case_and_others_beside_them() -> None:
    said = block({**IMPLEMENTATION, "kind": "Implementation", "result": "Partial", "mood": "bad"})
    assert read_feedback(said) == r.ImplementationFeedback("partial", ("a.py",), "half of it")
    said = block({**EXPLORATION, "confidence": "LOW", "impediment": {"findings": "none"}})
    assert read_feedback(said) == r.ExplorationFeedback("two ways", ("one",), "low")
