"""What a document leaves open and can be filled in, before it is held to its shape."""

from collections.abc import Collection, Iterator
from typing import Final, get_args

from teamlead.core.reports import Severity
from teamlead.core.roles import FINDINGS
from teamlead.forms.labels import PARTS
from teamlead.forms.results.breaches import Breach
from teamlead.forms.results.document import Values
from teamlead.forms.results.findings import TEXTS, read_findings, read_part

SEVERITIES: Final[tuple[str, ...]] = get_args(Severity)
ASSUMED: Final = "important"
"""The severity of what has none."""

_FORMS: Final[dict[str, set[str]]] = {
    "review": {"findings"},
    **{form: set(PARTS[form]) for form in ("exploration", "design", "implementation")},
}


def mended(values: Values, role: str) -> Iterator[Breach]:
    """Changes the values; what was missing and matters is told."""
    if isinstance(status := values.get("status"), str):
        values["status"] = status = status.strip().upper()
    if details := _details(values, role):
        values["details"] = details
        yield from _severities(details.get("findings"), "details.findings")
    yield from _severities(values.get("issues"), "issues")
    if isinstance(error := values.get("error"), dict):
        values["error"] = error = _listed(error, ("attempted", "recovery"))
        if status == "FAILED" and not values.get("findings"):
            # A failure has nothing to tell but itself.
            values["findings"] = str(error.get("message") or error.get("type") or "")


def _details(values: Values, role: str) -> Values | None:
    """The findings in the form of the role: as given, else as their text tells."""
    given = values.get("details")
    form = FINDINGS.get(role)
    if given is None and form and isinstance(text := values.get("findings"), str):
        found = read_findings(text, form)
        return {"format": form, **found} if found else None
    if not isinstance(given, dict):
        return None
    named = given.get("format") or form or _likeliest(given)
    parts = _FORMS.get(named, set())
    filled = {name: value for name, value in given.items() if name in parts or value}
    return {**_listed(filled, parts - TEXTS), "format": named}


def _listed(given: Values, names: Collection[str]) -> Values:
    """With texts of several lines as lists, where a list is meant."""
    return {
        name: read_part(name, value) if name in names and isinstance(value, str) else value
        for name, value in given.items()
    }


def _likeliest(given: Values) -> str:
    return max(_FORMS, key=lambda form: len(_FORMS[form] & given.keys()))


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
