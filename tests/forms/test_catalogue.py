"""Every form says what it asks for, and reads it."""

import pytest

from teamlead.core.forms import FORM_OF_ROLE
from teamlead.core.model import TASK_FORMS
from teamlead.forms.catalogue import FORMS, Form

REPORTS = [form for form in FORMS.values() if form.name != "summary"]


def test_every_form_that_a_task_may_name_is_there_and_every_role_has_one_of_them() -> None:
    assert tuple(FORMS) == TASK_FORMS
    assert set(FORM_OF_ROLE.values()) <= FORMS.keys()


@pytest.mark.parametrize("form", REPORTS)
def test_a_report_is_asked_for_with_all_the_sections_that_it_needs(form: Form) -> None:
    assert all(f"### {section}\n" in form.asks for section in form.sections)


@pytest.mark.parametrize("form", REPORTS)
def test_a_report_that_has_only_some_sections_is_told_the_others(form: Form) -> None:
    told = form.read(f"## worker Result\n\n### {form.sections[0]}\nSUCCESS\n### {form.sections[1]}\nDone.")
    missing = [problem.message for problem in told.problems if "is missing" in problem.message]
    assert missing == [f"{section!r} is missing (add it)" for section in form.sections[2:]]


def test_the_schema_of_a_form_asks_for_its_own_findings_unless_it_failed() -> None:
    for form in REPORTS:
        *_, findings = form.schema()["allOf"]
        assert findings["if"] == {"properties": {"status": {"enum": ["SUCCESS", "PARTIAL"]}}}
        assert findings["then"]["required"] == ["details"]
        assert findings["then"]["properties"]["details"]["$ref"].endswith(f"{form.name.title()}Findings")


def test_every_form_is_read_a_stated_number_of_times() -> None:
    assert all(form.readings > 1 for form in FORMS.values())
