"""What recorded lines of the real Claude Code (2.1.325) mean, and what is answered to them."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamlead.core.model import ToolPolicy
from teamlead.ports.runner import RunSpec
from teamlead.runners.claude.dialect import ClaudeDialect
from teamlead.runners.run_events import Event, Tally

RECORDED = Path(__file__).parent / "recorded" / "claude"
SPEC = RunSpec(
    session="s1",
    task="task-1",
    attempt=1,
    role="worker",
    model="",
    prompt="Do it.",
    cwd=Path("/copy"),
    folder=Path(),
    hard_timeout=60.0,
    idle_timeout=60.0,
    slot=2,
)
CONVERSATION = "00000003-0000-4000-8000-000000000000"


class Talk:
    """A dialect, what it has made of the lines, and what it has written."""

    def __init__(self, spec: RunSpec = SPEC) -> None:
        self.written: list[Any] = []
        self.events: list[Event] = []
        self.tally = Tally()
        self.dialect = ClaudeDialect(spec)
        self.dialect.open(self)

    def write(self, data: bytes) -> bool:
        self.written.append(json.loads(data))
        return True

    def close_input(self) -> None:
        raise AssertionError("whoever runs the program closes its input")

    def hear(self, *lines: bytes) -> "Talk":
        for line in lines:
            for event in self.dialect.read(line):
                self.events.append(event)
                self.tally.add(event)
        return self

    def play(self, name: str) -> "Talk":
        return self.hear(*(RECORDED / f"{name}.jsonl").read_bytes().splitlines())

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event["type"] == kind]

    @property
    def answers(self) -> list[Any]:
        return [said["response"] for said in self.written if said["type"] == "control_response"]


def encode(**event: object) -> bytes:
    return json.dumps(event).encode()


def test_a_run_with_its_tools_is_told_in_our_events() -> None:
    spec = SPEC._replace(scope=("src/",), policy=ToolPolicy(tools=("read", "edit", "shell")))
    talk = Talk(spec).play("work")
    assert [event["type"] for event in talk.events] == [
        "started",
        *("turn", "usage", "text", "tool_call", "tool_result"),
        *("turn", "usage", "tool_call", "denied", "tool_result"),
        *("turn", "usage", "tool_call", "tool_result", "denied"),
        *("turn", "usage", "tool_call", "tool_result"),
        *("turn", "usage", "text", "usage", "finished"),
    ]
    assert [event["name"] for event in talk.of("tool_call")] == ["Write", "Write", "WebFetch", "Bash"]
    assert [event["exit_code"] for event in talk.of("tool_result")] == [None, None, None, 3]
    assert talk.tally.denials == [
        "Write: b.txt is outside of what your task may change: src/",
        "WebFetch: it is taken away in this role",
    ]
    assert (talk.tally.finished, talk.tally.summary) == ("ok", "made it")
    assert talk.tally.conversation == CONVERSATION


def test_each_question_about_a_tool_is_answered_by_the_policy() -> None:
    talk = Talk(SPEC._replace(scope=("src/",))).play("work")
    decisions = [answer["response"]["hookSpecificOutput"]["permissionDecision"] for answer in talk.answers]
    assert decisions == ["allow", "deny", "allow"]


def test_a_second_question_about_its_own_settings_is_answered_as_the_first() -> None:
    allowed = Talk().play("settings").answers[-1]["response"]
    assert allowed["behavior"] == "allow"
    assert allowed["updatedInput"] == {"file_path": "/copy/.claude/settings.json", "content": "{}"}
    refused = Talk(SPEC._replace(scope=("src/",))).play("settings").answers[-1]["response"]
    assert refused["behavior"] == "deny"
    assert "outside of what your task may change" in refused["message"]


@pytest.mark.parametrize("subtype", ["elicitation", "mcp_message", "of tomorrow", None])
def test_a_request_we_do_not_know_is_refused_at_once(subtype: str | None) -> None:
    talk = Talk().hear(encode(type="control_request", request_id="r1", request={"subtype": subtype}))
    (answer,) = talk.answers
    assert (answer["subtype"], answer["request_id"]) == ("error", "r1")
    assert talk.events == []


def test_it_gets_its_prompt_only_with_the_hook_in_place() -> None:
    talk = Talk(SPEC._replace(prompt="/help @file \ud800 ü"))
    (asked,) = talk.written
    assert asked["request"]["hooks"]["PreToolUse"][0]["onFailure"] == "block"
    talk.hear(encode(type="control_response", response={"subtype": "success", "request_id": "initialize"}))
    prompt = talk.written[-1]
    assert (prompt["message"]["content"], prompt["client_composed"]) == ("/help @file ? ü", True)


@pytest.mark.parametrize(
    "response",
    [
        {"subtype": "error", "error": "unknown request"},
        {"subtype": "success", "response": {"hooks_applied": False}},
    ],
)
def test_without_the_hook_nothing_begins(response: dict[str, Any]) -> None:
    talk = Talk().hear(encode(type="control_response", response={"request_id": "initialize", **response}))
    assert len(talk.written) == 1
    assert talk.tally.finished == "error"
    assert "takes no decisions on its tools" in talk.tally.error


def test_of_a_resumed_conversation_only_this_run_counts() -> None:
    talk = Talk(SPEC._replace(conversation=CONVERSATION)).play("resumed")
    assert spent(talk) == (100, 10, 0.0006)


def spent(talk: Talk) -> tuple[int | None, int | None, float | None]:
    usage = talk.tally.usage
    return usage.input_tokens, usage.output_tokens, usage.cost_usd and round(usage.cost_usd, 6)


def older(name: str) -> list[bytes]:
    """The recorded lines without what older releases do not tell."""
    lines = [json.loads(line) for line in (RECORDED / f"{name}.jsonl").read_bytes().splitlines()]
    for line in lines:
        line.pop("model_usage_since_last_result", None)
    return [encode(**line) for line in lines if line["type"] != "command_lifecycle"]


def test_where_a_release_tells_only_the_sum_of_a_conversation_the_cost_of_a_run_is_unknown() -> None:
    talk = Talk(SPEC._replace(conversation=CONVERSATION)).hear(*older("resumed"))
    assert spent(talk) == (100, 10, None)
    assert spent(Talk().hear(*older("work"))) == (500, 50, 0.003)


@pytest.mark.parametrize(
    ("name", "status", "reset_at"),
    [
        ("overloaded", "unavailable", None),
        ("broken", "unavailable", None),
        ("limit", "limit", 1999999999),
        ("budget", "budget", None),
        ("interrupted", "error", None),
    ],
)
def test_an_end_that_is_none_is_told_as_what_it_is(name: str, status: str, reset_at: float | None) -> None:
    tally = Talk().play(name).tally
    assert (tally.finished, tally.reset_at, tally.conversation) == (status, reset_at, CONVERSATION)
    assert tally.error


def test_retries_are_told() -> None:
    assert [event["text"] for event in Talk().play("overloaded").of("retry")] == ["overloaded (529)"] * 2


def test_a_conversation_that_is_not_there_is_lost() -> None:
    tally = Talk(SPEC._replace(conversation="0a0a0a0a-0000-4000-8000-000000000000")).play("not_there").tally
    assert (tally.finished, tally.conversation) == ("lost", "")


LATE = b"00000006-0000-4000-8000-000000000000"
"""The message that came too late, where it was recorded."""


def test_it_goes_on_with_a_message_that_came_too_late_for_its_turn() -> None:
    lines = (RECORDED / "late_message.jsonl").read_bytes().splitlines()
    result = next(number for number, line in enumerate(lines) if b'"result_index": 0' in line) + 1
    talk = Talk().hear(*lines[:4])
    assert talk.dialect.say("One more thing")
    lines = [line.replace(LATE, talk.written[-1]["uuid"].encode()) for line in lines]
    assert talk.hear(*lines[4:result]).tally.finished is None
    assert talk.hear(*lines[result:]).tally.finished == "ok"
    assert talk.tally.turns == 2
    assert not talk.dialect.say("Too late")


def test_a_release_that_does_not_confirm_messages_ends_with_its_first_result() -> None:
    lines = older("late_message")
    talk = Talk().hear(*lines[:2])
    assert talk.dialect.say("One more thing")
    assert talk.hear(lines[2], lines[3]).tally.finished == "ok"


def test_an_interrupted_turn_is_its_last() -> None:
    lines = (RECORDED / "late_message.jsonl").read_bytes().splitlines()
    talk = Talk().hear(*lines[:4])
    talk.dialect.say("One more thing")
    assert talk.dialect.interrupt()
    assert talk.written[-1]["request"] == {"subtype": "interrupt"}
    assert talk.hear(*lines[4:7]).tally.finished == "ok"


def test_what_it_was_about_when_its_output_ends_is_told() -> None:
    lines = (RECORDED / "late_message.jsonl").read_bytes().splitlines()
    talk = Talk().hear(*lines[:4])
    talk.dialect.say("One more thing")
    talk.hear(*lines[4:7])
    assert [event["type"] for event in talk.dialect.close()] == ["finished"]
    assert list(talk.dialect.close()) == []


def test_it_waits_for_its_service_unless_a_tool_runs() -> None:
    lines = (RECORDED / "interrupted.jsonl").read_bytes().splitlines()
    talk = Talk()
    waits = [talk.hear(line).dialect.awaits_service for line in lines]
    assert waits[:7] == [False, False, False, True, False, False, False]


STRANGE: Sequence[bytes] = [
    b"",
    b"Warning: something",
    b"{",
    b'{"type": "of tomorrow", "x": 1}',
    b'{"type": "assistant"}',
    b'{"type": "assistant", "message": {"content": [1, {"type": "image"}, {"type": "text"}], "usage": 3}}',
    b'{"type": "assistant", "message": {"id": 7, "content": "x", "usage": {"input_tokens": -1}}}',
    b'{"type": "user", "message": {"content": [{"type": "tool_result", "content": [1, {"type": "text"}]}]}}',
    b'{"type": "system", "subtype": 7}',
    b'{"type": "system", "subtype": "init", "mcp_servers": [{"name": 1}, 2]}',
    b'{"type": "control_request"}',
    b'{"type": "control_request", "request_id": 1, "request": {"subtype": "hook_callback", "input": []}}',
    b'{"type": "control_request", "request": {"subtype": "can_use_tool", "input": {"file_path": [1]}}}',
    b'{"type": "control_response", "response": []}',
    b'{"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "resetsAt": "soon"}}',
    b'{"type": "command_lifecycle", "command_uuid": []}',
    b'{"type": "result", "errors": 5, "usage": [], "model_usage_since_last_result": {"m": 1, "n": {}}}',
    b'{"type": "result", "terminal_reason": "api_error", "errors": [1], "api_error_status": "x"}',
    b'{"type": "text", "text": "\xff\xfe"}',
]


@pytest.mark.parametrize("line", STRANGE)
def test_no_line_whatever_it_is_makes_it_fail(line: bytes) -> None:
    talk = Talk().hear(line).play("work").hear(line)
    assert "started" in {event["type"] for event in talk.events}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
LINES = [line for path in sorted(RECORDED.iterdir()) for line in path.read_bytes().splitlines()]


def replaced(value: Any, choose: st.DataObject) -> Any:
    """One value somewhere inside, and all that it holds, by anything."""
    if isinstance(value, dict | list) and value and choose.draw(st.integers(0, 3)):
        copied = value.copy()
        key = choose.draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
        copied[key] = replaced(value[key], choose)
        return copied
    return choose.draw(ANYTHING)


@settings(deadline=None, max_examples=200 * int(os.environ.get("TEAMLEAD_TEST_SIZE", "1")))
@given(data=st.data(), line=st.sampled_from(LINES))
def test_no_recorded_line_with_anything_in_it_makes_it_fail(data: st.DataObject, line: bytes) -> None:
    changed = json.dumps(replaced(json.loads(line), data)).encode("utf-8", "surrogatepass")
    talk = Talk().hear(changed)
    talk.hear(line, changed)
    asked = json.loads(line)
    if asked["type"] == "control_request":
        assert any(answer["request_id"] == asked["request_id"] for answer in talk.answers)


def test_what_says_nothing_of_success_is_none() -> None:
    assert Talk().hear(b'{"type": "result"}').tally.finished == "error"
    assert Talk().hear(b'{"type": "result", "subtype": "success"}').tally.finished == "error"
    assert Talk().hear(b'{"type": "result", "subtype": "success", "is_error": false}').tally.finished == "ok"
