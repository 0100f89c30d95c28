import random
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamlead.core.reports import (
    Finding,
    ImplementationFindings,
    Issue,
    Reference,
    Result,
    ReviewFindings,
    Severity,
)
from teamlead.forms.aggregation import Aggregate, CombinedIssue, Report, aggregate
from teamlead.forms.opinions import Weights

PLACE = "src/db.py:10"


def report(agent: str, *findings: Finding, source: str = "", **fields: Any) -> Report:
    known: dict[str, Any] = {"details": ReviewFindings(findings), "confidence": 80.0, "references": ()}
    result = Result(
        **{
            "status": "SUCCESS",
            "summary": "Looked.",
            "findings": "See below.",
            "confidence_reason": "read",
            "agent": agent,
            **known,
            **fields,
        }
    )
    return Report(source or f"{agent}.md", result)


def finding(
    confidence: float | None = 80,
    place: str = PLACE,
    category: str = "security",
    severity: Severity = "critical",
    text: str = "SQL from input",
) -> Finding:
    return Finding(text, category, severity, place, confidence=confidence)


def only(found: Aggregate) -> CombinedIssue:
    (entry,) = found.entries
    return entry


@pytest.mark.parametrize(
    ("each", "status", "then"),
    [
        (["SUCCESS", "SUCCESS"], "SUCCESS", "proceed"),
        (["SUCCESS", "PARTIAL"], "PARTIAL", "review"),
        (["SUCCESS", "FAILED"], "FAILED", "handle-errors"),
        (["PARTIAL", "FAILED"], "FAILED", "handle-errors"),
        ([], "FAILED", "handle-errors"),
    ],
)
def test_the_worst_status_is_that_of_all_and_says_what_to_do_next(
    each: list[Literal["SUCCESS", "PARTIAL", "FAILED"]], status: str, then: str
) -> None:
    found = aggregate(report(f"agent-{n}", status=one) for n, one in enumerate(each))
    assert (found.status, found.next) == (status, then)


def test_a_result_that_cannot_be_used_makes_the_rest_no_whole_success() -> None:
    assert aggregate([report("qa-engineer")], missing=1).next == "review"
    assert aggregate([report("qa-engineer", status="FAILED")], missing=1).next == "handle-errors"


def test_two_agents_on_the_same_issue_give_their_mean_and_the_bonus() -> None:
    entry = only(
        aggregate(
            [report("security-auditor", finding(95)), report("qa-engineer", finding(78, text="Injection"))]
        )
    )
    assert entry.combined == 96.5
    assert entry.max == 95
    assert entry.representative.text == "SQL from input"
    assert entry.agents == ("qa-engineer", "security-auditor")


def test_no_agreement_is_surer_than_a_hundred() -> None:
    found = aggregate([report("security-auditor", finding(98)), report("qa-engineer", finding(96))])
    assert only(found).combined == 100


def test_duplicates_of_one_agent_give_no_bonus_and_do_not_lower_it() -> None:
    found = aggregate(
        [
            report("qa-engineer", finding(90), finding(50)),
            report("QA Engineer", finding(60), source="again.md"),
        ]
    )
    assert (only(found).max, only(found).combined) == (90, 90)


def test_agents_without_a_role_are_told_apart_by_their_reports() -> None:
    found = aggregate([report("", finding(60), source="a.md"), report("", finding(70), source="b.md")])
    assert only(found).combined == 75
    assert only(found).agents == ("a.md", "b.md")


def test_a_strong_finding_is_not_ranked_lower_because_a_weak_one_agrees() -> None:
    found = aggregate(
        [
            report("security-auditor", finding(95), finding(90, place="src/api.py:3")),
            report("qa-engineer", finding(20)),
        ]
    )
    first, second = found.entries
    assert (first.max, first.combined, first.rank) == (95, 67.5, 95)
    assert second.rank == 90


@pytest.mark.parametrize(
    "place", ["./src/db.py:10", "`src/db.py:10`", "src/db.py:10-14", "src//db.py:10:5", "src\\db.py#L10"]
)
@pytest.mark.parametrize("category", ["Security", " SECURITY ", "ｓｅｃｕｒｉｔｙ"])  # noqa: RUF001 - as in Japanese text
def test_spellings_of_one_place_and_category_are_one_issue(place: str, category: str) -> None:
    found = aggregate([report("a", finding(80)), report("b", finding(80, place=place, category=category))])
    assert only(found).combined == 90


@pytest.mark.parametrize(
    "other",
    [
        finding(place="src/db.py:11"),
        finding(place="src/app.py:10"),
        finding(category="style"),
        finding(place="src/db.py", text="Elsewhere"),
        finding(place="", text="Elsewhere"),
        finding(category="", text="Something else"),
    ],
)
def test_other_places_and_categories_are_other_issues(other: Finding) -> None:
    found = aggregate([report("a", finding()), report("b", other)])
    assert len(found.entries) == 2
    assert [entry.combined for entry in found.entries] == [80, 80]


@pytest.mark.parametrize("place", ["", "src/db.py"])
def test_without_a_line_the_same_words_are_the_same_issue(place: str) -> None:
    same = finding(place=place, text="No backups.")
    assert only(aggregate([report("a", same), report("b", same)])).combined == 90


def test_the_gravest_severity_of_an_issue_is_kept() -> None:
    found = aggregate([report("a", finding(70)), report("b", finding(90, severity="important"))])
    assert only(found).severity == "critical"
    assert only(found).representative.severity == "important"


def test_an_agent_can_count_more_than_another() -> None:
    both = [report("security-auditor", finding(90)), report("qa-engineer", finding(60))]
    assert only(aggregate(both, Weights({("security auditor", ""): 2}))).combined == 90
    assert only(aggregate(both, Weights({("security auditor", "style"): 2}))).combined == 85
    assert only(aggregate(both, Weights({("security auditor", "security"): 0}))).combined == 70
    assert (
        only(aggregate(both, Weights({("security auditor", ""): 0, ("qa engineer", ""): 0}))).combined == 85
    )


def test_experts_count_double_if_that_is_wanted() -> None:
    both = [report("security-auditor", finding(90)), report("qa-engineer", finding(60))]
    assert only(aggregate(both, Weights(expertise=True))).combined == 90
    assert only(aggregate(both)).combined == 85


def test_severities_far_apart_are_flagged_and_not_merged() -> None:
    found = aggregate([report("a", finding(90)), report("b", finding(80, severity="minor"))])
    (contradiction,) = found.contradictions
    assert str(contradiction.place) == PLACE
    assert {opinion.agent for opinion in contradiction.opinions} == {"a", "b"}
    assert [(entry.severity, entry.combined, entry.contested) for entry in found.entries] == [
        ("critical", 90, True),
        ("minor", 80, True),
    ]


def test_those_who_agree_in_a_contradiction_still_agree() -> None:
    found = aggregate(
        [report("a", finding(90)), report("b", finding(80)), report("c", finding(80, severity="minor"))]
    )
    assert [(entry.severity, entry.combined) for entry in found.entries] == [("critical", 95), ("minor", 80)]


CLEARING = [
    "The query is safe",
    "Safe: parameters are bound",
    "no issue",
    "Not vulnerable, as the value is a number",
    "false positive",
    "looks perfectly fine",
    "問題なし",
    "脆弱性はありません",
    "문제 없음",
]
ACCUSING = [
    "The query is not safe",
    "unsafe query",
    "is safe only by luck",
    "The thread-safe variant is missing",
    "no issue tracker is named",
    "問題がある",
    "문제 있음",
]


@pytest.mark.parametrize("text", CLEARING)
def test_what_one_reports_and_another_clears_is_flagged_and_not_merged(text: str) -> None:
    found = aggregate([report("a", finding(90)), report("b", finding(80, severity="minor", text=text))])
    reasons = [contradiction.reason for contradiction in found.contradictions]
    assert "reported by one, cleared by another" in reasons
    assert [entry.combined for entry in found.entries] == [90, 80]
    assert found.entries[0].contested


@pytest.mark.parametrize("text", ACCUSING)
def test_what_sounds_like_clearing_and_is_not_contradicts_nothing(text: str) -> None:
    found = aggregate(
        [
            report("a", finding(90, severity="important")),
            report("b", finding(80, severity="minor", text=text)),
        ]
    )
    assert found.contradictions == ()
    assert only(found).combined == 95


@pytest.mark.parametrize("severity", ["critical", "important"])
def test_what_is_called_grave_is_not_cleared_by_its_words(severity: Severity) -> None:
    found = aggregate([report("a", finding()), report("b", finding(severity=severity, text="Looks safe"))])
    assert found.contradictions == ()
    assert only(found).combined == 90


def test_a_cleared_place_is_cleared_of_its_category_alone() -> None:
    style = finding(severity="minor", category="style", text="The naming is fine")
    found = aggregate([report("a", finding()), report("b", style)])
    assert found.contradictions == ()


@pytest.mark.parametrize(
    "clearing",
    [
        {"findings": f"- `{PLACE}`: the query is safe\n- `src/db.py:11`: unknown"},
        {"references": (Reference("query", PLACE, "not vulnerable"),)},
        {"references": (Reference("query", PLACE, "what was read"),)},
    ],
    ids=["in its findings", "in its references", "by a review that found nothing"],
)
def test_a_success_that_clears_a_reported_place_is_flagged(clearing: dict[str, Any]) -> None:
    found = aggregate([report("a", finding(90)), report("b", **clearing)])
    (contradiction,) = found.contradictions
    assert [(o.agent, o.severity) for o in contradiction.opinions] == [("a", "critical"), ("b", None)]
    assert only(found).contested
    assert only(found).agents == ("a",)


def test_an_implementation_that_names_a_place_clears_nothing() -> None:
    named = report("b", details=ImplementationFindings(), references=(Reference("query", PLACE, "changed"),))
    assert aggregate([report("a", finding()), named]).contradictions == ()


def test_an_agent_does_not_contradict_itself_in_one_report() -> None:
    found = aggregate([report("a", finding(), findings=f"After the change {PLACE} is safe")])
    assert found.contradictions == ()


def test_issues_count_where_there_are_no_findings_of_a_review() -> None:
    issues = (
        Issue(f"Security: input reaches {PLACE}", "critical"),
        Issue("Cache: it is never emptied", "minor"),
        Issue("Slow", "minor"),
    )
    references = (Reference("Cache", "src/cache.py:7", "grows"),)
    found = aggregate([report("b", details=None, issues=issues, references=references, confidence=70.0)])
    assert [(str(e.representative.place), e.severity, e.max) for e in found.entries] == [
        (PLACE, "critical", 70),
        ("", "minor", 70),
        ("src/cache.py:7", "minor", 70),
    ]
    agreed = aggregate([report("a", finding(90)), report("b", details=None, issues=issues, confidence=70.0)])
    assert agreed.entries[0].combined == 90


def test_issues_that_repeat_the_findings_of_a_review_are_not_counted_again() -> None:
    found = aggregate([report("a", finding(), issues=(Issue(f"{PLACE}: SQL from input", "critical"),))])
    assert len(found.entries) == 1


FINDINGS = st.builds(
    Finding,
    text=st.sampled_from(["SQL from input", "is safe", "no issue", "slow"]),
    category=st.sampled_from(["security", "Security", "style", ""]),
    severity=st.sampled_from(["critical", "important", "minor"]),
    place=st.sampled_from([PLACE, "`src/db.py:10-12`", "src/db.py:11", "src/db.py", ""]),
    confidence=st.none() | st.integers(0, 100).map(float),
)
REPORTS = st.builds(
    lambda agent, findings, prose, status: report(
        agent, *findings, findings=prose, status=status, source=f"{agent}.md"
    ),
    st.sampled_from(["security-auditor", "qa-engineer", "QA engineer", "code-explorer"]),
    st.lists(FINDINGS, max_size=5),
    st.sampled_from(["", f"{PLACE} is safe"]),
    st.sampled_from(["SUCCESS", "PARTIAL", "FAILED"]),
)


@settings(deadline=None)
@given(st.lists(REPORTS, max_size=6), st.randoms(use_true_random=False), st.booleans())
def test_neither_order_nor_repetition_changes_what_comes_out(
    reports: list[Report], dice: random.Random, expertise: bool
) -> None:
    weights = Weights(expertise=expertise)
    shuffled = [*reports, *dice.sample(reports, len(reports) // 2)]
    dice.shuffle(shuffled)
    found = aggregate(reports, weights)
    assert aggregate(shuffled, weights) == found
    listed = [opinion for entry in found.entries for opinion in entry.opinions]
    assert len(listed) == len(set(listed)), "an opinion is in two entries"
    told = {
        f.text
        for r in reports
        if isinstance(r.result.details, ReviewFindings)
        for f in r.result.details.findings
    }
    assert {opinion.text for opinion in listed} == told, "a finding was lost"
    for entry in found.entries:
        assert 0 <= entry.combined <= 100
        assert {"critical", "minor"} - {opinion.severity for opinion in entry.opinions}
        assert len({opinion.clear for opinion in entry.opinions}) == 1
        assert entry.max == max(opinion.confidence for opinion in entry.opinions)
    assert [entry.rank for entry in found.entries] == sorted((e.rank for e in found.entries), reverse=True)
