"""What an agent is told about its report is what its report is held to."""

import re
from operator import attrgetter
from pathlib import Path
from typing import Literal

import pytest

from teamlead.core.model import TaskSpec
from teamlead.core.roles import BUILT_IN, Role
from teamlead.core.rules import advice_for
from teamlead.evidence.file_sources import FolderFiles
from teamlead.evidence.references import check_references
from teamlead.forms.catalogue import FORMS
from teamlead.forms.citations.scanning import citations
from teamlead.forms.results.contract import blocking, read_result
from teamlead.prompts.worker import reporting

FILLED = """\
## code-explorer Result

### Status
SUCCESS

### Summary
The entry point is `main`. It calls `run`.

### Findings
- Entry points: `src/main.py:3`
- Flow: main calls run
- Patterns: none
- Dependencies: none

### Key References
| Item | Location | Relevance |
| --- | --- | --- |
| main | `src/main.py:3` | `def main() -> None`: where it begins (confidence: 95) |
| run | `src/run.py:9` | `def run() -> int`: what it calls (confidence: 90) |

### Confidence
80 - read both files
- verified_confidence: 90
- inferred_confidence: 70
- combined_confidence: 80

### Next Steps
1. Read the tests.

### Verification
- [x] every file:line reference exists
- [x] quoted code matches the files
- [x] no path is invented
- [x] each finding has its evidence
"""


def test_a_report_in_the_form_that_agents_are_told_is_a_good_one() -> None:
    reading = read_result(FILLED, "code-explorer")
    assert blocking(reading) == ()
    assert reading.result is not None
    assert reading.result.checklist is not None


def test_a_reference_in_that_form_can_be_verified(tmp_path: Path) -> None:
    for name, line, text in (("main", 3, "def main() -> None:"), ("run", 9, "def run() -> int:")):
        file = tmp_path / "src" / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n" * (line - 1) + text + "\n")
    checked = check_references(citations(FILLED), FolderFiles(tmp_path), ()).checked
    assert {each.place: each.standing for each in checked} == {
        "src/main.py:3": "verified",
        "src/run.py:9": "verified",
    }


def test_every_heading_of_that_form_is_one_that_the_told_form_names() -> None:
    told = set(re.findall(r"### ([A-Z][A-Za-z ]+)", FORMS["exploration"].asks))
    used = set(re.findall(r"^### (.+)$", FILLED, re.MULTILINE))
    assert used <= told


def task(role: str, form: Literal["", "summary", "design", "review"] = "") -> TaskSpec:
    return TaskSpec("task-1", "A task", role=role, form=form)


@pytest.mark.parametrize("role", [role for role in BUILT_IN.values() if role.reports], ids=attrgetter("name"))
def test_a_role_that_owes_a_report_is_told_its_form_and_gets_advice(role: Role) -> None:
    for team in (True, False):
        told = reporting(task(role.name), team=team, required=False)
        assert FORMS[role.form].asks in told
        assert all(text in told for text in advice_for(role.name))


def test_any_other_role_is_told_the_form_only_where_reports_are_required() -> None:
    assert reporting(task("worker"), team=True, required=False) == FORMS["summary"].asks
    assert FORMS["implementation"].asks in reporting(task("worker"), team=True, required=True)


def test_a_task_that_names_its_form_is_asked_for_that_one_whatever_its_role() -> None:
    assert FORMS["review"].asks in reporting(task("system-architect", "review"), team=True, required=False)
    assert FORMS["design"].asks in reporting(task("worker", "design"), team=True, required=False)
    assert reporting(task("qa-engineer", "summary"), team=True, required=False) == FORMS["summary"].asks
