"""Every rule of the contract: what keeps it, what just breaks it, and at which level."""

from operator import attrgetter
from typing import Any

import msgspec
import pytest
from tests.forms.samples import DETAILS, ERROR, FAILED, FINDING, RESULT, SURE

from teamlead.core.reports import Details, Override, Result
from teamlead.core.roles import BUILT_IN, Role
from teamlead.forms.results.contract import (
    LEVELS,
    MOST_CHARACTERS,
    Reading,
    blocking,
    is_result,
    read_document,
    read_result,
    read_value,
)

AUDITOR = {**RESULT, "details": DETAILS["review"]}


def broken(values: dict[str, Any], role: str = "") -> list[str]:
    return [problem.rule for problem in read_document(values, role).problems]


def sure(verified: float, inferred: float, stated: float) -> dict[str, Any]:
    return {
        **SURE,
        "confidence": stated,
        "breakdown": {"verified": verified, "inferred": inferred},
        "justification": {**SURE["justification"], "score": stated},
        "uncertainty": "all of it",
    }


def justified(**changes: object) -> dict[str, Any]:
    return {**SURE, "justification": {**SURE["justification"], **changes}}


def reviewed(**changes: object) -> dict[str, Any]:
    return {**RESULT, "details": {"findings": [{**FINDING, **changes}]}}


@pytest.mark.parametrize("values", [RESULT, SURE, FAILED], ids=["plain", "sure", "failed"])
def test_a_good_result_is_taken_as_it_is(values: dict[str, Any]) -> None:
    reading = read_document(values)
    assert reading.problems == ()
    assert reading.result == msgspec.convert(values, Result)


@pytest.mark.parametrize("role", [role for role in BUILT_IN.values() if role.reports], ids=attrgetter("name"))
def test_a_good_result_of_each_role_is_taken(role: Role) -> None:
    form = role.form
    reading = read_document({**RESULT, "details": DETAILS[form]}, role.name)
    assert reading.problems == ()
    assert reading.result is not None
    expected: Details = msgspec.convert({**DETAILS[form], "format": form}, Details)
    assert reading.result.details == expected


CASES: list[tuple[str, dict[str, Any], str]] = [
    *(("required-sections", {**RESULT, name: None}, "") for name in ("status", "summary", "findings")),
    *(("required-sections", {**RESULT, name: ""}, "") for name in ("references", "confidence")),
    ("required-sections", {**RESULT, "summary": 7}, ""),
    ("required-sections", {**RESULT, "mood": "good"}, ""),
    ("required-sections", {**RESULT, "references": [{"item": "parse"}]}, ""),
    ("required-sections", {**FAILED, "error": None}, ""),
    ("required-sections", {**FAILED, "error": {"type": "timeout"}}, ""),
    ("required-sections", RESULT, "code-explorer"),
    ("required-sections", {**RESULT, "details": DETAILS["design"] | {"format": "design"}}, "Explore"),
    ("required-sections", {**RESULT, "details": {"decision": " ", "files": ["a.py"]}}, "code-architect"),
    ("known-status", {**RESULT, "status": "DONE"}, ""),
    ("known-status", {**RESULT, "status": "[SUCCESS | PARTIAL | FAILED]"}, ""),
    ("known-status", {**RESULT, "status": 1}, ""),
    ("confidence-range", {**RESULT, "confidence": 101}, ""),
    ("confidence-range", {**RESULT, "confidence": 100.5}, ""),
    ("confidence-range", {**RESULT, "confidence": -1}, ""),
    ("confidence-range", {**RESULT, "confidence": "high"}, ""),
    ("confidence-range", {**RESULT, "confidence": "nan"}, ""),
    ("confidence-range", {**RESULT, "confidence": True}, ""),
    ("confidence-range", {**RESULT, "breakdown": {"verified": 101, "inferred": 43}}, ""),
    ("summary-length", {**RESULT, "summary": "a" * 2001}, ""),
    ("summary-length", {**RESULT, "summary": "字" * 667}, ""),
    ("blockers-reported", {**FAILED, "blockers": []}, ""),
    ("blockers-reported", {**RESULT, "status": "PARTIAL", "next_steps": ["go on"]}, ""),
    ("checklist-complete", {**RESULT, "checklist": None}, ""),
    ("checklist-complete", {**RESULT, "checklist": {"snippets_match": "perhaps"}}, ""),
    *(
        ("checklist-complete", {**RESULT, "checklist": {**RESULT["checklist"], name: False}}, "")
        for name in RESULT["checklist"]
    ),
    ("references-exist", {**RESULT, "references": [{"item": "parse", "place": "src/parse.py:0"}]}, ""),
    ("confidence-breakdown", {**RESULT, "confidence": 75}, ""),
    ("confidence-breakdown", {**SURE, "breakdown": {"verified": 90}}, ""),
    ("confidence-formula", sure(90, 70, 81), ""),
    ("confidence-formula", {**sure(90, 70, 80), "breakdown": SURE["breakdown"] | {"combined": 90}}, ""),
    ("confidence-formula", sure(90, 71, 82), ""),
    ("confidence-formula", sure(90, 70, 80.5), ""),
    ("confidence-formula", sure(60, 60, 61), ""),
    ("finding-place", {**RESULT, "references": [{"item": "parse", "place": "src/parse.py"}]}, ""),
    ("finding-place", {**RESULT, "references": [], "findings": "It was wrong."}, ""),
    ("finding-place", reviewed(place="src/login.py"), "qa-engineer"),
    ("confidence-justification", {**SURE, "justification": None}, ""),
    ("confidence-justification", {**sure(90, 80, 85), "justification": None}, ""),
    ("confidence-justification", {**SURE, "justification": {"score": 90, "evidence_count": 2}}, ""),
    ("confidence-justification", justified(score=95), ""),
    ("confidence-justification", justified(evidence_count=0), ""),
    ("confidence-justification", justified(method=""), ""),
    ("confidence-justification", justified(blind_spots=None), ""),
    ("confidence-justification", {**RESULT, "confidence_reason": ""}, ""),
    ("summary-not-raw", {**RESULT, "summary": "\n".join(f"src/a.py:{n}: x" for n in range(1, 5))}, ""),
    ("summary-not-raw", {**RESULT, "findings": "\n".join(f"   {n}→ a.b:1" for n in range(1, 26))}, ""),
    ("issue-severity", {**RESULT, "issues": [{"text": "slow"}]}, ""),
    ("issue-severity", {**RESULT, "issues": [{"text": "slow", "severity": "bad"}]}, ""),
    ("issue-severity", reviewed(severity="high"), "qa-engineer"),
    ("uncertainty-section", {**RESULT, "confidence": 69.5}, ""),
    ("security-evidence", reviewed(evidence=""), "qa-engineer"),
    ("security-evidence", reviewed(category="speed", text="slow", evidence=""), "security-auditor"),
    ("security-evidence", {**RESULT, "issues": [{"text": "SQL injection", "severity": "critical"}]}, ""),
    ("contradiction", {**RESULT, "blockers": [{"text": "no key", "resolution": "get one"}]}, ""),
    ("contradiction", {**RESULT, "error": ERROR}, ""),
    (
        "contradiction",
        {**RESULT, "details": {"findings": [FINDING, {**FINDING, "severity": "minor"}]}},
        "qa-engineer",
    ),
    ("next-steps", {**FAILED, "next_steps": []}, ""),
    ("recovery-options", {**FAILED, "error": {"type": "timeout", "message": "no answer"}}, ""),
    ("trade-offs", {**RESULT, "details": {"decision": "one parser"}}, "system-architect"),
    ("patterns-found", {**RESULT, "details": {"flow": ["main"]}}, "Explore"),
]


@pytest.mark.parametrize(("rule", "values", "role"), CASES, ids=[rule for rule, _, _ in CASES])
def test_a_result_that_breaks_one_rule_is_told_this_one(rule: str, values: dict[str, Any], role: str) -> None:
    assert broken(values, role) == [rule]


def test_there_is_a_case_for_every_rule() -> None:
    assert {rule for rule, _, _ in CASES} == LEVELS.keys() - {"single-source"}


@pytest.mark.parametrize(
    "values",
    [
        {**RESULT, "summary": "a" * 2000},
        {**RESULT, "summary": "字" * 666},
        {**RESULT, "summary": f"a{' ' * 5000}b"},
        {**RESULT, "confidence": 74.5},
        {**RESULT, "confidence": 70},
        {**RESULT, "confidence": "72"},
        {**RESULT, "confidence": 69, "uncertainty": "which way is meant"},
        {**RESULT, "confidence": 0, "uncertainty": "all of it"},
        {**RESULT, "references": []},
        {**RESULT, "status": " success "},
        {**RESULT, "issues": [{"text": "slow", "severity": "Minor"}]},
        {**RESULT, "issues": [{"text": "XSS in `render()`", "severity": "minor"}]},
        {**RESULT, "summary": "\n".join(f"src/a.py:{n}: x" for n in range(1, 4))},
        {**SURE, "confidence": 84, "breakdown": {"verified": 90, "inferred": 78}, "justification": None},
        sure(90, 70, 80),
        sure(90, 71, 80.5),
        sure(90, 71, 80),
        sure(90, 71, 81),
        sure(100, 100, 100),
        sure(0, 0, 0),
        sure(60, 60, 60),
        {**sure(90, 70, 80), "breakdown": {"verified": 90, "inferred": 70, "combined": 80}},
        {**FAILED, "findings": None},
        {**FAILED, "references": [], "findings": "It ended at once."},
        reviewed(category="speed", text="slow", evidence=""),
        {**RESULT, "keyReferences": RESULT["references"], "references": None},
        {**SURE, "breakdown": {"verifiedConfidence": 95, "inferred_confidence": 85}},
        {**RESULT, "error": {"type": "", "message": "", "recoverable": False}},
    ],
)
def test_what_just_keeps_the_rules_is_taken(values: dict[str, Any]) -> None:
    reading = read_document(values)
    assert reading.problems == ()
    assert reading.result is not None


def test_everything_that_is_wrong_is_told_at_once() -> None:
    values = {"summary": "a" * 3000, "confidence": 101, "issues": [{"text": "slow"}], "mood": "good"}
    assert broken(values) == [
        *["required-sections"] * 4,
        "confidence-range",
        "summary-length",
        "checklist-complete",
        "issue-severity",
    ]


def test_a_part_that_is_missing_breaks_no_second_rule() -> None:
    assert broken({**RESULT, "confidence": None}) == ["required-sections"]
    assert broken({**RESULT, "status": None, "blockers": [{"text": "no key"}]}) == [
        "required-sections",
        "contradiction",
    ]


@pytest.mark.parametrize(("rule", "values", "role"), CASES, ids=[rule for rule, _, _ in CASES])
def test_hard_rules_block_soft_ones_until_set_aside_and_advice_never(
    rule: str, values: dict[str, Any], role: str
) -> None:
    level = LEVELS[rule]
    assert bool(blocking(read_document(values, role))) == (level in {"L1", "L2"})
    aside = {**values, "overrides": [{"rule": rule, "reason": "the file was deleted"}]}
    reading = read_document(aside, role)
    assert bool(blocking(reading)) == (level == "L1")
    assert any("has no effect" in flag for flag in reading.flags) == (level != "L2")


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ({"rule": "known-status", "reason": "I like DONE"}, "nothing overrides a hard rule"),
        ({"rule": "manners", "reason": "no time"}, "there is no such soft rule"),
    ],
)
def test_an_override_without_effect_is_told(override: dict[str, str], told: str) -> None:
    reading = read_document({**RESULT, "overrides": [override]})
    assert [flag for flag in reading.flags if "has no effect" in flag and told in flag]


def test_soft_rules_are_only_flags_for_a_role_without_a_form() -> None:
    values = {**SURE, "justification": None, "issues": [{"text": "slow"}]}
    assert broken(values, "qa-engineer") != []
    reading = read_document(values, "worker")
    assert reading.problems == ()
    assert [flag.split(" (")[0] for flag in reading.flags] == [
        "it has no severity",
        "a confidence of 90 needs its justification",
    ]
    assert broken({**values, "checklist": None}, "worker") == ["checklist-complete"]


@pytest.mark.parametrize(
    ("values", "flag"),
    [
        ({**RESULT, "references": RESULT["references"][:1]}, "needs corroboration"),
        ({**SURE, "justification": SURE["justification"] | {"evidence_count": 1}}, "needs corroboration"),
        ({**RESULT, "confidence": 59, "uncertainty": "all"}, "it should have asked"),
        ({**FAILED, "blockers": [{"text": "no server"}]}, "nothing is said to remove"),
        (
            {**RESULT, "details": {"commands": [{"command": "make", "outcome": "2 failed"}]}},
            "it ended as SUCCESS, and `make` as '2 failed'",
        ),
    ],
)
def test_what_somebody_should_look_at_is_flagged(values: dict[str, Any], flag: str) -> None:
    reading = read_document(values)
    assert [told for told in reading.flags if flag in told]
    assert blocking(reading) == ()


@pytest.mark.parametrize(
    "values",
    [
        RESULT,
        {**RESULT, "confidence": 60, "uncertainty": "all"},
        {**RESULT, "details": {"commands": [{"command": "make", "outcome": "12 passed, 0 failed"}]}},
    ],
)
def test_what_is_in_order_is_not_flagged(values: dict[str, Any]) -> None:
    assert read_document(values).flags == ()


def test_a_value_is_held_to_the_same_rules() -> None:
    good = msgspec.convert(RESULT, Result)
    assert read_value(good).problems == ()
    assert [p.rule for p in read_value(good, "Explore").problems] == ["required-sections"]
    bold = msgspec.structs.replace(good, confidence=90)
    assert [p.rule for p in read_value(bold).problems] == ["confidence-breakdown", "confidence-justification"]
    assert [p.rule for p in read_value(bold, "worker").problems] == ["confidence-breakdown"]
    assert len(read_value(bold, "worker").flags) == 1
    told = msgspec.structs.replace(bold, overrides=(Override("confidence-justification", "no time"),))
    assert [p.rule for p in blocking(read_value(told))] == ["confidence-breakdown"]


def test_the_role_is_the_one_that_hands_it_in_or_else_the_one_it_names() -> None:
    assert broken({**RESULT, "agent": "Explore"}) == ["required-sections"]
    assert broken({**RESULT, "agent": "Explore"}, "worker") == []
    assert broken({**RESULT, "agent": "Ada"}) == []


def test_a_text_that_is_too_long_is_not_read() -> None:
    reading = read_result("a" * (MOST_CHARACTERS + 1))
    assert [problem.rule for problem in reading.problems] == ["summary-length"]
    assert reading.result is None


@pytest.mark.parametrize("text", ["", "Done.", "{", "[]", '{"a": 1}', "# Summary", "\0", "```json\n{\n```"])
def test_a_text_that_is_no_result_is_told_what_is_missing(text: str) -> None:
    reading = read_result(text)
    assert reading.result is None
    assert "required-sections" in {problem.rule for problem in blocking(reading)}


def test_json_is_read_alone_and_as_a_block_in_a_text() -> None:
    text = msgspec.json.format(msgspec.json.encode({**RESULT, "confidence": 101})).decode()
    [problem] = read_result(text).problems
    assert text.splitlines()[problem.line - 1].strip().startswith('"confidence"')
    good = msgspec.json.encode(RESULT).decode()
    other = '```json\n{"name": "shop", "version": 1}\n```\n'
    assert (
        read_result(f"I am done.\n\n{other}\n```json\n{good}\n```\nBye.").result
        == read_document(RESULT).result
    )


def test_json_that_breaks_off_is_told_as_such_and_not_as_missing_sections() -> None:
    (problem,) = read_result('{"status": "SUCCESS", "summary": ').problems
    assert (problem.level, problem.line) == ("L1", 1)
    assert problem.message.startswith("it begins as JSON, and cannot be read as such: ")


def test_json_that_a_report_only_quotes_is_not_the_report() -> None:
    sections = "### Status\nSUCCESS\n### Summary\nIt answers.\n### Confidence\n72 - seen\n### Findings\n"
    quoted = '```json\n{"status": "FAILED", "summary": "no", "findings": "x"}\n```'
    assert read_result(sections + quoted).flags == read_result(sections + "x").flags
    rules = {problem.message for problem in read_result(sections + quoted).problems}
    assert "'Key References' is missing (add it)" in rules
    assert not [rule for rule in rules if "blocker" in rule]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("### Status\nSUCCESS\n### Summary\nDone.", True),
        ("### Summary\nx\n### Findings\ny\n### Confidence\n80", True),
        ("## Summary\nI did it.\n## Next steps\n- none\n## Verification\nTests pass.", False),
        ("## Status\nAll is well.", False),
        ('{"status": "SUCCESS", "summary": "x"}', True),
        ('Here:\n```json\n{"status": "SUCCESS", "summary": "x"}\n```', True),
        ('```json\n{"status": 200}\n```', False),
        ("", False),
    ],
)
def test_only_what_tries_to_be_a_result_is_taken_for_one(text: str, expected: bool) -> None:
    assert is_result(text) is expected


def test_a_problem_shows_where_it_is_and_what_to_do() -> None:
    reading = Reading(None, read_document({**RESULT, "status": "DONE"}).problems, ())
    [problem] = reading.problems
    expected = (
        "L1 known-status: the status 'DONE' is none (say SUCCESS, PARTIAL, FAILED, IMPOSSIBLE, ALREADY_DONE)"
    )
    assert problem.show() == expected
    assert problem.show("a.md") == f"a.md: {expected}"
    assert problem._replace(line=3).show("a.md") == f"a.md:3: {expected}"
