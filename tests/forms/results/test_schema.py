"""The schema for users says of a result what the contract says, as far as a schema can."""

from typing import Any

import pytest
from tests.forms.samples import DETAILS, FAILED, RESULT, SURE

from teamlead.forms.results.contract import read_document
from teamlead.forms.results.schema import result_schema

jsonschema = pytest.importorskip("jsonschema", reason="the extra `agents` brings it")


def holds(values: dict[str, Any]) -> bool:
    return bool(jsonschema.Draft202012Validator(result_schema()).is_valid(values))


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(result_schema())


@pytest.mark.parametrize(
    "values",
    [RESULT, SURE, FAILED, *({**RESULT, "details": {"format": form, **DETAILS[form]}} for form in DETAILS)],
)
def test_good_results_fit_it(values: dict[str, Any]) -> None:
    assert holds(values)
    assert read_document(values).problems == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "DONE"},
        {"confidence": 101},
        {"confidence": 75},
        {"confidence": 75, "breakdown": None},
        {"checklist": None},
        {"checklist": {**RESULT["checklist"], "snippets_match": False}},
        {"status": "PARTIAL"},
        {"status": "FAILED", "blockers": [{"text": "no key"}]},
        {"mood": "good"},
        {"details": {"format": "poem"}},
        {"references": [{"item": "parse"}]},
    ],
)
def test_what_breaks_a_hard_rule_does_not_fit_it(changes: dict[str, Any]) -> None:
    values = {**RESULT, **changes}
    assert not holds(values)
    assert [problem for problem in read_document(values).problems if problem.level == "L1"]
