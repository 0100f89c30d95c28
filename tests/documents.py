"""What commands print as JSON is held against its document, wherever a test calls one."""

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from teamlead.views.documents.base import SCHEMA_VERSION
from teamlead.views.documents.catalogue import DOCUMENTS

WORDS = 2
"""Of the longest name of a command."""


def name_of(arguments: Iterable[str]) -> str:
    """Of the command, as the catalogue has it."""
    given = list(arguments)
    words = [argument for argument in given if not argument.startswith("-")]
    names = (" ".join(words[:number]) for number in range(WORDS, 0, -1))
    found = next((name for name in names if name in DOCUMENTS), "plan new" if "plan" in words[:1] else "")
    return next((f"{found} {each}" for each in given if f"{found} {each}" in DOCUMENTS), found)


def require_printed(arguments: Iterable[str], text: str) -> None:
    """What a command has printed is the document that the catalogue has for it."""
    name = name_of(arguments)
    assert name in DOCUMENTS, f"nothing describes what this prints: {text}"
    for part in text.splitlines() if name == "watch" else [text]:
        require(DOCUMENTS[_variant(name, json.loads(part))], part)


def _variant(name: str, printed: dict[str, Any]) -> str:
    """Where a command prints one of several documents."""
    if name == "watch" and printed["seq"] is None:
        return "watch, what agents stream"
    if name.startswith("start") and "planning" in printed:
        return "start, with questions of its planner"
    return name


def require(kind: type[Any], text: str) -> None:
    """It has every field of the document, each of its type, and no other."""
    printed = json.loads(text)
    document = msgspec.json.decode(text, type=kind)
    assert {"schema_version": SCHEMA_VERSION, **as_json(document)} == printed, kind.__name__


def as_json(document: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(msgspec.json.encode(document))
    return found
