"""Which command prints which document, and the JSON Schema of all of them."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from teamlead.views.documents.base import SCHEMA_VERSION, is_moment
from teamlead.views.documents.reports import EvidenceDocument, ReportDocument
from teamlead.views.documents.session_file import SessionFileDocument
from teamlead.views.documents.sessions import (
    EscalationsDocument,
    EventDocument,
    LedDocument,
    OpenedDocument,
    SessionListDocument,
    StatusDocument,
    StreamDocument,
)

DOCUMENTS: Final[Mapping[str, type[Any]]] = {
    "status": StatusDocument,
    "start": LedDocument,
    "resume": LedDocument,
    "start --detach": OpenedDocument,
    "resume --detach": OpenedDocument,
    "list": SessionListDocument,
    "watch": EventDocument,
    "watch, what agents stream": StreamDocument,
    "escalations": EscalationsDocument,
    "report": ReportDocument,
    "evidence": EvidenceDocument,
    "session.json": SessionFileDocument,
}
"""By command, without `teamlead` and with `--json`; or by file."""


MOMENT = {"format": "date-time", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"}

Schema = dict[str, Any]


def schema() -> Schema:
    """One definition for each document and each of its parts."""
    kinds = tuple(dict.fromkeys(DOCUMENTS.values()))
    _, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for definition in definitions.values():
        for name, found in definition.get("properties", {}).items():
            if is_moment(name):
                _text_in(found).update(MOMENT)
    for kind in kinds:
        definition = definitions[kind.__name__]
        version = {"schema_version": {"const": SCHEMA_VERSION}}
        definition["properties"] = {**version, **definition["properties"], **version}
        definition["required"] = [*version, *definition["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What teamlead prints and writes as JSON",
        "$defs": dict(sorted(definitions.items())),
    }


def _text_in(found: Schema) -> Schema:
    """What it is, apart from null."""
    text: Schema
    (text,) = [each for each in found.get("anyOf", [found]) if each["type"] == "string"]
    return text
