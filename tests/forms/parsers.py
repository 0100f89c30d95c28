"""Every parser of what agents, their programs and test programs say, with good texts for it."""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from tests.forms.reviews import INJECTION, review
from tests.hostile import MEGABYTE, Reader, quiet

from teamlead.core.reports import Finding, Issue, Reference, Result, ReviewFindings
from teamlead.core.runs import ROLE_OF
from teamlead.errors import ConfigError, TeamleadError, Unreadable
from teamlead.evidence.file_sources import FoundFile
from teamlead.evidence.references import check_references
from teamlead.evidence.suites.suite_results import read_suite
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.evidence.weakening.weakened_tests import findings
from teamlead.forms.aggregation import Report, aggregate
from teamlead.forms.answers.breakdown import read_breakdown
from teamlead.forms.catalogue import answer_to
from teamlead.forms.citations.scanning import citations
from teamlead.forms.feedback import read_feedback
from teamlead.forms.results.contract import MOST_CHARACTERS, is_result, read_result
from teamlead.guard.edits import patched
from teamlead.guard.hook import Outcome, respond
from teamlead.guard.purposes import judge_purpose
from teamlead.guard.trivial import classify
from teamlead.prompts.catalogue import CATALOGUE
from teamlead.prompts.library import LARGEST_FILE, built_in
from teamlead.prompts.template import Template
from teamlead.views.aggregate import LeftOut, aggregate_document, aggregate_markdown
from teamlead.views.sarif import sarif

MARKDOWN = review(
    "security-auditor", INJECTION, ("The name is fine", "style", "minor", "src/db.py:12-14", 60)
)
RESULTS = [MARKDOWN, msgspec.json.encode(read_result(MARKDOWN).result).decode()]

FEEDBACK = """\
Done, but for the session.

## Feedback
```json
{"type": "difficulty", "impediment": {"issue": "No server", "category": "dependency"}}
```
"""

TASKS = """\
Here it is:
[
  {"id": "task-1", "summary": "Log in", "description": "People log in.", "scopePaths": ["src/"],
   "acceptance": "a wrong password is refused", "type": "implementation", "estimatedDuration": 2.5},
  {"id": "task-2", "description": "Say so.", "scopePaths": ["docs/*.md"], "acceptance": ["it is said"],
   "dependencies": ["task-1"], "checks": ["make docs"], "outputs": ["docs/login.md"], "agent": "codex"}
]
"""

ANSWERS = [
    TASKS,
    '{"tasks": [], "questions": ["Which database?"], "reason": "it is not said"}',
    '```json\n{"success": false, "reason": "no", "missingRequirements": ["b"], "shouldContinue": true}\n```',
    '{"success": false, "reason": "no", "shouldReplan": true, "contradictions": ["red and green"]}',
    'So:\n{\n "fulfilled": false,\n "reason": "no docs",\n "missing": ["docs"],\n "tasks": []\n}',
    """{"rootCause": "a", "recommendation": "b", "confidence": "low",
 "requiresUserDecision": true, "reasoning": "c", "contradiction": "d"}""",
    """{"examples": [{"sentence": "it is sorted", "file": "a/try.py", "text": "print(1)",
 "command": "python3 a/try.py", "output": "1", "exitCode": 0},
 {"sentence": "it ends with 2", "command": "./tool <a.txt", "exitCode": 2}]}""",
    '{"critical": [{"criterion": "testable", "met": true, "why": "a"}], "important": [], "nice": []}',
]

PLACEHOLDERS = tuple(CATALOGUE["judge"].slots)

SUITES = [
    path.read_text("utf-8") for path in sorted((Path(__file__).parents[1] / "evidence/goldens").iterdir())
]

TESTS = """\
import pytest

@pytest.mark.parametrize("a", [1, 2])
def test_adds(a):
    assert a + 1 == 2, "adds"
    with pytest.raises(ValueError):
        add("a")

it("adds", () => { expect(add(1)).toBe(2) })
func TestAdds(t *testing.T) { if Add(1) != 2 { t.Fatal("no") } }
"""

PATCH = """\
--- a/spec.md
+++ b/spec.md
@@ -1,3 +1,3 @@
 # The spec
-To recieve is good.
+To receive is good.
 Version: 1.0.0
"""


def event(name: str, **more: Any) -> str:
    common = {"hook_event_name": name, "session_id": "s-1", "cwd": ".", "tool_use_id": "call-1"}
    return json.dumps({**common, **more}, indent=1)


EVENTS = [
    event("PreToolUse", tool_name="Read", tool_input={"file_path": "a.py", "offset": 1, "limit": 20}),
    event("PreToolUse", tool_name="Grep", tool_input={"pattern": "a+", "path": ".", "glob": "*.py"}),
    event("PreToolUse", tool_name="Bash", tool_input={"command": "cat a.py | head -n 3 && git log --stat"}),
    event(
        "PreToolUse",
        tool_name="Edit",
        tool_input={"file_path": "spec.md", "old_string": "recieve", "new_string": "receive"},
    ),
    event("PostToolUse", tool_name="Read", tool_input={}, tool_response={}, duration_ms=5),
    event("UserPromptSubmit", prompt="Fix the typo yourself.\nThe rest is for the agents."),
    event("SubagentStop", agent_id="a-1", agent_type="Explore"),
    event("Stop"),
]


def hooked(text: str) -> Outcome:
    return respond(text.encode(errors="surrogatepass"))


def held(text: str) -> None:
    """The text as what a lead asks of one of its tools: it may use it, or is told why not."""
    edit = {"file_path": text[:40] + ".md", "old_string": text[: len(text) // 2], "new_string": text}
    calls: list[tuple[str, dict[str, str]]] = [
        ("Read", {"file_path": text}),
        ("Grep", {"pattern": text}),
        ("Glob", {"pattern": text}),
        ("Bash", {"command": text}),
        ("Write", {"file_path": text, "content": text}),
        ("Edit", edit),
    ]
    tool, given = calls[len(text) % len(calls)]
    outcome = hooked(event("PreToolUse", tool_name=tool, tool_input=given))
    assert (outcome.code, outcome.problem) == (0, "")
    assert outcome.answer == {} or outcome.answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert hooked(event("UserPromptSubmit", prompt=text)).code == 0


def aggregated(text: str) -> object:
    """The text as two agents' words, in every field that holds words."""
    lines = text.split("\n")
    found = tuple(
        Finding(
            line,
            category=line[:40],
            severity="minor",
            place=line,
            evidence=line,
            suggestion=line,
            confidence=50,
        )
        for line in lines
    )
    references = tuple(Reference(line[:20], line, line) for line in lines)
    issues = tuple(Issue(line, "critical") for line in lines)
    one = Result(
        "SUCCESS",
        summary=text,
        findings=text,
        references=references,
        confidence=90,
        confidence_reason=text,
        agent=lines[0],
        details=ReviewFindings(found),
    )
    other = Result(
        "FAILED",
        summary=text,
        findings=text,
        references=references,
        confidence=40,
        confidence_reason=text,
        issues=issues,
    )
    whole = aggregate([Report("one.md", one), Report("other.md", other)])
    left_out = (LeftOut(lines[0], tuple(lines)),)
    page = aggregate_markdown(aggregate_document(whole, left_out))
    return page, json.dumps(sarif(whole, left_out)).encode()


def answered(text: str) -> object:
    """As the answer to one of the questions that models are asked; a value must be fit for the journal."""
    purposes = tuple(ROLE_OF)
    answer = answer_to(purposes[len(text) % len(purposes)], text)
    return msgspec.json.encode(answer)


def planned(text: str) -> object:
    return msgspec.json.encode(read_breakdown(text))


def filled(text: str) -> object:
    """As a template that somebody wrote."""
    template = Template("judge", text, "judge.md")
    list(template.problems(PLACEHOLDERS, PLACEHOLDERS))
    return template.fill(dict.fromkeys(PLACEHOLDERS, text))


class Everywhere(NamedTuple):
    """Files that all hold the same text."""

    content: bytes

    def look(self, paths: Sequence[str]) -> dict[str, FoundFile]:
        return {path: FoundFile(path, len(self.content), "") for path in paths}

    def read(self, entries: Sequence[FoundFile]) -> Iterator[bytes]:
        yield from [self.content] * len(entries)


def looked_up(text: str) -> None:
    """What the text cites, in files that hold the text itself."""
    checked = check_references(citations(text), Everywhere(text.encode(errors="replace")))
    assert not checked.fault, checked.fault


def weakened(text: str) -> object:
    """As a change of tests in every language, and of what configures them."""
    half = len(text) // 2
    names = ("test_a.py", "a.test.ts", "a_test.go", "tests/a.rs", "ATest.java", "a_spec.rb", "ATests.cs")
    configured = ("pyproject.toml", "package.json", "Makefile", "src/a.py")
    return findings([Text(name, text[:half], text[half:]) for name in (*names, *configured)], [text[:80]])


class Parser(NamedTuple):
    name: str
    read: Reader
    samples: list[str]
    longest: int = MEGABYTE
    """A longer text is refused at once, or cannot come to it."""


PARSERS = [
    Parser("result", read_result, RESULTS, MOST_CHARACTERS),
    Parser("whether it is a result", is_result, RESULTS),
    Parser("feedback", read_feedback, [FEEDBACK]),
    Parser("answers", quiet(answered, Unreadable), ANSWERS),
    Parser("breakdowns", quiet(planned, Unreadable), ANSWERS),
    Parser("reviews of plans", quiet(partial(answer_to, "quality"), Unreadable), ANSWERS),
    Parser("templates", quiet(filled, ConfigError), [built_in("judge").text], LARGEST_FILE),
    Parser("citations", citations, RESULTS),
    Parser("looked up citations", looked_up, RESULTS),
    Parser("aggregation", aggregated, RESULTS, MOST_CHARACTERS // 4),
    Parser("suites", read_suite, SUITES),
    Parser("weakened tests", weakened, [TESTS], MEGABYTE // 4),
    Parser("events of a hook", hooked, EVENTS),
    Parser("words in a hook's event", held, [PATCH, "cat a.py | head -n 3 && git log"]),
    Parser("patches", quiet(lambda text: patched(PATCH, text), TeamleadError), [PATCH]),
    Parser("edits", lambda text: classify(PATCH, text), [PATCH, PATCH.replace("recieve", "receive")]),
    Parser("purposes", judge_purpose, ["Which value has CACHE_TTL?", "CACHE_TTL の値は？"]),  # noqa: RUF001
]
