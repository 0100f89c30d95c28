"""OpenAI Responses, as Codex speaks it.

Newer models of Codex reach some tools only by a program, which they hand to one tool called exec.
"""

import json
import re
import time
import uuid
from collections.abc import Iterator
from typing import Any

from teamlead.rehearsal.conversation import (
    Call,
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

EXEC = Tool("exec", "functions", free_form=True)
PROGRAM = """\
// @exec: {{"yield_time_ms": 600000}}
let result = await tools.{name}({input});
while (result?.session_id !== undefined) {{
  result = await tools.write_stdin({{session_id: result.session_id, yield_time_ms: 30000}});
}}
text(result?.content ? result.content.map((part) => part.text).join("\\n") : result);
"""
"""A command that takes long is waited for; of a server's tool only its words are of interest."""
TOOLBOX = Toolbox(commands="exec_command", namespaces=True)
_KINDS = {401: "invalid_api_key", 429: "rate_limit_exceeded", 503: "server_is_overloaded"}
_FAILED = re.compile(r"exited with code (?!0\b)|\"exit_code\": ?(?!0\b)")


def read(body: dict[str, Any]) -> Conversation:
    given = body.get("input")
    if isinstance(given, str):
        given = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": given}]}]
    if not isinstance(given, list):
        raise Unreadable("input: a text or a list of items is required")
    prompt = ""
    results: list[Result] = []
    for item in tables(given):
        kind = item.get("type", "message")
        if kind in {"function_call_output", "custom_tool_call_output", "local_shell_call_output"}:
            results.append(_result(item.get("output")))
        elif kind == "message" and item.get("role") == "user" and names_part(said := _said(item)):
            prompt, results = said, []
    # Some models get their tools as the first item of the conversation.
    added = [tool for item in tables(given) for tool in tables(item.get("tools"))]
    tools = _tools([*tables(body.get("tools")), *added])
    return Conversation(tools, prompt, results, inside(body, "text", "format", "schema"))


def _said(message: dict[str, Any]) -> str:
    content = message.get("content")
    parts = [content] if isinstance(content, str) else [text_of(part) for part in tables(content)]
    return next((part for part in reversed(parts) if names_part(part)), "")


def _result(output: object) -> Result:
    text = output if isinstance(output, str) else "\n".join(text_of(part) for part in tables(output))
    # Codex first tells how long it took, and how it ended.
    head, found, said = text.partition("\nOutput:\n")
    running = re.search(r"^Process running with session ID (\d+)$", head, re.MULTILINE) if found else None
    number = int(running[1]) if running else 0
    return Result(
        (said if found else text).strip(),
        failed=bool(_FAILED.search(text)),
        aside=number > 0,
        running=number,
    )


def _tools(declared: list[dict[str, Any]]) -> dict[str, Tool]:
    tools: dict[str, Tool] = {}
    for item in declared:
        grouped = item.get("type") == "namespace"
        namespace = str(item.get("name", "")) if grouped else ""
        for tool in tables(item.get("tools")) if grouped else [item]:
            if isinstance(name := tool.get("name"), str):
                key = f"{namespace.rstrip('_')}__{name}" if namespace else name
                tools[key] = Tool(name, namespace, free_form=tool.get("type") == "custom")
                if tools[key] == EXEC:
                    tools |= _nested(str(tool.get("description")))
    return tools


def _nested(description: str) -> dict[str, Tool]:
    """Lists the tools that a program may call, as exec's description declares them."""
    declared = re.findall(r"declare const tools: \{ (\w+)\((\w+)", description)
    return {name: Tool(name, free_form=argument == "input", by_code=True) for name, argument in declared}


def _wrapped(call: Call) -> Call:
    given = call.input.get("input", "") if call.tool.free_form else call.input
    return Call(EXEC, {"input": PROGRAM.format(name=call.tool.name, input=json.dumps(given))})


def whole(saying: Saying, model: str) -> dict[str, Any]:
    total = saying.input_tokens + saying.output_tokens
    return {
        "id": f"resp_{uuid.uuid4().hex}",
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "model": model,
        "output": _output_items(saying),
        "usage": {
            "input_tokens": saying.input_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": saying.output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": total,
        },
    }


def _output_items(saying: Saying) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if saying.text or not saying.call:
        content = [{"type": "output_text", "text": saying.text, "annotations": []}]
        items.append({"type": "message", "role": "assistant", "status": "completed", "content": content})
    if saying.call:
        items.append(_call_item(saying.call))
    return [{"id": f"item_{uuid.uuid4().hex}", **item} for item in items]


def _call_item(call: Call) -> dict[str, Any]:
    if call.tool.by_code:
        call = _wrapped(call)
    item = {"call_id": f"call_{uuid.uuid4().hex}", "name": call.tool.name, "status": "completed"}
    if call.tool.namespace:
        item["namespace"] = call.tool.namespace
    if call.tool.free_form:
        return {"type": "custom_tool_call", **item, "input": str(call.input.get("input", ""))}
    return {"type": "function_call", **item, "arguments": json.dumps(call.input)}


def stream(saying: Saying, model: str) -> Iterator[Event]:
    response = whole(saying, model)
    yield _event("response.created", response={**response, "status": "in_progress", "output": []})
    for index, item in enumerate(response["output"]):
        begun = {**item, "content": []} if item["type"] == "message" else item
        yield _event("response.output_item.added", output_index=index, item=begun)
        if item["type"] == "message":
            delta = item["content"][0]["text"]
            place = {"output_index": index, "content_index": 0, "item_id": item["id"]}
            yield _event("response.output_text.delta", delta=delta, **place)
        yield _event("response.output_item.done", output_index=index, item=item)
    yield _event("response.completed", response=response)


def _event(kind: str, **fields: object) -> Event:
    return Event(kind, {"type": kind, **fields})


def refusal(trouble: Trouble) -> Refusal:
    kind = _KINDS.get(trouble.status, "invalid_request_error" if trouble.status < 500 else "server_error")
    error: dict[str, Any] = {"type": kind, "code": kind, "message": trouble.message or kind.replace("_", " ")}
    if trouble.reset_in is None:
        return Refusal({}, {"error": error})
    # The words of a subscription whose share is used up.
    reset_at = int(time.time() + trouble.reset_in)
    error |= {
        "type": "usage_limit_reached",
        "code": "usage_limit_reached",
        "resets_at": reset_at,
        "resets_in_seconds": int(trouble.reset_in),
    }
    return Refusal({"retry-after": f"{trouble.reset_in:.0f}"}, {"error": error})
