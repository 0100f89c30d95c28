"""What lines of codex mean, as it was seen to print and record them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from teamlead.ports.runner import RunSpec
from teamlead.runners.codex.dialect import CodexDialect
from teamlead.runners.run_events import Event, Tally

MakeSpec = Callable[..., RunSpec]

THREAD = "01a1e240-7b85-7fc0-8f03-ad252a492d37"
BEGUN = f'{{"type":"thread.started","thread_id":"{THREAD}"}}'
COMMAND = (
    (
        '{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -c ls",'
        '"aggregated_output":"","exit_code":null,"status":"in_progress"}}'
    ),
    (
        '{"type":"item.completed","item":{"id":"item_1","type":"command_execution",'
        '"command":"/bin/bash -c ls","aggregated_output":"no such file\\n","exit_code":2,"status":"failed"}}'
    ),
)
CHANGE = (
    (
        '{"type":"item.started","item":{"id":"item_2","type":"file_change","changes":[{"path":"/copy/a.txt",'
        '"kind":"add"}],"status":"in_progress"}}'
    ),
    (
        '{"type":"item.completed","item":{"id":"item_2","type":"file_change","changes":[{"path":"/copy/a.txt",'
        '"kind":"add"}],"status":"completed"}}'
    ),
)
TEAM = (
    (
        '{"type":"item.started","item":{"id":"item_0","type":"mcp_tool_call","server":"team",'
        '"tool":"report_progress","arguments":{"text":"half"},"result":null,"error":null,"status":"in_progress"}}'
    ),
    (
        '{"type":"item.completed","item":{"id":"item_0","type":"mcp_tool_call","server":"team",'
        '"tool":"report_progress","arguments":{"text":"half"},"result":{"content":[{"type":"text","text":"noted"}],'
        '"structured_content":null},"error":null,"status":"completed"}}'
    ),
)
SAID = '{"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"done"}}'
OVER = (
    '{"type":"turn.completed","usage":{"input_tokens":400,"cached_input_tokens":80,'
    '"cache_write_input_tokens":0,"output_tokens":40,"reasoning_output_tokens":12}}'
)
WARNING = (
    '{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata not found."}}'
)
RETRY = (
    '{"type":"error","message":"Reconnecting... 2/5 (stream disconnected before completion: '
    'stream closed before response.completed)"}'
)
LIMIT = (
    '{"type":"error","message":"Reconnecting... 1/5 (exceeded retry limit, last status: '
    '429 Too Many Requests)"}'
)


def heard(dialect: CodexDialect, *lines: str) -> list[Event]:
    events = [event for line in lines for event in dialect.read(line.encode())]
    return [*events, *dialect.close()]


@pytest.fixture
def dialect(spec: MakeSpec, tmp_path: Path) -> CodexDialect:
    return CodexDialect(spec(model="m"), tmp_path)


def test_a_turn_is_told_in_our_events(dialect: CodexDialect) -> None:
    assert heard(
        dialect, BEGUN, '{"type":"turn.started"}', *COMMAND, *CHANGE, *TEAM, WARNING, SAID, OVER
    ) == [
        {"type": "started", "agent": "codex", "model": "m", "conversation": THREAD},
        {"type": "tool_call", "name": "shell", "input": {"command": "/bin/bash -c ls"}},
        {"type": "tool_result", "name": "shell", "exit_code": 2, "output": "no such file\n"},
        {"type": "tool_call", "name": "edit", "input": {"paths": ["/copy/a.txt"]}},
        {"type": "tool_result", "name": "edit", "exit_code": 0, "output": ""},
        {"type": "tool_call", "name": "mcp__team__report_progress", "input": {"text": "half"}},
        {"type": "tool_result", "name": "mcp__team__report_progress", "exit_code": 0, "output": "noted"},
        {"type": "warning", "text": "Model metadata not found."},
        {"type": "text", "text": "done"},
        {"type": "finished", "status": "ok", "summary": "done"},
        {"type": "usage", "input_tokens": 400, "output_tokens": 40},
    ]


def test_a_retry_after_a_broken_stream_goes_on(dialect: CodexDialect) -> None:
    events = heard(dialect, BEGUN, RETRY, SAID, OVER)
    assert [event["type"] for event in events] == ["started", "retry", "text", "finished", "usage"]


def test_a_retry_at_a_limit_is_the_end(dialect: CodexDialect) -> None:
    (end,) = [event for event in heard(dialect, BEGUN, LIMIT, SAID, OVER) if event["type"] == "finished"]
    assert (end["status"], end["error"]) == (
        "limit",
        "exceeded retry limit, last status: 429 Too Many Requests",
    )


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("unexpected status 401 Unauthorized: Incorrect API key, url: http://x/v1/responses", "denied"),
        ("Quota exceeded. Check your plan and billing details.", "denied"),
        ('{"error": {"message": "The model `x` does not exist", "code": "model_not_found"}}', "denied"),
        (
            "You\u2019ve hit your usage limit. Visit https://x or try again at Nov 17th, 2036 7:20 AM.",
            "limit",
        ),
        ("rate limit exceeded: Rate limit reached. Please try again in 28s.", "limit"),
        ("Selected model is at capacity. Please try a different model.", "unavailable"),
        ("We\u2019re currently experiencing high demand, which may cause temporary errors.", "unavailable"),
        ("Connection failed: error sending request", "unavailable"),
        ("stream disconnected before completion: stream closed before response.completed", "unavailable"),
        ("Codex ran out of room in the model's context window.", "error"),
    ],
)
def test_a_failed_turn_is_told_by_its_cause(dialect: CodexDialect, said: str, status: str) -> None:
    failed = json.dumps({"type": "turn.failed", "error": {"message": said}})
    *_, end = heard(dialect, BEGUN, failed)
    assert (end["status"], end["error"]) == (status, said)
    assert (end["reset_at"] is not None) == (status == "limit")


def test_usage_and_what_was_not_allowed_come_from_its_record(spec: MakeSpec, tmp_path: Path) -> None:
    record = _record(tmp_path)
    _write(record, usage={"input_tokens": 1000, "output_tokens": 100})
    dialect = CodexDialect(spec(conversation=THREAD), tmp_path)
    tally = Tally()
    for line in (BEGUN, *COMMAND):
        _hear(tally, dialect.read(line.encode()))
    assert (tally.turns, tally.usage.input_tokens) == (0, None)
    _write(record, usage={"input_tokens": 7, "output_tokens": 1})
    _write(record, item={"type": "function_call", "name": "exec_command", "call_id": "c1"})
    said = "exited with code 1\nOutput:\ntouch: cannot touch 'x': Read-only file system\nand more"
    _write(record, item={"type": "function_call_output", "call_id": "c1", "output": said})
    with record.open("a") as file:
        file.write('{"type":"token_usage_record","payl')
    _hear(tally, dialect.read(SAID.encode()))
    assert (tally.turns, tally.usage.input_tokens, tally.usage.output_tokens) == (1, 7, 1)
    assert tally.denials == ["exec_command: touch: cannot touch 'x': Read-only file system"]
    with record.open("a") as file:
        file.write('oad":{"usage":{"input_tokens":5,"output_tokens":2}}}\n')
    _hear(tally, dialect.read(OVER.encode()))
    _hear(tally, dialect.close())
    assert (tally.turns, tally.usage.input_tokens, tally.usage.output_tokens) == (2, 12, 3)


def test_what_a_script_of_calls_was_not_allowed_is_told_once(dialect: CodexDialect, tmp_path: Path) -> None:
    record = _record(tmp_path)
    held = "/bin/bash: line 1: x: Read-only file system"
    _write(record, item={"type": "custom_tool_call", "name": "exec", "call_id": "c1"})
    _write(record, event={"item": {"type": "CommandExecution", "aggregated_output": f"{held}\nb"}})
    blocks = [{"text": "Output:\n"}, {"text": json.dumps({"exit_code": 0, "output": f"{held}\nb"})}]
    _write(record, item={"type": "custom_tool_call_output", "call_id": "c1", "output": blocks})
    _write(record, item={"type": "custom_tool_call", "name": "exec", "call_id": "c2"})
    blocks = [{"text": "Script error:\npatch rejected: writing is blocked"}]
    _write(record, item={"type": "custom_tool_call_output", "call_id": "c2", "output": blocks})
    denied = [event for event in heard(dialect, BEGUN, SAID, OVER) if event["type"] == "denied"]
    assert denied == [
        {"type": "denied", "name": "exec_command", "reason": held},
        {"type": "denied", "name": "exec", "reason": "patch rejected: writing is blocked"},
    ]


def test_a_result_that_a_script_hands_on_whole_is_told_without_its_wrapping(
    dialect: CodexDialect, tmp_path: Path
) -> None:
    record = _record(tmp_path)
    held = "/bin/bash: line 1: x: Read-only file system"
    whole = json.dumps({"chunk_id": "5b35bb", "output": f"{held}\nb"}, separators=(",", ":"))
    _write(record, item={"type": "custom_tool_call", "name": "exec", "call_id": "c1"})
    _write(record, item={"type": "custom_tool_call_output", "call_id": "c1", "output": [{"text": whole}]})
    (denied,) = [event for event in heard(dialect, BEGUN, SAID, OVER) if event["type"] == "denied"]
    assert denied["reason"] == held


def test_usage_of_a_new_conversation_is_counted_from_its_beginning(
    dialect: CodexDialect, tmp_path: Path
) -> None:
    record = _record(tmp_path)
    _write(record, usage={"input_tokens": 7, "output_tokens": 1})
    used = [event for event in heard(dialect, BEGUN, SAID, OVER) if event["type"] == "usage"]
    assert used == [{"type": "usage", "input_tokens": 7, "output_tokens": 1}]


def test_usage_of_a_continued_conversation_without_a_record_is_unknown(
    spec: MakeSpec, tmp_path: Path
) -> None:
    events = heard(CodexDialect(spec(conversation=THREAD), tmp_path), BEGUN, SAID, OVER)
    assert "usage" not in [event["type"] for event in events]


def _record(home: Path) -> Path:
    record = home / "sessions/2026/11/16" / f"rollout-2026-11-16T02-47-19-{THREAD}.jsonl"
    record.parent.mkdir(parents=True)
    return record


def _write(record: Path, **fields: dict[str, Any]) -> None:
    kinds = {
        "usage": ("token_usage_record", fields),
        "item": ("response_item", fields.get("item")),
        "event": ("event_msg", fields.get("event")),
    }
    ((name, _),) = fields.items()
    kind, payload = kinds[name]
    with record.open("a") as file:
        file.write(json.dumps({"type": kind, "payload": payload}) + "\n")


def _hear(tally: Tally, events: Any) -> None:
    for event in events:
        tally.add(event)


def _spoiled(value: Any) -> Iterator[Any]:
    """The value with each of its parts in turn replaced by what it never should be."""
    yield from (None, True, -1, 0.5, "", "x", [], [[]], {}, {"type": {}})
    if isinstance(value, dict):
        for name, part in value.items():
            yield from ({**value, name: other} for other in _spoiled(part))
            yield {key: kept for key, kept in value.items() if key != name}
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in _spoiled(part))


@pytest.mark.parametrize("line", [BEGUN, *COMMAND, *CHANGE, *TEAM, WARNING, RETRY, LIMIT, SAID, OVER])
def test_no_line_makes_it_fail(spec: MakeSpec, tmp_path: Path, line: str) -> None:
    for other in _spoiled(json.loads(line)):
        dialect = CodexDialect(spec(), tmp_path)
        _hear(Tally(), heard(dialect, BEGUN, COMMAND[0], CHANGE[0], json.dumps(other), SAID, OVER))


def test_what_is_no_event_is_kept(dialect: CodexDialect) -> None:
    assert heard(dialect, "plain text", "{broken") == [
        {"type": "raw", "text": "plain text"},
        {"type": "raw", "text": "{broken"},
    ]
