"""The many ways in which agents write the same report."""

import pytest

from teamlead.core import reports as r
from teamlead.forms import catalogue
from teamlead.forms.results.contract import Reading, blocking, is_result, read_result

REPORT = """\
I have looked at it. Here is my report.

## worker Result

### Status: SUCCESS

### Summary: It reads empty files.

### Findings
`src/parse.py:12` returned too early.

### Key References
| Item | Location | Relevance |
| --- | --- | --- |
| parse | `src/parse.py:12` | the mistake |
| test | `tests/test_parse.py:3` | shows it |

### Confidence: 72 - one way was tried

### Verification
- [x] every file:line reference exists
- [x] quoted code matches the files
- [x] no path is invented
- [x] each finding has its evidence
"""


def good(text: str, role: str = "") -> r.Result:
    reading = read_result(text, role)
    assert blocking(reading) == ()
    assert reading.result is not None
    return reading.result


def told(reading: Reading) -> list[tuple[str, int]]:
    return [(problem.rule, problem.line) for problem in reading.problems]


def test_a_value_may_stand_behind_its_heading() -> None:
    result = good(REPORT)
    assert (result.status, result.summary) == ("SUCCESS", "It reads empty files.")
    assert (result.confidence, result.confidence_reason) == (72, "one way was tried")
    assert result.agent == "worker"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("### Status: SUCCESS", "### Status\nSUCCESS"),
        ("### Status: SUCCESS", "### **Status**\n\n**SUCCESS**"),
        ("### Status: SUCCESS", "### STATUS：`success`"),  # noqa: RUF001
        ("### Status: SUCCESS", "### 1. Status\n✅ SUCCESS (all of it)"),
        ("### Status: SUCCESS", "### Status\n成功"),
        ("### Status: SUCCESS", "### Status ###\nSUCCESS - as planned"),
        ("### Confidence: 72 - one way was tried", "### Confidence\n**72/100** — one way was tried"),
        ("### Confidence: 72 - one way was tried", "### Confidence\n72%: one way was tried"),
        ("### Confidence: 72 - one way was tried", "### Confidence Score\n[72] - one way was tried"),
        ("### Confidence: 72 - one way was tried", "### Confidence\n７２ - one way was tried"),  # noqa: RUF001
        ("### Key References", "### References\n"),
        ("| Item | Location | Relevance |", "| What | Where | Why |"),
        ("| --- | --- | --- |", "|:--|:-:|--:|"),
        ("### Verification", "### Notes\nNothing else.\n\n### Verification"),
        ("### ", "## "),
        ("### ", "#### "),
        ("\n", "\r\n"),
    ],
)
def test_ways_of_writing_make_no_difference(old: str, new: str) -> None:
    text = REPORT.replace(old, new)
    assert text != REPORT
    plain = good(REPORT)
    result = good(text)
    assert result.status == plain.status
    assert result.references == plain.references
    assert result.confidence == plain.confidence
    assert result.confidence_reason == plain.confidence_reason
    assert result.checklist == plain.checklist


@pytest.mark.parametrize("wrapper", ["```markdown\n{}\n```", "Done.\n\n~~~md\n{}\n~~~\nBye."])
def test_a_report_may_stand_in_a_block_of_markdown(wrapper: str) -> None:
    text = wrapper.format(REPORT)
    assert is_result(text)
    assert good(text).references == good(REPORT).references


def test_headings_in_blocks_of_code_are_no_sections() -> None:
    text = REPORT.replace("returned too early.", "returned.\n```sh\n### Status: FAILED\n# Summary\n```")
    assert good(text).status == "SUCCESS"
    assert "### Status: FAILED" in good(text).findings


def test_findings_may_have_headings_of_their_own() -> None:
    text = REPORT.replace("returned too early.", "returned.\n#### Summary\nEarly.\n#### Issues\nNone.")
    assert good(text).summary == "It reads empty files."
    assert good(text).findings.endswith("#### Issues\nNone.")


def test_a_heading_above_the_sections_ends_the_report() -> None:
    text = f"{REPORT}\n## Appendix\n\n### Status: FAILED\n"
    assert good(text).status == "SUCCESS"


def test_a_section_that_stands_there_twice_is_refused() -> None:
    reading = read_result(f"{REPORT}\n### Status: FAILED\n")
    assert told(reading) == [("required-sections", 5)]
    assert "again in line 26" in reading.problems[0].message


def test_each_problem_has_its_line() -> None:
    text = (
        REPORT.replace("SUCCESS", "PARTIAL")
        .replace("72 -", "101 -")
        .replace("tests/test_parse.py:3", "tests/test_parse.py")
        .replace("[x] no", "[ ] no")
    )
    text += "\n### Issues\n- slow\n- wrong | severity: bad\n"
    assert told(read_result(text)) == [
        ("blockers-reported", 5),
        ("next-steps", 5),
        ("finding-place", 16),
        ("confidence-range", 18),
        ("checklist-complete", 20),
        ("issue-severity", 27),
        ("issue-severity", 28),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "- **verified_confidence**: 90 (read)\n- **inferred_confidence**: 70\n- **combined_confidence**: 80",
        "verified_confidence: 90, inferred_confidence: 70, combined_confidence: 80",
        "- Verified: 90\n- Inferred: 70",
        "#### Confidence Breakdown\n- verified_confidence = 90\n- inferred_confidence = 70",
        "### 信頼度の内訳\n- 検証済み: 90\n- 推論: 70",
        "### 신뢰도 내역\n- 검증된 신뢰도: 90\n- 추론된 신뢰도: 70",
    ],
)
def test_a_breakdown_may_stand_in_the_confidence_or_below_it(lines: str) -> None:
    text = REPORT.replace(
        "### Confidence: 72 - one way was tried", f"### Confidence\n80 - I read it\n\n{lines}"
    )
    breakdown = good(text).breakdown
    assert breakdown is not None
    assert (breakdown.verified, breakdown.inferred) == (90, 70)
    assert good(text).confidence_reason.startswith("I read it")


def test_the_combined_confidence_is_the_headline_where_there_is_no_other() -> None:
    lines = "verified_confidence: 90\ninferred_confidence: 70\ncombined_confidence: 80\nI read it."
    text = REPORT.replace("### Confidence: 72 - one way was tried", f"### Confidence\n{lines}")
    assert good(text).confidence == 80


@pytest.mark.parametrize(
    "given", ["high", "85-94", "0 to 100", "about right", "-5", "101", "1000000000", "8.5.1"]
)
def test_a_confidence_that_is_no_number_is_told_as_it_stands(given: str) -> None:
    [problem] = read_result(REPORT.replace("72 - one way was tried", given)).problems
    assert problem.rule == "confidence-range"
    assert given in problem.message


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("- slow | severity: minor", r.Issue("slow", "minor")),
        ("* slow: it waits | Severity: **Minor**", r.Issue("slow: it waits", "minor")),
        ("1. slow | 重大度: 軽微", r.Issue("slow", "minor")),
        ("- slow\n  Severity: minor", r.Issue("slow", "minor")),
        ("slow | 심각도: minor", r.Issue("slow", "minor")),
    ],
)
def test_issues_have_their_severity_behind_a_bar_or_below(lines: str, expected: r.Issue) -> None:
    assert good(f"{REPORT}\n### Issues\n{lines}\n").issues == (expected,)


@pytest.mark.parametrize("nothing", ["None", "- none", "N/A", "なし", "없음", "- [None]", ""])
def test_nothing_is_nothing(nothing: str) -> None:
    result = good(
        f"{REPORT}\n### Issues\n{nothing}\n\n### Blockers\n{nothing}\n\n### Next Steps\n{nothing}\n"
    )
    assert (result.issues, result.blockers, result.next_steps) == ((), (), ())


@pytest.mark.parametrize(
    "lines",
    [
        "- parse: `src/parse.py:12` - the mistake\n- test: `tests/test_parse.py:3` - shows it",
        "1. parse `src/parse.py:12`: the mistake\n2. test `tests/test_parse.py:3`: shows it",
        "parse | src/parse.py:12 | the mistake\n\ntest | tests/test_parse.py:3 | shows it",
    ],
)
def test_references_may_be_a_list(lines: str) -> None:
    before, _, rest = REPORT.partition("| Item")
    text = f"{before}{lines}\n\n### Confidence{rest.partition('### Confidence')[2]}"
    assert [(each.place, each.item.strip(" |")) for each in good(text).references] == [
        ("src/parse.py:12", "parse"),
        ("tests/test_parse.py:3", "test"),
    ]


def test_an_explicit_none_is_a_table_of_references() -> None:
    before, _, rest = REPORT.partition("| Item")
    rest = rest.partition("### Confidence")[2]
    assert good(f"{before}None\n\n### Confidence{rest}").references == ()
    assert told(read_result(f"{before}### Confidence{rest}")) == [("required-sections", 12)]


def test_overrides_have_a_section() -> None:
    text = REPORT.replace("`tests/test_parse.py:3`", "`tests/test_parse.py`")
    assert [problem.rule for problem in blocking(read_result(text))] == ["finding-place"]
    for title in ("Overrides", "オーバーライド", "재정의"):
        reading = read_result(f"{text}\n### {title}\n- `finding-place`: the test was deleted\n")
        assert blocking(reading) == ()
        assert reading.set_aside == {"finding-place": "the test was deleted"}
    reading = read_result(f"{text}\n### Overrides\n- finding-place:\n")
    assert [problem.rule for problem in blocking(reading)] == ["finding-place"]
    assert [flag for flag in reading.flags if "it gives no reason" in flag]


FINDING = r.Finding(
    "Input in a query",
    category="security",
    severity="critical",
    place="src/a.py:3",
    evidence="`run(q)`",
    suggestion="bind it",
    confidence=90,
)


FORMS = """
| Finding | Category | Severity | file:line | Evidence | Suggestion | Confidence |
|-|-|-|-|-|-|-|
| Input in a query | security | critical | `src/a.py:3` | `run(q)` | bind it | 90 |
---
| Severity | Finding | Location | Category | Confidence | Evidence | Suggestion |
|-|-|-|-|-|-|-|
| **critical** | Input in a query | src/a.py:3 | security | 90% | `run(q)` | bind it |
---
#### Input in a query
- **Category**: security
- **Severity**: critical
- **Location**: `src/a.py:3`
- **Evidence**: `run(q)`
- **Suggestion**: bind it
- **Confidence**: 90
---
Two were looked at.

**Input in a query**
Category: security
Severity: critical
Place: src/a.py:3
Evidence: `run(q)`
Suggestion: bind it
Confidence: 90 (sure)
---
- Input in a query | category: security | severity: critical | src/a.py:3 | evidence: `run(q)`
  suggestion: bind it
  confidence: 90
---
#### Critical
- Input in a query
  - category: security
  - place: src/a.py:3
  - evidence: `run(q)`
  - suggestion: bind it
  - confidence: 90
---
#### The login
- Input in a query
  - category: security
  - severity: critical
  - place: src/a.py:3
  - evidence: `run(q)`
  - suggestion: bind it
  - confidence: 90
---
- [critical] Input in a query
  Category: security
  File: src/a.py:3
  Code: `run(q)`
  Fix: bind it
  Confidence: 90
---
- Finding: Input in a query
- Category: security
- Severity: critical
- Place: src/a.py:3
- Evidence: `run(q)`
- Suggestion: bind it
- Confidence: 90
"""


@pytest.mark.parametrize("findings", FORMS.strip().split("\n---\n"))
def test_what_a_reviewer_found_is_read_in_many_forms(findings: str) -> None:
    result = good(REPORT.replace("`src/parse.py:12` returned too early.", findings), "qa-engineer")
    assert result.details == r.ReviewFindings((FINDING,))


def test_several_findings_stay_apart_and_code_is_evidence() -> None:
    findings = (
        "1. Input in `src/a.py:3`\n   - category: security\n   - severity: critical\n   - evidence:\n"
        "   ```python\n   run(q)\n   ```\n"
        "2. Slow loop\n   - category: speed\n   - severity: minor\n   - place: src/b.py:7\n"
    )
    details = good(REPORT.replace("`src/parse.py:12` returned too early.", findings), "qa-engineer").details
    assert isinstance(details, r.ReviewFindings)
    first, second = details.findings
    assert (first.place, second.place) == ("src/a.py:3", "src/b.py:7")
    assert "run(q)" in first.evidence


def test_a_review_that_found_nothing_says_so() -> None:
    text = REPORT.replace("`src/parse.py:12` returned too early.", "No findings.")
    assert good(text, "qa-engineer").details == r.ReviewFindings()


def test_parts_of_findings_may_stand_at_the_level_of_sections() -> None:
    parts = "### Entry Points\n- `src/main.py:3`\n### Flow\n- main\n### Patterns\n- none"
    details = good(
        REPORT.replace("`src/parse.py:12` returned too early.", f"See below.\n{parts}"), "Explore"
    ).details
    assert details == r.ExplorationFindings(("`src/main.py:3`",), ("main",))


@pytest.mark.parametrize(
    ("line", "command", "outcome"),
    [
        ("- `make test`: 12 passed", "make test", "12 passed"),
        ("- `make test` -> 12 passed", "make test", "12 passed"),
        ("- make test → 12 passed", "make test", "12 passed"),
        ("- `make test`", "make test", ""),
        ("| Command | Result |\n|---|---|\n| `make test` | 12 passed |", "make test", "12 passed"),
    ],
)
def test_commands_come_with_what_they_came_to(line: str, command: str, outcome: str) -> None:
    findings = f"#### Files changed\n- `src/parse.py:12`\n#### Commands run\n{line}\n"
    text = REPORT.replace("`src/parse.py:12` returned too early.", findings)
    details = good(text, "backend-specialist").details
    assert isinstance(details, r.ImplementationFindings)
    assert details.commands == (r.CommandRun(command, outcome),)


@pytest.mark.parametrize("form", [form for name, form in catalogue.REPORTS.items() if name != "summary"])
def test_the_form_that_agents_are_given_is_the_one_that_is_read(form: catalogue.Form[Reading]) -> None:
    reading = form.read(form.asks)
    # It explains each section instead of filling it in.
    assert [problem.rule for problem in reading.problems if problem.level == "L1"][:1] != []
    assert [problem.message for problem in reading.problems if "is missing" in problem.message] == []
