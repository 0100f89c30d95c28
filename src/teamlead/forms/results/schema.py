"""The JSON Schema of a result, for those who write one by other means than Markdown."""

from typing import Any

import msgspec

from teamlead.core.reports import Result
from teamlead.forms.results.kinds import KINDS, FindingsKind
from teamlead.forms.results.part_rules import BOXES
from teamlead.forms.results.proof_rules import NEEDS_BREAKDOWN

Schema = dict[str, Any]


def result_schema(form: str = "") -> Schema:
    """Its shape, and of the hard rules those that a schema can say."""
    kind = KINDS.get(form)
    [shape], definitions = msgspec.json.schema_components([Result], ref_template="#/$defs/{name}")
    result = definitions.pop(shape["$ref"].rpartition("/")[2])
    definitions["Checklist"] |= {
        "properties": {name: {"const": True, "description": text} for name, text in BOXES.items()},
        "required": list(BOXES),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **result,
        "title": "Result",
        "description": "What an agent hands in when it has finished. `teamlead result check` knows more.",
        "required": [*result["required"], "checklist"],
        "allOf": [
            {"properties": {"checklist": {"type": "object"}}},
            _where({"confidence": {"minimum": NEEDS_BREAKDOWN}}, breakdown={"type": "object"}),
            _where({"status": {"const": "FAILED"}}, error={"type": "object"}),
            _where({"status": {"enum": ["PARTIAL", "FAILED", "IMPOSSIBLE"]}}, blockers={"minItems": 1}),
            _where({"status": {"const": "IMPOSSIBLE"}}, tried={"minItems": 1}),
            *([_where({"status": {"enum": ["SUCCESS", "PARTIAL"]}}, details=_ref(kind))] if kind else ()),
        ],
        "$defs": definitions,
    }


def _where(properties: Schema, **required: Schema) -> Schema:
    return {"if": {"properties": properties}, "then": {"required": list(required), "properties": required}}


def _ref(kind: FindingsKind) -> Schema:
    return {"$ref": f"#/$defs/{kind.shape.__name__}"}
