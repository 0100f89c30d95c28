"""What agents call tools with becomes a checked value, or a sentence they can act on: never anything else."""

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamlead.core import facts as f
from teamlead.core import reports as r
from teamlead.core.model import Question
from teamlead.core.roles import BUILT_IN
from teamlead.errors import UsageError
from teamlead.forms.results.contract import blocking, read_document
from teamlead.mcp.tool_calls import MOST, fact_of, question_of
from teamlead.mcp.tools import TOOLS, Schema

SHAPES = {tool.name: tool.shape for tool in TOOLS}
REPORTING = sorted(SHAPES.keys() - {"ask_human", "read_messages", "list_tasks"})
ROLES = ["worker", *(name for name, role in BUILT_IN.items() if role.reports)]
RESULT: dict[str, Any] = {
    "status": "SUCCESS",
    "summary": "done",
    "findings": "none",
    "references": [{"item": "parse", "place": "src/parse.py:12", "relevance": "the mistake"}],
    "confidence": 72,
    "confidence_reason": "tests",
    "checklist": dict.fromkeys(r.Checklist.__struct_fields__, True),
}


def fact(tool: str, **arguments: object) -> f.AnyFact:
    return fact_of(tool, arguments, "task-1", 1)


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("report_progress", {}, "missing required field `text`"),
        ("report_progress", {"text": "  \n"}, "missing required field `text`"),
        ("report_progress", {"text": None}, "missing required field `text`"),
        ("report_progress", {"text": 7}, "Expected `str`, got `int` - at `text`"),
        ("report_progress", {"text": "x", "mood": "good"}, "unknown field `mood`"),
        ("send_message", {"to": "task-2", "text": "x"}, "field `to`; the fields are recipient, text"),
        ("update_task", {"id": "task-1"}, "field `id`; the fields are task, status, note"),
        (
            "report_feedback",
            {"kind": "Implementation", "result": "success", "mood": "good"},
            "field `mood`; the fields are kind, result, changes, notes",
        ),
        (
            "report_feedback",
            {"impediment": {"category": "scope"}, "kind": "difficulty", "issue": "x"},
            "field `impediment`; the fields are kind, issue, attempts, category, requested_action",
        ),
        (
            "report_feedback",
            {"kind": "difficulty", "issue": "x", "category": "blocked"},
            "Invalid enum value 'blocked' - at `category`",
        ),
        ("report_progress", {"text": "x" * MOST}, f"a call takes at most {MOST}"),
        ("report_feedback", {"result": "success"}, "missing required field `kind`"),
        ("report_feedback", {"kind": "praise"}, "Invalid value 'praise' - at `kind`"),
        ("report_feedback", {"kind": "difficulty"}, "missing required field `issue`"),
        ("report_feedback", {"kind": "exploration", "findings": "x", "result": "failed"}, "field `result`"),
        ("submit_result", {**RESULT, "status": "DONE"}, "L1 known-status: the status 'DONE' is none"),
        (
            "submit_result",
            {**RESULT, "confidence": 101},
            "L1 confidence-range: 101 is no number from 0 to 100",
        ),
        (
            "submit_result",
            {**RESULT, "references": None},
            "L1 required-sections: 'Key References' is missing",
        ),
        (
            "submit_result",
            {**RESULT, "references": [{"item": "x"}]},
            "references[0]: Object missing required",
        ),
        ("submit_result", {**RESULT, "issues": [{"text": "x", "severity": "bad"}]}, "L2 issue-severity"),
        ("submit_result", {**RESULT, "findings": "x" * MOST}, f"a call takes at most {MOST}"),
        ("send_message", {"text": "x"}, "missing required field `recipient`"),
        ("update_task", {"task": "task-1", "status": "finished"}, "Invalid enum value 'finished'"),
        ("ask_user", {"question": "x"}, "there is no tool 'ask_user'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tool: str, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as refusal:
        fact_of(tool, arguments, "task-1", 1)
    assert told in str(refusal.value)


@pytest.mark.parametrize("wish", [kind.__name__ for kind in get_args(f.Command)])
def test_no_tool_carries_a_persons_wish(wish: str) -> None:
    for tool in (wish, wish.lower()):
        with pytest.raises(UsageError, match="there is no tool"):
            fact_of(tool, {"task": "task-1", "who": {"user": "ada", "pid": 1}}, "task-1", 1)


def test_what_agents_get_nearly_right_is_taken_as_meant() -> None:
    submitted = fact("submit_result", **{**RESULT, "confidence": "72", "issues": None})
    assert isinstance(submitted, f.ResultSubmitted)
    assert submitted.result.confidence == 72
    # Every field there is filled in, the foreign ones with nothing.
    fields = {name: [] if field["type"] == "array" else "" for name, field in _fields("report_feedback")}
    given = fact(
        "report_feedback", **{**fields, "kind": "exploration", "findings": "two ways", "confidence": "low"}
    )
    assert given == f.FeedbackGiven("task-1", 1, r.ExplorationFeedback("two ways", confidence="low"))


def test_the_case_of_a_word_that_is_chosen_says_nothing() -> None:
    given = fact("report_feedback", kind="Difficulty", issue="No Access", category="Scope")
    assert given == f.FeedbackGiven("task-1", 1, r.DifficultyFeedback("No Access", category="scope"))


def test_a_question_with_a_wrong_field_is_told_the_right_ones() -> None:
    with pytest.raises(UsageError, match="field `text`; the fields are question, options"):
        question_of({"text": "which?"})


def test_all_that_a_result_breaks_is_told_at_once_and_nothing_recorded() -> None:
    with pytest.raises(UsageError) as refusal:
        fact(
            "submit_result", **{**RESULT, "status": "PARTIAL", "confidence": 80, "checklist": {}, "agent": 7}
        )
    told = str(refusal.value)
    assert [line.split(":")[0] for line in told.splitlines() if line.startswith("- ")] == [
        "- L1 required-sections",
        "- L1 blockers-reported",
        "- L1 checklist-complete",
        "- L1 confidence-breakdown",
    ]
    assert "nothing was recorded; mend it and hand it in again" in told


def test_a_result_is_held_to_the_form_of_its_role() -> None:
    with pytest.raises(UsageError, match="the findings are not in the form 'exploration'"):
        fact_of("submit_result", RESULT, "task-1", 1, role="code-explorer")
    details = {
        "entry_points": "`src/parse.py:12` parse()\n- `src/main.py:3` main()",
        "decision": "",
        "tests": "",
    }
    taken = fact_of("submit_result", {**RESULT, "details": details}, "task-1", 1, role="code-explorer")
    assert isinstance(taken, f.ResultSubmitted)
    assert taken.result.details == r.ExplorationFindings(
        ("`src/parse.py:12` parse()", "`src/main.py:3` main()")
    )


def test_a_result_is_held_to_the_form_of_its_task_rather_than_to_that_of_its_role() -> None:
    review = {**RESULT, "details": {"findings": []}}
    taken = fact_of("submit_result", review, "task-1", 1, role="system-architect", form="review")
    assert isinstance(taken, f.ResultSubmitted)
    assert taken.result.details == r.ReviewFindings()
    with pytest.raises(UsageError, match="the findings are not in the form 'design'"):
        fact_of("submit_result", review, "task-1", 1, role="system-architect")


def test_a_role_without_a_form_is_held_to_the_hard_rules_only() -> None:
    bold = {**RESULT, "confidence": 90, "breakdown": {"verified": 95, "inferred": 85}}
    with pytest.raises(UsageError, match="L2 confidence-justification"):
        fact_of("submit_result", bold, "task-1", 1, role="qa-engineer")
    assert isinstance(fact_of("submit_result", bold, "task-1", 1, role="worker"), f.ResultSubmitted)
    with pytest.raises(UsageError, match="L1 confidence-breakdown"):
        fact_of("submit_result", {**bold, "breakdown": None}, "task-1", 1, role="worker")


def test_a_question_has_its_options_if_there_are_some() -> None:
    assert question_of({"question": "which?"}) == Question("which?")
    assert question_of({"question": "which?", "options": ["a", "b"]}) == Question("which?", ("a", "b"))
    with pytest.raises(UsageError, match="question"):
        question_of({"options": ["a"]})


def _fields(tool: str) -> list[tuple[str, Schema]]:
    return list(SHAPES[tool]["properties"].items())


def _any_of(schema: Schema) -> st.SearchStrategy[Any]:
    """Whatever the shape that agents are shown allows."""
    match schema:
        case {"enum": values}:
            return st.sampled_from(values)
        case {"type": "integer", "minimum": least, "maximum": most}:
            return st.integers(least, most)
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "array", "items": items}:
            return st.lists(_any_of(items), max_size=3)
        case {"type": "object", "properties": properties}:
            required = set(schema.get("required", ()))
            return st.fixed_dictionaries(
                {name: _any_of(field) for name, field in properties.items() if name in required},
                optional={name: _any_of(field) for name, field in properties.items() if name not in required},
            )
        case _:
            return st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=20)


@settings(deadline=None)
@given(st.data())
def test_whatever_the_shown_shapes_allow_is_taken(data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(sorted({*REPORTING} - {"report_feedback", "submit_result"})))
    arguments = data.draw(_any_of(SHAPES[tool]))
    value = fact_of(tool, arguments, "task-1", 1)
    assert isinstance(value, get_args(f.Talk))
    assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


@settings(deadline=None)
@given(st.data())
def test_a_result_of_the_shown_shape_is_taken_or_told_which_rule_it_breaks(data: st.DataObject) -> None:
    arguments = data.draw(_any_of(SHAPES["submit_result"]))
    role = data.draw(st.sampled_from(ROLES))
    reading = read_document(arguments, role)
    if blocking(reading):
        with pytest.raises(UsageError, match=r"\n- L[12] "):
            fact_of("submit_result", arguments, "task-1", 1, role=role)
    else:
        value = fact_of("submit_result", arguments, "task-1", 1, role=role)
        assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


BELONGING = {
    "implementation": {"result", "changes", "notes"},
    "exploration": {"findings", "recommendations", "confidence"},
    "difficulty": {"issue", "attempts", "category", "requested_action", "suggestion"},
}


@settings(deadline=None)
@given(st.data())
def test_every_kind_of_feedback_is_taken_with_the_fields_that_belong_to_it(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(SHAPES["report_feedback"]["properties"]["kind"]["enum"]))
    fields = {name: field for name, field in _fields("report_feedback") if name in BELONGING[kind]}
    arguments = data.draw(st.fixed_dictionaries({name: _any_of(field) for name, field in fields.items()}))
    value = fact_of("report_feedback", {**arguments, "kind": kind}, "task-1", 1)
    assert isinstance(value, f.FeedbackGiven)
    for name, meant in arguments.items():
        assert getattr(value.feedback, name) == (tuple(meant) if isinstance(meant, list) else meant)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.data())
def test_no_arguments_do_more_than_be_refused(data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(REPORTING))
    known = st.fixed_dictionaries({}, optional={name: JSON for name, _ in _fields(tool)})
    arguments = data.draw(known | st.dictionaries(st.text(), JSON))
    try:
        value = fact_of(tool, arguments, "task-1", 1)
    except UsageError:
        return
    msgspec.json.encode(value)
