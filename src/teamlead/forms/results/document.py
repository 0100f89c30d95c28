"""A report as plain values in the shape of its JSON, whichever way it came, and where each part stands."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from teamlead.core.reports import Result
from teamlead.system.markdown import CodeFence, fence

Values = dict[str, Any]

_HUMP = re.compile(r"(?<=[a-z0-9])[A-Z]")
DEEPEST = 12

NAMES: Mapping[str, str] = {
    "key_references": "references",
    "verified_confidence": "verified",
    "inferred_confidence": "inferred",
    "combined_confidence": "combined",
    "confidence_breakdown": "breakdown",
    "confidence_justification": "justification",
    "verification": "checklist",
}
"""What parts are called elsewhere."""

MISSED: Mapping[str, str] = {
    "details": "findings",
    "breakdown": "confidence",
    "justification": "confidence",
    "uncertainty": "confidence",
    "error": "status",
    "blockers": "status",
    "next_steps": "status",
    "tried": "status",
}
"""The part that calls for another."""


@dataclass(slots=True)
class Document:
    values: Values
    lines: dict[str, int] = field(default_factory=dict)
    """By path, such as `issues[0]`, and of the whole report by ""."""
    repeated: dict[str, int] = field(default_factory=dict)
    """Sections that stand there a second time, with the line of it."""

    def line(self, path: str) -> int:
        """Where a part stands, or the nearest around it; of one that is not there, where it is missed."""
        while path and path not in self.lines:
            shorter = path[: max(path.rfind("."), path.rfind("["), 0)]
            path = shorter or MISSED.get(path, "")
        return self.lines.get(path, 0)


def json_objects(text: str) -> Iterator[Values]:
    """The object that the text is, or those that it holds as blocks of code."""
    for block in (text.strip(), *_code(text)):
        if block.startswith("{") and (found := _decoded(block)) is not None:
            yield found


def _code(text: str) -> Iterator[str]:
    """What stands in its blocks of JSON, or of a language that is not named."""
    opened: CodeFence | None = None
    block: list[str] = []
    for line in (*text.split("\n"), None):
        if opened is None:
            opened, block = fence(line) if line is not None else None, []
        elif line is None or opened.is_closed_by(line):
            if opened.language in {"", "json"}:
                whole = "\n".join(block).strip()
                # Some write the fence behind the last bracket.
                yield from dict.fromkeys((whole, whole.partition(opened.mark)[0]))
            opened = None
        else:
            block.append(line)


def broken_json(text: str) -> str:
    """What is wrong with a text that begins as an object of JSON; empty if it does not, or nothing is."""
    if not text.lstrip().startswith("{"):
        return ""
    try:
        msgspec.json.decode(text.strip(), type=dict)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        return f"it begins as JSON, and cannot be read as such: {error}"
    return ""


def _decoded(text: str) -> Values | None:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    return found if isinstance(found, dict) else None


def named(value: Any, depth: int = 0) -> Any:
    """With names as ours, and without what was left open: some agents fill in every field."""
    if isinstance(value, dict) and depth < DEEPEST:
        given = {_name(key): named(inner, depth + 1) for key, inner in value.items()}
        return {key: inner for key, inner in given.items() if not _open(inner)}
    if isinstance(value, list) and depth < DEEPEST:
        return [inner for inner in (named(inner, depth + 1) for inner in value) if not _open(inner)]
    return value


def _open(value: object) -> bool:
    if isinstance(value, dict):
        return not any(value.values())
    return value is None or (isinstance(value, str) and not value.strip())


def _name(key: str) -> str:
    name = _HUMP.sub(lambda found: f"_{found[0]}", key).lower().replace("-", "_")
    return NAMES.get(name, name)


def key_lines(text: str, given: Values) -> dict[str, int]:
    """Where each of the outermost parts is first named."""
    found = {"": 1}
    for key in given:
        name = _name(key)
        if name in Result.__struct_fields__ and name not in found:
            at = text.find(json.dumps(key))
            found[name] = text.count("\n", 0, at) + 1 if at >= 0 else 1
    return found
