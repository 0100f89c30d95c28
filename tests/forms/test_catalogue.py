"""Every form says what it asks for, and reads it."""

from typing import get_args

import pytest

from teamlead.core.forms import READINGS, AnswerForm
from teamlead.core.model import TASK_FORMS
from teamlead.core.roles import BUILT_IN
from teamlead.forms.catalogue import FORMS, REPORTS, Form
from teamlead.forms.results.contract import Reading

WRITTEN = [form for form in REPORTS.values() if form.name != "summary"]
SAID = [form for name, form in FORMS.items() if name not in TASK_FORMS]


def test_every_form_that_a_task_may_name_is_there_and_every_role_has_one_of_them() -> None:
    assert tuple(REPORTS) == TASK_FORMS
    assert {role.form for role in BUILT_IN.values()} <= REPORTS.keys()


def test_every_form_that_a_model_may_be_asked_for_is_there() -> None:
    assert {form.name for form in SAID} == set(get_args(AnswerForm))


@pytest.mark.parametrize("form", SAID)
def test_the_example_of_an_answer_is_one_that_can_be_read(form: Form[object]) -> None:
    assert form.read(form.asks)


@pytest.mark.parametrize("form", SAID)
def test_an_answer_has_the_fields_that_its_example_shows_and_its_schema_names(form: Form[object]) -> None:
    assert [field for field in form.sections if field not in form.asks] == []
    assert form.schema()["properties"].keys() == set(form.sections)


@pytest.mark.parametrize("form", WRITTEN)
def test_a_report_is_asked_for_with_all_the_sections_that_it_needs(form: Form[Reading]) -> None:
    assert all(f"### {section}\n" in form.asks for section in form.sections)


@pytest.mark.parametrize("form", WRITTEN)
def test_a_report_that_has_only_some_sections_is_told_the_others(form: Form[Reading]) -> None:
    told = form.read(f"## worker Result\n\n### {form.sections[0]}\nSUCCESS\n### {form.sections[1]}\nDone.")
    missing = [problem.message for problem in told.problems if "is missing" in problem.message]
    assert missing == [f"{section!r} is missing (add it)" for section in form.sections[2:]]


def test_the_schema_of_a_form_asks_for_its_own_findings_unless_it_failed() -> None:
    for form in WRITTEN:
        *_, findings = form.schema()["allOf"]
        assert findings["if"] == {"properties": {"status": {"enum": ["SUCCESS", "PARTIAL"]}}}
        assert findings["then"]["required"] == ["details"]
        assert findings["then"]["properties"]["details"]["$ref"].endswith(f"{form.name.title()}Findings")


def test_every_form_is_read_a_stated_number_of_times() -> None:
    assert {name: form.readings for name, form in FORMS.items()} == READINGS
