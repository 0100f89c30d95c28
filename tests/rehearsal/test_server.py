"""What the server answers over HTTP, also to requests that no program would send."""

import http.client
import json
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.rehearsal.conftest import PROMPT, Serve, ask

from teamlead.rehearsal.server import ScriptedModel

TOOL = {"name": "Bash", "input_schema": {"type": "object"}}
USER = {"role": "user", "content": PROMPT.format(attempt=1)}
MESSAGES = {"model": "m", "max_tokens": 9, "tools": [TOOL], "messages": [USER]}
RESPONSES = {"model": "m", "input": USER["content"], "tools": [{"type": "function", "name": "exec_command"}]}
GEMINI: dict[str, Any] = {
    "contents": [{"role": "user", "parts": [{"text": USER["content"]}]}],
    "tools": [{"functionDeclarations": [{"name": "run_shell_command"}]}],
}
SHAPES = [
    ("/v1/messages", MESSAGES),
    ("/v1/responses", RESPONSES),
    ("/v1beta/models/m:generateContent", GEMINI),
]


def test_messages_are_answered_whole_or_as_a_stream(serve: Serve) -> None:
    model = serve('{say = "so"}, {run = "ls"}')
    whole = ask(model, "/v1/messages?beta=true", MESSAGES).body
    assert [block["type"] for block in whole["content"]] == ["text", "tool_use"]
    assert (whole["stop_reason"], whole["model"]) == ("tool_use", "m")
    events = ask(model, "/v1/messages", {**MESSAGES, "stream": True}).events
    assert [event["type"] for event in events] == [
        "message_start",
        *["content_block_start", "content_block_delta", "content_block_stop"] * 2,
        "message_delta",
        "message_stop",
    ]
    assert json.loads(events[5]["delta"]["partial_json"])["command"] == "ls"


def test_responses_are_answered_whole_or_as_a_stream(serve: Serve) -> None:
    model = serve('{say = "so"}, {run = "ls"}')
    whole = ask(model, "/v1/responses", RESPONSES).body
    assert [item["type"] for item in whole["output"]] == ["message", "function_call"]
    assert json.loads(whole["output"][1]["arguments"]) == {"cmd": "ls", "yield_time_ms": 30_000}
    events = ask(model, "/v1/responses", {**RESPONSES, "stream": True}).events
    assert (events[0]["type"], events[-1]["type"]) == ("response.created", "response.completed")
    assert [event["type"] for event in events].count("response.output_item.done") == 2


def test_gemini_is_answered_whole_or_as_a_stream(serve: Serve) -> None:
    model = serve('{run = "ls"}, {done = "ready"}')
    whole = ask(model, "/v1beta/models/m:generateContent", GEMINI).body
    call = whole["candidates"][0]["content"]["parts"][0]["functionCall"]
    assert call == {"name": "run_shell_command", "args": {"command": "ls"}}
    result = {"role": "user", "parts": [{"functionResponse": {"name": "x", "response": {"output": "a"}}}]}
    later = {**GEMINI, "contents": [*GEMINI["contents"], result]}
    [event] = ask(model, "/v1beta/models/m:streamGenerateContent?alt=sse", later).events
    assert event["candidates"][0]["content"]["parts"] == [{"text": "ready"}]


def test_only_results_after_the_last_prompt_count(serve: Serve) -> None:
    model = serve('{run = "ls"}, {done = "first"}', '{run = "pwd"}, {done = "second"}')
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "a"}]}
    again = {"role": "user", "content": [{"type": "text", "text": PROMPT.format(attempt=2)}]}
    aside = {"role": "user", "content": "By the way: # task-9 is not the beginning of a line"}
    messages = [USER, result, {"role": "assistant", "content": "x"}, again, aside]
    resumed = ask(model, "/v1/messages", {**MESSAGES, "messages": messages})
    assert resumed.body["content"][0]["input"]["command"] == "pwd"
    assert (
        ask(model, "/v1/messages", {**MESSAGES, "messages": [*messages, result]}).body["content"][0]["text"]
        == "second"
    )


@pytest.mark.parametrize(("path", "body"), SHAPES)
def test_a_limit_is_refused_in_the_words_of_each_service(serve: Serve, path: str, body: object) -> None:
    answer = ask(serve("{http = 429, reset_in = 60}"), path, body)
    assert answer.status == 429
    assert "error" in answer.body


def test_a_limit_names_its_reset_time_as_anthropic_does(serve: Serve) -> None:
    headers = ask(serve("{http = 429, reset_in = 60}"), "/v1/messages", MESSAGES).headers
    assert headers["retry-after"] == "60"
    assert headers["anthropic-ratelimit-unified-reset"].isdecimal()


def test_a_limit_names_its_reset_time_as_openai_does(serve: Serve) -> None:
    error = ask(serve("{http = 429, reset_in = 60}"), "/v1/responses", RESPONSES).body["error"]
    assert (error["type"], error["resets_in_seconds"]) == ("usage_limit_reached", 60)


def test_headers_and_body_of_an_error_can_be_chosen(serve: Serve) -> None:
    model = serve('{http = 503, headers = {x-why = "maintenance"}, body = "back soon"}')
    answer = ask(model, "/v1/messages", MESSAGES)
    assert (answer.status, answer.headers["x-why"], answer.text) == (503, "maintenance", "back soon")


@pytest.mark.parametrize(("path", "body"), SHAPES)
def test_a_broken_stream_ends_before_its_end(serve: Serve, path: str, body: dict[str, object]) -> None:
    model = serve('{say = "half of"}, {break_stream = true}')
    with pytest.raises((http.client.IncompleteRead, http.client.RemoteDisconnected)):
        ask(model, path, {**body, "stream": True})


def test_a_silent_model_does_not_keep_its_server_from_closing(serve: Serve) -> None:
    model = serve("{silence = true}")
    outcome: list[Exception] = []

    def wait_for_it() -> None:
        try:
            ask(model, "/v1/messages", MESSAGES)
        except (OSError, http.client.HTTPException) as error:
            outcome.append(error)

    waiting = threading.Thread(target=wait_for_it)
    waiting.start()
    while not model.requests:
        waiting.join(0.01)
    model.close()
    waiting.join(20)
    assert len(outcome) == 1


@pytest.mark.parametrize("path", [path for path, _ in SHAPES])
@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"[1]", b"{}", b'{"messages": 3, "input": 3, "contents": 3}']
)
def test_a_malformed_request_is_refused_in_the_words_of_the_service(
    serve: Serve, path: str, body: bytes
) -> None:
    answer = ask(serve('{done = "x"}'), path, body)
    assert answer.status == 400
    assert answer.body["error"]["message"]


@pytest.mark.parametrize(("path", "body"), SHAPES)
@pytest.mark.parametrize("odd", [None, 3, "x", [1, None, {"a": 1}], {"role": "user", "content": 5}])
def test_odd_values_inside_a_request_do_no_harm(
    serve: Serve, path: str, body: dict[str, object], odd: object
) -> None:
    model = serve('{done = "x"}')
    for key in ("tools", "messages", "input", "contents"):
        for value in (odd, [odd], [{"role": "user", "content": [odd], "parts": [odd], "tools": odd}]):
            assert ask(model, path, {**body, key: value}).status in {200, 400}


def test_a_length_that_is_none_is_refused(serve: Serve) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(serve('{done = "x"}').url).port or 0)) as line:
        line.sendall(b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 400 ")


def test_whatever_else_a_program_asks_has_an_answer(serve: Serve) -> None:
    model = serve('{done = "x"}')
    assert ask(model, "/v1/messages/count_tokens", MESSAGES).body["input_tokens"] > 0
    assert ask(model, "/v1/models", b"", "GET").body["data"] == []
    assert ask(model, "/v1/responses", b"", "GET").status == 426
    assert ask(model, "/api/event_logging", {}).status == 404
    assert ask(model, "/", b"", "HEAD").status == 404


def test_a_request_beside_the_work_gets_the_shape_it_wants(serve: Serve) -> None:
    model = serve("{http = 500}")
    shape = {
        "type": "OBJECT",
        "properties": {"why": {"type": "STRING"}, "score": {"type": "integer", "minimum": 3}, "odd": 5},
    }
    one = ask(model, "/v1/messages", {"messages": [], "output_config": {"format": {"schema": shape}}})
    two = ask(model, "/v1/responses", {"input": "rate this", "text": {"format": {"schema": shape}}})
    wanted = {"contents": [], "generationConfig": {"responseJsonSchema": shape}}
    three = ask(model, "/v1beta/models/m:generateContent", wanted)
    for text in (
        one.body["content"][0]["text"],
        two.body["output"][0]["content"][0]["text"],
        three.body["candidates"][0]["content"]["parts"][0]["text"],
    ):
        assert json.loads(text) == {"why": "all is well", "score": 3, "odd": None}


def test_requests_are_kept_without_credentials(serve: Serve) -> None:
    model = serve('{done = "x"}')
    ask(model, "/v1/messages?key=secret", MESSAGES)
    [request] = model.requests
    assert (request.method, request.path, request.task, request.attempt) == (
        "POST",
        "/v1/messages",
        "task-1",
        1,
    )
    assert request.body == MESSAGES
    assert request.headers["content-type"] == "application/json"
    assert "secret" not in f"{request}"


def test_a_task_without_steps_is_an_error_that_says_so() -> None:
    with ScriptedModel({"task-7": [[]]}) as model:
        answer = ask(model, "/v1/messages", MESSAGES)
    assert answer.status == 400
    assert "neither [[task-1]] nor [[default]]" in answer.body["error"]["message"]


def test_it_is_a_program_too(tmp_path: Path) -> None:
    script = tmp_path / "script.toml"
    script.write_text('[[default]]\nsteps = [{done = "ready"}]')
    argv = [sys.executable, "-m", "teamlead.rehearsal", str(script), "--port-file", str(tmp_path / "port")]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        url = program.stdout.readline().strip()
        assert url == f"http://127.0.0.1:{(tmp_path / 'port').read_text().strip()}"
        program.terminate()
        assert program.wait(20) == 0


def test_the_program_names_the_place_of_a_mistake(tmp_path: Path) -> None:
    script = tmp_path / "script.toml"
    script.write_text("[[default]]\nsteps = [\n  {exit = 3},\n]")
    argv = [sys.executable, "-m", "teamlead.rehearsal", str(script)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{script}: line 3: step 1: 'exit' is a step of the scripted agent" in done.stderr
