"""A report in Markdown into the values of a document. What cannot be read stays as it is written."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from teamlead.forms.citations.places import places
from teamlead.forms.labels import CHECKLIST, is_none
from teamlead.forms.results.document import Document, Values
from teamlead.forms.results.section_contents import (
    Item,
    Row,
    boxes,
    bullet,
    choice,
    fields,
    items,
    label,
    rows,
    score,
    segments,
)
from teamlead.forms.results.sections import Outline, Section
from teamlead.system.markdown import Line

_INLINE = re.compile(
    r"\b(verified|inferred|combined)_confidence\W{1,8}(\d{1,3}(?:\.\d{1,3})?)(?!\d)", re.IGNORECASE
)
_LISTS = {"attempted", "recovery"}
_NUMBERS = {"verified", "inferred", "combined", "score", "evidence_count"}


class Part(NamedTuple):
    name: str
    value: Any
    lines: Sequence[int] = ()
    """Of the items of a list."""


def document_of(found: Outline) -> Document:
    document = Document({"agent": found.agent} if found.agent else {})
    document.lines[""] = min((section.line for section in found.sections.values()), default=1)
    for section in found.repeated:
        document.repeated.setdefault(section.name, section.line)
    for section in found.sections.values():
        document.lines.setdefault(section.name, section.line)
        for part in _READERS[section.name](section):
            _put(document, part, section.line)
    return document


def _put(document: Document, part: Part, line: int) -> None:
    if part.value is None or part.value == "":
        return
    document.lines.setdefault(part.name, line)
    for number, at in enumerate(part.lines):
        document.lines[f"{part.name}[{number}]"] = at
    there = document.values.get(part.name)
    document.values[part.name] = {**there, **part.value} if isinstance(there, dict) else part.value


def _text(section: Section) -> Iterable[Part]:
    yield Part(section.name, section.text())


def _status(section: Section) -> Iterable[Part]:
    text = section.text()
    yield Part("status", choice("status", text) or text)


def _references(section: Section) -> Iterable[Part]:
    table = rows(section.lines(), "references")
    listed = table or [_listed(item) for item in _given(section)]
    if listed or section.text():
        values = [{name: item.text for name, item in row.items()} for row in listed]
        for value in values:
            value["place"] = value.get("place", "").strip("` ")
        yield Part("references", values, [_line(row) for row in listed])


def _listed(item: Item) -> Row:
    """A reference that is an item of a list: what it is, where, and why."""
    first = next(iter(places(item.text)), None)
    start, stop = (first.start, first.stop) if first else (len(item.text), len(item.text))
    parts = {"item": item.text[:start], "place": item.text[start:stop], "relevance": item.text[stop:]}
    return {name: Item(text.strip(" `:-—\n"), item.line) for name, text in parts.items()}


def _confidence(section: Section) -> Iterable[Part]:
    headline = [line.text for line in section.lines() if line.code or not label(_plain(line), "breakdown")[0]]
    given = score("\n".join(headline).strip())
    breakdown = _breakdown_of(section)
    number = given.number if given.number is not None else breakdown.get("combined", given.reason)
    yield Part("confidence", number)
    yield Part("confidence_reason", given.reason)
    yield Part("breakdown", breakdown or None)


def _breakdown(section: Section) -> Iterable[Part]:
    yield Part("breakdown", _breakdown_of(section))


def _breakdown_of(section: Section) -> Values:
    inline = {found[1].lower(): float(found[2]) for found in _INLINE.finditer(section.text())}
    return {**_labelled(section, "breakdown"), **inline}


def _justification(section: Section) -> Iterable[Part]:
    yield Part("justification", _labelled(section, "justification"))


def _error(section: Section) -> Iterable[Part]:
    values = _labelled(section, "error")
    if "recoverable" in values:
        values["recoverable"] = choice("switch", values["recoverable"]) or values["recoverable"]
    yield Part("error", values)


def _labelled(section: Section, table: str) -> Values:
    found = fields(section.lines(), table)
    return {name: _value(name, given) for name, given in found.items() if given}


def _value(name: str, given: Sequence[Item]) -> Any:
    if name in _LISTS:
        return [item.text for item in given if not is_none(item.text)]
    text = "\n".join(item.text for item in given)
    number = score(text).number if name in _NUMBERS else None
    return text if number is None else number


def _texts(section: Section) -> Iterable[Part]:
    given = _given(section)
    yield Part(section.name, [item.text for item in given], [item.line for item in given])


def _issues(section: Section) -> Iterable[Part]:
    for part in _segmented(section):
        for issue in part.value:
            if severity := choice("severity", issue.get("severity", "")):
                issue["severity"] = severity
        yield part


def _segmented(section: Section) -> Iterable[Part]:
    """Items such as "what is wrong | severity: minor"."""
    listed = _given(section)
    values = []
    for item in listed:
        texts, named = [], {}
        for segment in segments(item.text.replace("\n", " | ")):
            known, given = label(segment, section.name)
            if known:
                named[known] = given
            else:
                texts.append(segment)
        values.append({"text": " ".join(texts), **named})
    yield Part(section.name, values, [item.line for item in listed])


def _checklist(section: Section) -> Iterable[Part]:
    values: dict[str, bool] = {}
    for box in boxes(section.body):
        text = box.text.casefold()
        name = next((name for name, words in CHECKLIST.items() if any(map(text.__contains__, words))), "")
        if name:
            values[name] = values.get(name, True) and box.ticked
    yield Part("checklist", values)


def _overrides(section: Section) -> Iterable[Part]:
    given = _given(section)
    values = []
    for item in given:
        rule, _, reason = item.text.partition(":")
        values.append({"rule": rule.strip("*_` "), "reason": reason.strip("*_ ")})
    yield Part("overrides", values, [item.line for item in given])


def _given(section: Section) -> list[Item]:
    return [item for item in items(section.lines()) if not is_none(item.text)]


def _line(row: Row) -> int:
    return next((item.line for item in row.values()), 0)


def _plain(line: Line) -> str:
    marked = bullet(line.text)
    return marked.text if marked else line.text


_READERS: dict[str, Callable[[Section], Iterable[Part]]] = {
    "status": _status,
    "summary": _text,
    "findings": _text,
    "references": _references,
    "confidence": _confidence,
    "breakdown": _breakdown,
    "justification": _justification,
    "uncertainty": _text,
    "issues": _issues,
    "next_steps": _texts,
    "tried": _texts,
    "blockers": _segmented,
    "checklist": _checklist,
    "error": _error,
    "overrides": _overrides,
}
