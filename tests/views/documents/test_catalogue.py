"""The vocabulary of what the outside reads holds in every document."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from teamlead.views.documents import session_file
from teamlead.views.documents.base import is_moment
from teamlead.views.documents.catalogue import schema

DEFINITIONS: dict[str, dict[str, Any]] = schema()["$defs"]
FOREIGN = {
    name
    for name, kind in vars(session_file).items()
    if getattr(kind, "__module__", "") == session_file.__name__
}
"""What has the names of session.json."""


def fields() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for kind, definition in DEFINITIONS.items():
        if kind not in FOREIGN:
            for name, found in definition.get("properties", {}).items():
                yield kind, name, found


def types_of(found: dict[str, Any]) -> set[str]:
    return {each.get("type", "object") for each in found.get("anyOf", [found])}


def test_names_are_full_words_in_snake_case() -> None:
    assert [
        f"{kind}.{name}" for kind, name, _ in fields() if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
    ] == []


def test_what_session_json_calls_otherwise_is_in_its_table_and_nowhere_else() -> None:
    names = {name for kind in FOREIGN for name in DEFINITIONS.get(kind, {}).get("properties", {})}
    assert {name for name in names if not name.islower()} == set(session_file.NAMES.values()) & names


def test_how_many_there_are_is_a_number_and_moments_are_texts() -> None:
    for kind, name, found in fields():
        if name.endswith("_total"):
            assert types_of(found) <= {"integer", "null"}, f"{kind}.{name}"
        if is_moment(name):
            assert types_of(found) <= {"string", "null"}, f"{kind}.{name}"


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("status", {"AggregateDocument", "GateDocument", "SummedResultPart"}),
        ("told", set()),
        ("directory", set()),
        ("size", set()),
        ("escalation", set()),
    ],
)
def test_a_word_that_has_another_in_its_place_is_not_used(word: str, kinds: set[str]) -> None:
    own = {kind for kind, name, _ in fields() if name == word}
    assert {kind for kind in own if kind.endswith(("Part", "Document"))} == kinds


def test_every_field_is_always_there() -> None:
    for kind, definition in DEFINITIONS.items():
        if kind.endswith(("Part", "Document")):
            optional = (
                set(definition["properties"]) - set(definition["required"]) - {"schema_version", "type"}
            )
            assert optional == set(), kind
