"""What a document leaves open and can be filled in, before it is held to its shape."""

from collections.abc import Iterator
from typing import Final, get_args

from teamlead.core.reports import Severity
from teamlead.core.roles import FINDINGS
from teamlead.reports.breach import Breach
from teamlead.reports.documents import Values
from teamlead.reports.words import PARTS

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
    if isinstance(details := values.get("details"), dict):
        values["details"] = details = _details(details, role)
        yield from _severities(details.get("findings"), "details.findings")
    yield from _severities(values.get("issues"), "issues")
    error = values.get("error")
    if status == "FAILED" and isinstance(error, dict) and not values.get("findings"):
        # A failure has nothing to tell but itself.
        values["findings"] = str(error.get("message") or error.get("type") or "")


def _details(given: Values, role: str) -> Values:
    """With its shape named, and without empty parts of other shapes: some agents fill in every field."""
    form = given.get("format") or FINDINGS.get(role) or _likeliest(given)
    parts = _FORMS.get(form, set())
    filled = {name: value for name, value in given.items() if name in parts or value not in ("", [], None)}
    return {**filled, "format": form}


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
