"""Anthropic Messages, as Claude Code speaks it."""

import json
import math
import time
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from teamlead.rehearsal.conversation import (
    Conversation,
    Result,
    Saying,
    Tool,
    Trouble,
    Unreadable,
    names_part,
)
from teamlead.rehearsal.declared_tools import Toolbox
from teamlead.rehearsal.model_interface import Event, Refusal, inside, text_of
from teamlead.runners.untrusted_fields import tables

TOOLBOX = Toolbox(commands="Bash", files="Write")
_ASIDE = "toolu_aside_"
_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def read(body: dict[str, Any]) -> Conversation:
    if not isinstance(body.get("messages"), list):
        raise Unreadable("messages: a list of messages is required")
    tools = {
        name: Tool(name) for tool in tables(body.get("tools")) if isinstance(name := tool.get("name"), str)
    }
    prompt = ""
    results: list[Result] = []
    for message in tables(body["messages"]):
        if message.get("role") != "user":
            continue
        for block in _blocks(message.get("content")):
            if block.get("type") == "tool_result":
                results.append(_result(block))
            elif names_part(said := text_of(block)):
                prompt, results = said, []
    return Conversation(tools, prompt, results, inside(body, "output_config", "format", "schema"))


def _blocks(content: object) -> Iterable[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else tables(content)


def _result(block: dict[str, Any]) -> Result:
    text = "\n".join(text_of(part) for part in _blocks(block.get("content")))
    aside = str(block.get("tool_use_id")).startswith(_ASIDE)
    return Result(text, failed=block.get("is_error") is True, aside=aside)


def whole(saying: Saying, model: str) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": _content(saying),
        "stop_reason": "tool_use" if saying.call else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": saying.input_tokens, "output_tokens": saying.output_tokens},
    }


def _content(saying: Saying) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    if saying.text or not saying.call:
        content.append({"type": "text", "text": saying.text})
    if saying.call:
        number = f"{_ASIDE if saying.call.aside else 'toolu_'}{uuid.uuid4().hex}"
        call = {"type": "tool_use", "id": number, "name": saying.call.tool.name, "input": saying.call.input}
        content.append(call)
    return content


def stream(saying: Saying, model: str) -> Iterator[Event]:
    message = whole(saying, model)
    content, stop = message["content"], message["stop_reason"]
    usage = message["usage"]
    started = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield _event("message_start", message=started)
    for index, block in enumerate(content):
        if block["type"] == "text":
            empty: dict[str, Any] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield _event("content_block_start", index=index, content_block=empty)
        yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    yield _event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage=usage)
    yield _event("message_stop")


def _event(kind: str, **fields: object) -> Event:
    return Event(kind, {"type": kind, **fields})


def refusal(trouble: Trouble) -> Refusal:
    kind = _KINDS.get(trouble.status, "api_error")
    error = {"type": kind, "message": trouble.message or kind.replace("_", " ")}
    headers: dict[str, str] = {}
    if trouble.reset_in is not None:
        reset_at = math.ceil(time.time() + trouble.reset_in)
        headers = {
            "retry-after": f"{trouble.reset_in:.0f}",
            "anthropic-ratelimit-unified-status": "rejected",
            "anthropic-ratelimit-unified-reset": f"{reset_at}",
            "anthropic-ratelimit-unified-representative-claim": "five_hour",
        }
        # With a key, Claude Code shows the words and no header.
        error["message"] = trouble.message or f"Claude AI usage limit reached|{reset_at}"
    return Refusal(headers, {"type": "error", "error": error, "request_id": f"req_{uuid.uuid4().hex}"})
