"""Findings in their form, read from Markdown.

Those of a review are a table, or a heading or an item each with labels below it. Those of the other forms
stand under their labels.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from teamlead.forms.citations.places import places
from teamlead.forms.citations.scanning import scan
from teamlead.forms.labels import LONGEST, is_none, meaning
from teamlead.forms.results.document import Values
from teamlead.forms.results.section_contents import (
    MOST,
    Item,
    bullet,
    choice,
    fields,
    is_rule,
    items,
    label,
    rows,
    score,
    segments,
)
from teamlead.system.markdown import Line, lines_of

TEXTS: Final = {"decision", "behaviour", "root_cause"}
"""Parts that are one text and no list."""

_COMMAND = re.compile(r"`([^`]+)`|(.+?)(?=\s(?:->|→|\||-|—)\s|:\s|$)")
_BETWEEN = " \t\n|:：→>-—–"  # noqa: RUF001
_BOLD: Final = re.compile(r"\*\*([^*]+)\*\*:?")
_CARD: Final = re.compile(r"^#{4,6} Card: ", re.MULTILINE)
"""What a team's file of findings is to have, in words: from there on nothing is in the form of a task."""
_BRACKET: Final = re.compile(r"[*_`]*\[(\w{1,20})\][*_`]*[ \t]*")


def read_findings(text: str, form: str) -> Values | None:
    """From a text with labels or headings; None where nothing of this shape is there."""
    text = _CARD.split(text, maxsplit=1)[0].strip()
    lines = list(lines_of(text.split("\n")))
    if form == "review":
        found = _review(lines)
        return {"findings": found} if found or is_none(text) else None
    return {name: _part(name, given) for name, given in fields(lines, form).items()} or None


def read_part(name: str, text: str) -> Any:
    """A part that came by itself, an entry a line."""
    return _part(name, items(list(lines_of(text.replace("\n", "\n\n").split("\n")))))


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


class _Record:
    def __init__(self, severity: str, *, heading: bool) -> None:
        self._parts: dict[str, list[str]] = {"severity": [severity]} if severity else {}
        self._last = "text"
        self.heading = heading

    def put(self, name: str, text: str) -> None:
        self._parts[name] = [text] if text else []
        self._last = name

    def go_on(self, text: str) -> None:
        self._parts.setdefault(self._last, []).append(text)

    @property
    def labelled(self) -> bool:
        return bool(self._parts.keys() - {"text", "severity"})

    def values(self) -> dict[str, str]:
        return {name: "\n".join(parts) for name, parts in self._parts.items() if parts}


def _review(lines: Sequence[Line]) -> list[Values]:
    table = [{name: item.text for name, item in row.items()} for row in rows(lines, "review")]
    records = table or [record.values() for record in _records(lines)]
    found = (_finding(record) for record in records[:MOST])
    return [finding for finding in found if finding.get("text") and not is_none(finding["text"])]


def _records(lines: Sequence[Line]) -> list[_Record]:
    found: list[_Record] = []
    severity = ""
    for line in lines:
        marked = None if line.code else bullet(line.text)
        text = marked.text if marked else line.text.strip()
        title = _title(line, text) if marked is None else ""
        name, value = ("", "") if line.code else label(text, "review")
        if title and (group := meaning("severity", title)):
            severity = group
        elif title and not name:
            found.append(_begun(title, severity, heading=True))
        elif name == "text" and value:
            found.append(_begun(value, severity))
        elif name and found:
            found[-1].put(name, value)
        elif marked and marked.indent < 2 and not (found and found[-1].heading and found[-1].labelled):
            if found and found[-1].heading:
                found.pop()  # It was the title of a group.
            found.append(_begun(text, severity))
        elif found and text:
            found[-1].go_on(text)
    return found


def _title(line: Line, text: str) -> str:
    if line.level:
        return text
    bold = None if line.code else _BOLD.fullmatch(text)
    return bold[1].strip(" :") if bold else ""


def _begun(text: str, severity: str, *, heading: bool = False) -> _Record:
    record = _Record(severity, heading=heading)
    if (found := _BRACKET.match(text)) and (named := meaning("severity", found[1])):
        record.put("severity", named)
        text = text[found.end() :]
    first, *others = segments(text)
    texts = [first]
    for segment in others:
        name, value = label(segment, "review")
        if name:
            record.put(name, value)
        elif len(segment) < LONGEST and any(places(segment)):
            record.put("place", segment)
        elif meaning("severity", segment):
            record.put("severity", segment)
        else:
            texts.append(segment)
    record.put("text", " | ".join(texts))
    return record


def _finding(record: dict[str, str]) -> Values:
    finding: Values = dict(record)
    finding["place"] = _place(record)
    if severity := choice("severity", record.get("severity", "")):
        finding["severity"] = severity
    if "confidence" in record:
        number = score(record["confidence"]).number
        finding["confidence"] = record["confidence"] if number is None else number
    return finding


def _place(record: dict[str, str]) -> str:
    """As labelled, else the first that is named anywhere in the finding."""
    given = record.get("place", "").strip("` ")
    if given:
        return given
    named = scan("\n".join((record.get("text", ""), record.get("evidence", ""))))
    return next((citation.place for citation in named), "")
