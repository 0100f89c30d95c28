"""Aggregated results as SARIF 2.1.0, which code hosts and editors show beside the code."""

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from teamlead import __version__
from teamlead.core.reports import Severity
from teamlead.forms.aggregation import Aggregate, CombinedIssue, key_of
from teamlead.forms.opinions import Spot, normalised
from teamlead.system.text import printable
from teamlead.views.aggregate import LeftOut
from teamlead.views.documents.sessions import EvidencePart

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: dict[Severity, str] = {"critical": "error", "important": "warning", "minor": "note"}
EVIDENCE_LEVELS = {"refused": "error", "objected": "error", "flagged": "warning"}
_PLACE = re.compile(r"([^\s:]+):(\d+): ")
NO_CATEGORY = "finding"


def sarif(found: Aggregate, left_out: tuple[LeftOut, ...] = ()) -> dict[str, Any]:
    rules = {rule: at for at, rule in enumerate(sorted({_rule(entry) for entry in found.entries}))}
    invocation = {
        "executionSuccessful": found.status != "FAILED",
        "toolExecutionNotifications": [_notification(gone) for gone in left_out],
    }
    results = [_result(entry, rules[_rule(entry)]) for entry in found.entries]
    return _log(rules, invocation, results)


def sarif_of_evidence(found: Sequence[EvidencePart]) -> dict[str, Any]:
    """What speaks against a change, at the first place that each item names."""
    items = [item for item in found if item["verdict"] in EVIDENCE_LEVELS]
    rules = {rule: at for at, rule in enumerate(sorted({item["kind"] for item in items}))}
    results = [
        {
            "ruleId": item["kind"],
            "ruleIndex": rules[item["kind"]],
            "level": EVIDENCE_LEVELS[item["verdict"]],
            "message": {"text": printable("\n".join((item["found"], *item["details"])))},
            "locations": [_location(place) for place in _places((item["found"], *item["details"]))],
        }
        for item in items
    ]
    return _log(rules, {"executionSuccessful": True}, results)


def _places(texts: Iterable[str]) -> list[Spot]:
    found = (_PLACE.match(text) for text in texts)
    return [Spot(place[1], int(place[2])) for place in found if place][:1]


def _log(rules: Iterable[str], invocation: dict[str, Any], results: list[dict[str, Any]]) -> dict[str, Any]:
    driver = {
        "name": "teamlead",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": rule}} for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(entry: CombinedIssue) -> str:
    return printable(normalised(entry.representative.category)).replace(" ", "-") or NO_CATEGORY


def _result(entry: CombinedIssue, rule: int) -> dict[str, Any]:
    best = entry.representative
    contested = " (contested: a person has to decide)" if entry.contested else ""
    return {
        "ruleId": _rule(entry),
        "ruleIndex": rule,
        "level": LEVELS[entry.severity],
        "message": {"text": (printable(best.text) or "no text") + contested},
        "locations": [_location(best.place)] if best.place.path else [],
        "rank": entry.rank,
        "partialFingerprints": {"issue/v1": _fingerprint(entry)},
        "properties": {
            "max": entry.max,
            "combined": entry.combined,
            "agents": [printable(agent) for agent in entry.agents],
            "contested": entry.contested,
        },
    }


def _location(place: Spot) -> dict[str, Any]:
    uri = quote(place.path, errors="replace")
    artifact = {"uri": f"file://{uri}"} if uri.startswith("/") else {"uri": uri, "uriBaseId": "%SRCROOT%"}
    region = {"region": {"startLine": place.line}} if place.line else {}
    return {"physicalLocation": {"artifactLocation": artifact, **region}}


def _fingerprint(entry: CombinedIssue) -> str:
    """The same for the same issue in the next run, wherever its report was read from."""
    return sha256("\0".join(map(str, key_of(entry.representative))).encode(errors="replace")).hexdigest()


def _notification(gone: LeftOut) -> dict[str, Any]:
    text = printable(f"{gone.source} was left out: {'; '.join(gone.problems)}")
    return {"level": "error", "message": {"text": text}}
