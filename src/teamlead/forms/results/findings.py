"""Findings in the shape of a role, read from Markdown."""

import re
from collections.abc import Sequence
from typing import Any, Final

from teamlead.core.roles import Format
from teamlead.forms.labels import is_none, meaning
from teamlead.forms.results.document import Values
from teamlead.forms.results.records import Item, fields, is_rule, items, segments
from teamlead.forms.results.review import findings_of
from teamlead.forms.results.sections import lines_of

TEXTS: Final = {"decision", "behaviour", "root_cause"}
"""Parts that are one text and no list."""

_COMMAND = re.compile(r"`([^`]+)`|(.+?)(?=\s(?:->|→|\||-|—)\s|:\s|$)")
_BETWEEN = " \t\n|:：→>-—–"  # noqa: RUF001


def read_findings(text: str, form: Format) -> Values | None:
    """From a text with labels or headings; None where nothing of this shape is there."""
    lines = lines_of(text)
    if form == "review":
        found = findings_of(lines)
        return {"findings": found} if found or is_none(text) else None
    return {name: _part(name, given) for name, given in fields(lines, form).items()} or None


def read_part(name: str, text: str) -> Any:
    """A part that came by itself, an entry a line."""
    return _part(name, items(lines_of(text.replace("\n", "\n\n"))))


def _part(name: str, given: Sequence[Item]) -> Any:
    if name in TEXTS:
        return "\n".join(item.text for item in given)
    listed = [item.text for item in given if not is_none(item.text)]
    return [run for text in listed if (run := _command(text))] if name == "commands" else listed


def _command(text: str) -> Values | None:
    """A command and what came of it: "`make test`: 12 passed", or a row of a table."""
    plain = text.strip().strip("|").strip()
    if is_rule(text) or meaning("commands", segments(plain)[0]):
        return None
    found = _COMMAND.match(plain.partition("\n")[0])
    if found is None:
        return None
    return {"command": (found[1] or found[2]).strip(), "outcome": plain[found.end() :].strip(_BETWEEN)}
