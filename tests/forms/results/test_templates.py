"""The contract's own templates, filled in, are read in each language, and say the same in all of them."""

import tomllib
from pathlib import Path

import pytest

from teamlead.core import reports as r
from teamlead.forms.results.contract import blocking, is_result, read_result

FOLDER = Path(__file__).with_name("templates")
TEMPLATES: dict[str, dict[str, str]] = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.toml")
}
LANGUAGES = sorted(TEMPLATES)

FILLED = {
    "status": "PARTIAL",
    "summary": "Sign-in works. Sign-out does not.",
    "item": "authenticate",
    "place": "src/auth/login.ts:45",
    "relevance": "where it begins",
    "confidence": "92.5",
    "reason": "direct evidence in the code",
    "verified": "95",
    "inferred": "90",
    "issue": "session: it never ends",
    "severity": "important",
    "step": "end the session",
    "blocker": "no key",
    "resolution": "get one",
    "count": "3",
    "method": "the tests were run",
    "blind": "other browsers",
    "uncertainty": "whether sign-out is meant",
}

FINDINGS: dict[str, tuple[str, r.Details]] = {
    "code-explorer": (
        "exploration",
        r.ExplorationFindings(
            ("`src/auth/login.ts:45` authenticate()",),
            ("login", "token"),
            ("repository",),
            ("`src/auth/token.ts:3`",),
        ),
    ),
    "system-architect": (
        "design",
        r.DesignFindings(
            "one parser", ("two parsers",), ("slower",), ("parse(text)",), ("`src/parse.py:1`",)
        ),
    ),
    "security-auditor": (
        "review",
        r.ReviewFindings(
            (
                r.Finding(
                    "The query is put together from input",
                    category="security",
                    severity="critical",
                    place="src/login.py:12",
                    evidence='`execute(f"select {name}")`',
                    suggestion="bind the name",
                    confidence=95,
                ),
            )
        ),
    ),
    "backend-specialist": (
        "implementation",
        r.ImplementationFindings(
            ("`src/parse.py:12`",),
            "Empty files are read.",
            ("tests/test_parse.py",),
            (r.CommandRun("make test", "12 passed"),),
        ),
    ),
}


def filled(language: str, agent: str, **changes: str) -> str:
    findings = TEMPLATES[language][FINDINGS[agent][0]].strip()
    return TEMPLATES[language]["report"].format(**{**FILLED, "agent": agent, "findings": findings, **changes})


@pytest.mark.parametrize("agent", FINDINGS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_that_is_filled_in_is_read_whole(language: str, agent: str) -> None:
    text = filled(language, agent)
    reading = read_result(text)
    assert reading.problems == ()
    assert is_result(text)
    assert reading.result == r.Result(
        "PARTIAL",
        summary="Sign-in works. Sign-out does not.",
        findings=TEMPLATES[language][FINDINGS[agent][0]].strip(),
        references=(r.Reference("authenticate", "src/auth/login.ts:45", "where it begins"),),
        confidence=92.5,
        confidence_reason="direct evidence in the code",
        issues=(r.Issue("session: it never ends", "important"),) * 2,
        next_steps=("end the session",) * 2,
        blockers=(r.Blocker("no key", "get one"),),
        agent=agent,
        details=FINDINGS[agent][1],
        breakdown=r.Breakdown(95, 90, 92.5),
        justification=r.Justification(92.5, 3, "the tests were run", "other browsers"),
        checklist=r.Checklist(*[True] * 4),
        uncertainty="whether sign-out is meant",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_is_read(language: str) -> None:
    text = filled(language, "code-explorer", status="FAILED") + TEMPLATES[language]["error"]
    reading = read_result(text)
    assert reading.problems == ()
    assert reading.result is not None
    assert reading.result.error == r.ErrorReport(
        "timeout",
        "no answer",
        "`src/net.py:3`",
        recoverable=True,
        attempted=("asked again",),
        root_cause="no server",
        recovery=("start one",),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_that_is_not_filled_in_is_refused(language: str) -> None:
    blank = {name: f"[{name}]" for name in FILLED}
    blank |= {"status": "[SUCCESS | PARTIAL | FAILED]", "place": "file:line"}
    text = (
        TEMPLATES[language]["report"].format(**blank, agent="worker", findings="[...]").replace("[x]", "[ ]")
    )
    rules = {problem.rule for problem in blocking(read_result(text))}
    assert {"known-status", "confidence-range", "checklist-complete", "references-exist"} <= rules


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_box_of_the_checklist_counts(language: str, number: int) -> None:
    parts = filled(language, "code-explorer").split("[x]")
    text = "[x]".join(parts[: number + 1]) + "[ ]" + "[x]".join(parts[number + 1 :])
    [problem] = read_result(text).problems
    assert problem.rule == "checklist-complete"
    assert text.splitlines()[problem.line - 1].startswith("### ")
    boxes = list(r.Checklist.__struct_fields__)
    reading = read_result(text)
    assert reading.result is not None
    assert reading.result.checklist is not None
    assert [name for name in boxes if not getattr(reading.result.checklist, name)] == [boxes[number]]


@pytest.mark.parametrize("section", range(5))
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_required_section_is_missed(language: str, section: int) -> None:
    head, *sections = filled(language, "code-explorer").split("### ")
    sections = "### ".join(sections).split("\n### ")
    del sections[section]
    text = head + "### " + "\n### ".join(sections)
    reading = read_result(text)
    assert reading.result is None
    assert "required-sections" in {problem.rule for problem in blocking(reading)}
