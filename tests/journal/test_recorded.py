"""Journals of real sessions, written by this and by earlier versions: each replays to the state it had."""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from teamlead.core.events import AnyEvent, Recorded
from teamlead.core.evolve import evolve
from teamlead.core.state.team_state import TeamState
from teamlead.journal.codec import load_line
from teamlead.views.session_file import session_document

FOLDER = Path(__file__).parent / "recorded"
RECORDINGS = sorted(FOLDER.glob("*.ndjson"))


def events(path: Path) -> list[Recorded]:
    return [load_line(line, path.name) for line in path.read_bytes().splitlines()]


def replayed(path: Path) -> TeamState:
    state = TeamState()
    for recorded in events(path):
        evolve(state, recorded.event, recorded.at)
        assert state.seq == recorded.seq
    return state


DERIVED = frozenset({"evidence"})
"""What today's rules make of what happened, which later ones may see otherwise."""


def kept(expected: Any, found: Any, where: str = "") -> list[str]:
    """Where `found` lacks or contradicts what was expected; fields that are new since then do not count."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [
            problem
            for key, value in expected.items()
            if key not in DERIVED
            for problem in (kept(value, found[key], f"{where}/{key}") if key in found else [f"{where}/{key}"])
        ]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = zip(_by_attempt(expected), _by_attempt(found), strict=True)
        return [p for number, (a, b) in enumerate(pairs) for p in kept(a, b, f"{where}/{number}")]
    return [] if expected == found else [f"{where}: {expected!r} became {found!r}"]


def _by_attempt(items: list[Any]) -> list[Any]:
    """The order in which attempts are told is no promise."""
    if not all(isinstance(item, dict) and {"taskId", "attempt"} <= item.keys() for item in items):
        return items
    return sorted(items, key=lambda item: (item["taskId"], item["attempt"]))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recorded_session_replays_to_the_state_it_had(path: Path) -> None:
    expected = json.loads(path.with_suffix(".session.json").read_text())
    found = msgspec.json.decode(msgspec.json.encode(session_document(replayed(path))))
    assert kept(expected, found) == []


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_says_nothing_about_the_machine_it_was_made_on(path: Path) -> None:
    for file in (path, path.with_suffix(".session.json")):
        text = file.read_text()
        for trace in ("/tmp", "/root", "/work", "/Users", "/var", "site-packages"):
            assert f'"{trace}/' not in text, file.name
            assert f" {trace}/" not in text, file.name


def test_the_recordings_hold_every_kind_of_event() -> None:
    """A kind that no recording holds could change its shape unnoticed."""
    seen = {type(recorded.event) for path in RECORDINGS for recorded in events(path)}
    assert {kind.__name__ for kind in set(get_args(AnyEvent)) - seen} == set()


def test_a_comparison_finds_what_was_lost_or_changed_and_lets_new_fields_be() -> None:
    expected = {"a": [{"b": 1}], "c": 2}
    assert kept(expected, {"a": [{"b": 1, "new": 3}], "c": 2, "new": 4}) == []
    assert kept(expected, {"a": [{"b": 2}], "c": 2}) == ["/a/0/b: 1 became 2"]
    assert kept(expected, {"a": [{"b": 1}]}) == ["/c"]
    assert kept(expected, {"a": [], "c": 2}) == ["/a: [{'b': 1}] became []"]
