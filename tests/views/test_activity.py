"""What an agent streams is shown as one line, whatever it is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamlead.views.activity import activity, parse

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KINDS = [
    "text",
    "raw",
    "warning",
    "tool_call",
    "tool_result",
    "ask",
    "finished",
    "usage",
    "started",
    "denied",
    "retry",
    "turn",
]
FIELDS = ["text", "name", "input", "output", "exit_code", "summary", "error", "status"]


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        ({"type": "text", "text": "I look\n  around"}, "I look around"),
        ({"type": "raw", "text": "plain"}, "plain"),
        ({"type": "warning", "text": "careful"}, "careful"),
        ({"type": "text"}, ""),
        ({"type": "text", "text": None}, ""),
        ({"type": "text", "text": ["a", 1]}, "['a', 1]"),
        ({"type": "tool_call", "name": "shell", "input": {"command": "make\ntest"}}, "[shell] make test"),
        ({"type": "tool_call", "name": "shell", "input": {}}, "[shell]"),
        ({"type": "tool_call", "name": "shell", "input": "ls"}, "[shell]"),
        ({"type": "tool_call"}, "[]"),
        ({"type": "tool_result", "exit_code": 0, "output": "fine"}, "  → fine"),
        ({"type": "tool_result", "exit_code": 2, "output": "broken"}, "  → exit code 2: broken"),
        ({"type": "tool_result", "exit_code": 2}, "  → exit code 2"),
        ({"type": "tool_result", "exit_code": 0, "output": ""}, ""),
        ({"type": "tool_result"}, ""),
        ({"type": "ask", "text": "Which?"}, "asks: Which?"),
        ({"type": "finished", "summary": "did it", "error": "no"}, "finished: did it"),
        ({"type": "finished", "summary": "", "error": "no money", "status": "error"}, "finished: no money"),
        ({"type": "finished", "status": "ok"}, "finished: ok"),
        (
            {"type": "denied", "name": "Write", "reason": "not in\nits scope"},
            "not allowed: [Write] not in its scope",
        ),
        ({"type": "denied"}, "not allowed: []"),
        ({"type": "retry", "text": "529"}, "its service is tried again: 529"),
        ({"type": "retry"}, "its service is tried again"),
        ({"type": "turn"}, ""),
        ({"type": "usage", "text": "7 tokens"}, ""),
        ({"type": ["text"], "text": "hidden"}, ""),
        ({}, ""),
    ],
)
def test_an_agents_word_is_one_line(event: dict[str, Any], shown: str) -> None:
    assert activity(event) == shown


@pytest.mark.parametrize(
    ("streamed", "text"),
    [
        ("not JSON", "not JSON"),
        ("", ""),
        ("[1, 2]", "[1, 2]"),
        ("null", "null"),
        (b'"text"', '"text"'),
        (b"\xff broken", "\ufffd broken"),
        ("1" * 5000, "1" * 5000),
    ],
)
def test_a_line_that_is_no_event_is_shown_as_it_is(streamed: str | bytes, text: str) -> None:
    assert parse(streamed) == {"type": "raw", "text": text}


def test_an_event_is_read_from_text_and_from_bytes() -> None:
    assert parse('{"type": "text"}') == parse(b'{"type": "text"}') == {"type": "text"}


def test_a_long_word_is_cut_and_says_so() -> None:
    assert activity({"type": "text", "text": "x" * 200}) == "x" * 200
    assert activity({"type": "text", "text": "x" * 201}) == "x" * 199 + "…"


@given(st.dictionaries(st.sampled_from(FIELDS), JSON), st.sampled_from(KINDS) | JSON)
def test_no_event_breaks_the_screen(fields: dict[str, Any], kind: Any) -> None:
    shown = activity(parse(json.dumps({**fields, "type": kind})))
    assert isinstance(shown, str)


def test_a_line_nested_too_deeply_is_shown_as_it_is() -> None:
    assert parse("[" * 100_000)["type"] == "raw"
