"""Feedback is read where an agent writes it; whatever else it writes there is no feedback, and no crash."""

import json

import pytest

from teamlead.core import reports as r
from teamlead.forms.feedback import read_feedback

IMPLEMENTATION = {"kind": "implementation", "result": "partial", "changes": ["a.py"], "notes": "half of it"}
EXPLORATION = {"kind": "exploration", "findings": "two ways", "recommendations": ["one"], "confidence": "low"}
DIFFICULTY = {
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
        block({**DIFFICULTY, "impediment": {"category": "weather"}}),
        block({**DIFFICULTY, "mood": "bad"}),
        block({**IMPLEMENTATION, "kind": "praise"}),
        block({"findings": "two ways"}),
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
