"""A document into a `Result`, and what keeps it from being one.

All of it is told at once: a part that cannot be read is left out, and something harmless stands in for it
while the other rules are looked at.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple, get_args

import msgspec

from teamlead.core.reports import Result, ResultStatus, Severity
from teamlead.forms.results.breaches import Breach
from teamlead.forms.results.document import Document, Values
from teamlead.forms.results.findings import TEXTS, read_findings, read_part
from teamlead.forms.results.kinds import KINDS

REQUIRED: Final = {
    "status": "Status",
    "summary": "Summary",
    "findings": "Findings",
    "references": "Key References",
    "confidence": "Confidence",
}
STATUSES: Final[tuple[str, ...]] = get_args(ResultStatus)
HARMLESS: Final[Values] = {
    "status": "SUCCESS",
    "summary": "",
    "findings": "",
    "references": [],
    "confidence": 74,
    "confidence_reason": "",
}
"""Breaks no rule that looks at nothing else."""
RULES: Final = {
    "status": "known-status",
    "confidence": "confidence-range",
    "breakdown": "confidence-breakdown",
    "justification": "confidence-justification",
    "checklist": "checklist-complete",
}
"""Which rule a part of a wrong shape breaks; of any other part: required-sections."""

SEVERITIES: Final[tuple[str, ...]] = get_args(Severity)
ASSUMED: Final = "important"
"""The severity of what has none."""

_PATH: Final = re.compile(r"(.*) - at `\$\.?([^`]*)`", re.DOTALL)


class Converted(NamedTuple):
    result: Result
    breaches: list[Breach]
    left_out: frozenset[str]
    """Parts that are missing or could not be read."""


def converted(document: Document, form: str) -> Converted:
    values = {name: value for name, value in document.values.items() if name in Result.__struct_fields__}
    breaches = [*_repeated(document), *_unknown(document.values), *filled_in(values, form)]
    left_out: dict[str, None] = {}
    for breach in [*_missing(values), *_status(values), *_scores(values)]:
        breaches.append(breach)
        left_out[part_of(breach.at)] = None
        values.pop(part_of(breach.at), None)
    while True:
        try:
            # Not strict: a number in quotes is a number.
            result = msgspec.convert({**HARMLESS, **values}, Result, strict=False)
            return Converted(result, breaches, frozenset(left_out))
        except msgspec.ValidationError as error:
            breaches.append(_misshapen(str(error)))
            left_out[part_of(breaches[-1].at)] = None
            del values[part_of(breaches[-1].at)]


def part_of(path: str) -> str:
    """The outermost part that a path leads into."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def _repeated(document: Document) -> Iterator[Breach]:
    for name, line in document.repeated.items():
        shown = REQUIRED.get(name, name)
        yield Breach("required-sections", f"{shown!r} stands there again in line {line} (keep one)", name)


def _unknown(values: Values) -> Iterator[Breach]:
    unknown = [name[:40] for name in values if name not in Result.__struct_fields__]
    if unknown:
        names = ", ".join(map(repr, unknown[:5]))
        yield Breach("required-sections", f"a result has no part {names} (see `teamlead result schema`)")


def _missing(values: Values) -> Iterator[Breach]:
    for name, title in REQUIRED.items():
        given = values.get(name)
        if given is None or (isinstance(given, str) and not given.strip()):
            yield Breach("required-sections", f"{title!r} is missing (add it)", name)


def _status(values: Values) -> Iterator[Breach]:
    given = values.get("status")
    if given and given not in STATUSES:
        yield Breach(
            "known-status", f"the status {_shown(given)} is none (say {', '.join(STATUSES)})", "status"
        )


def _scores(values: Values) -> Iterator[Breach]:
    for path, given in _scored(values):
        if not _is_percent(given):
            message = f"{_shown(given)} is no number from 0 to 100 (say one)"
            yield Breach("confidence-range", message, path)


def _scored(values: Values) -> Iterator[tuple[str, Any]]:
    """All that has to be a number from 0 to 100."""
    if values.get("confidence") not in (None, ""):
        yield "confidence", values["confidence"]
    for part, names in (("breakdown", ("verified", "inferred", "combined")), ("justification", ("score",))):
        inner = values.get(part)
        if isinstance(inner, dict):
            yield from ((f"{part}.{name}", inner[name]) for name in names if name in inner)


def _is_percent(given: object) -> bool:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return False
    try:
        return 0 <= float(given) <= 100
    except (ValueError, OverflowError):
        return False


def _misshapen(error: str) -> Breach:
    found = _PATH.fullmatch(error)
    reason, path = (found[1], found[2]) if found else (error, "")
    rule = RULES.get(part_of(path), "required-sections")
    return Breach(rule, f"{path}: {reason} (see `teamlead result schema`)", path)


def _shown(given: object) -> str:
    return repr(given if len(text := str(given)) <= 60 else f"{text[:60]}...")


def filled_in(values: Values, form: str) -> Iterator[Breach]:
    """Puts into the values what they leave open and what can be known; tells what was missing and matters."""
    if isinstance(status := values.get("status"), str):
        values["status"] = status = "_".join(status.strip().upper().replace("-", " ").split())
    if details := _details(values, form):
        values["details"] = details
        yield from _severities(details.get("findings"), "details.findings")
    yield from _severities(values.get("issues"), "issues")
    if isinstance(error := values.get("error"), dict):
        values["error"] = error = _listed(error, ("attempted", "recovery"))
        if status == "FAILED" and not values.get("findings"):
            # A failure has nothing to tell but itself.
            values["findings"] = str(error.get("message") or error.get("type") or "")


def _details(values: Values, form: str) -> Values | None:
    """The findings in their form: as given, else as their text tells."""
    given = values.get("details")
    if given is None and form in KINDS and isinstance(text := values.get("findings"), str):
        found = read_findings(text, form)
        return {"format": form, **found} if found else None
    if not isinstance(given, dict):
        return None
    named = given.get("format") or (form if form in KINDS else _likeliest(given))
    parts = set(KINDS[named].parts) if named in KINDS else set()
    filled = {name: value for name, value in given.items() if name in parts or value}
    return {**_listed(filled, parts - TEXTS), "format": named}


def _listed(given: Values, names: Collection[str]) -> Values:
    """With texts of several lines as lists, where a list is meant."""
    return {
        name: read_part(name, value) if name in names and isinstance(value, str) else value
        for name, value in given.items()
    }


def _likeliest(given: Values) -> str:
    return max(KINDS, key=lambda form: len(given.keys() & set(KINDS[form].parts)))


def _severities(listed: object, path: str) -> Iterator[Breach]:
    for number, entry in enumerate(listed if isinstance(listed, list) else ()):
        if not isinstance(entry, dict):
            continue
        given = entry.get("severity", "")
        word = given.strip().lower() if isinstance(given, str) else ""
        entry["severity"] = word if word in SEVERITIES else ASSUMED
        if word not in SEVERITIES:
            what = f"the severity {given!r} is none" if given else "it has no severity"
            yield Breach("issue-severity", f"{what} (say {', '.join(SEVERITIES)})", f"{path}[{number}]")
