"""Which command prints which document, and the JSON Schema of all of them."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from teamlead.views.documents import (
    phases,
    plans,
    reports,
    results,
    session_file,
    sessions,
    setup,
    steering,
    teams,
    work,
)
from teamlead.views.documents.base import SCHEMA_VERSION, is_moment

DOCUMENTS: Final[Mapping[str, type[Any]]] = {
    "start": sessions.LedDocument,
    "start, with questions of its planner": plans.PlanningDocument,
    "start --detach": sessions.OpenedDocument,
    "resume": sessions.LedDocument,
    "resume --detach": sessions.OpenedDocument,
    "session init": sessions.OpenedDocument,
    "session status": sessions.StatusDocument,
    "pause": steering.PausedDocument,
    "plan new": plans.PlanningDocument,
    "plan new --start": sessions.LedDocument,
    "plan show": plans.PlanningDocument,
    "plan list": plans.PlanningListDocument,
    "plan add": steering.AddedDocument,
    "plan check": plans.PlanCheckDocument,
    "plan graph": plans.PlanGraphDocument,
    "team list": teams.TeamListDocument,
    "team show": teams.TeamShowDocument,
    "team check": teams.TeamCheckDocument,
    "team select": teams.TeamSelectDocument,
    "rehearse": plans.RehearsalDocument,
    "status": sessions.StatusDocument,
    "list": sessions.SessionListDocument,
    "watch": sessions.EventDocument,
    "watch, what agents stream": sessions.StreamDocument,
    "logs": work.LogsDocument,
    "diff": work.DiffDocument,
    "evidence": reports.EvidenceDocument,
    "prove": reports.ProofDocument,
    "refs verify": results.ReferencesDocument,
    "report": reports.ReportDocument,
    "escalations": sessions.EscalationsDocument,
    "tell": steering.SteeredTaskDocument,
    "retry": steering.SteeredTaskDocument,
    "skip": steering.SkippedDocument,
    "reassign": steering.ReassignedDocument,
    "release": steering.ReleasedDocument,
    "resolve": steering.ResolvedDocument,
    "approve": steering.ApprovedDocument,
    "reject": steering.SteeredDocument,
    "revise": steering.SteeredDocument,
    "cancel": steering.SteeredDocument,
    "state status": phases.StateDocument,
    "state transition": phases.MovedDocument,
    "state check-lock": phases.LockDocument,
    "result check": results.ResultCheckDocument,
    "result aggregate": results.AggregateDocument,
    "mend": work.MendDocument,
    "salvage list": work.SalvageListDocument,
    "salvage show": work.SalvageShowDocument,
    "clean": work.CleanDocument,
    "init": setup.InitDocument,
    "doctor": setup.DoctorDocument,
    "agents": setup.AgentsDocument,
    "guard rules": setup.RulesDocument,
    "guard read": setup.GuardAnswerDocument,
    "guard edit": setup.GuardAnswerDocument,
    "guard verify": setup.GuardVerifyDocument,
    "guard log": setup.GuardLogDocument,
    "prompts list": setup.PromptListDocument,
    "prompts show": setup.PromptShowDocument,
    "prompts check": setup.PromptCheckDocument,
    "config show": setup.ConfigDocument,
    "session.json": session_file.SessionFileDocument,
    "approvals/MOMENT.json": reports.GateDocument,
    "tickets/TASK.json": session_file.TicketDocument,
    "active-session.json": session_file.ActiveSessionDocument,
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
