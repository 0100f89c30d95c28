"""Google's generateContent, as the Gemini CLI speaks it."""

import json
import re
from collections.abc import Iterator
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

TOOLBOX = Toolbox(commands="run_shell_command", files="write_file")
_FAILED = re.compile(r"^Exit Code: (?!0\b)", re.MULTILINE)
_KINDS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}


def read(body: dict[str, Any]) -> Conversation:
    if not isinstance(body.get("contents"), list):
        raise Unreadable("contents: a list of contents is required")
    tools = {
        name: Tool(name)
        for group in tables(body.get("tools"))
        for tool in tables(group.get("functionDeclarations"))
        if isinstance(name := tool.get("name"), str)
    }
    prompt = ""
    results: list[Result] = []
    for content in tables(body["contents"]):
        for part in tables(content.get("parts")) if content.get("role") != "model" else ():
            if isinstance(response := part.get("functionResponse"), dict):
                results.append(_result(response.get("response")))
            elif names_part(said := text_of(part)):
                prompt, results = said, []
    shapes = ("responseJsonSchema", "responseSchema")
    schema = next((found for shape in shapes if (found := inside(body, "generationConfig", shape))), None)
    return Conversation(tools, prompt, results, schema)


def _result(response: object) -> Result:
    if not isinstance(response, dict):
        return Result("")
    output = response.get("output", response.get("error", ""))
    text = output if isinstance(output, str) else json.dumps(output)
    # What comes from outside is put between marks.
    text = re.sub(r"</?untrusted_context>", "", text).strip()
    return Result(text, failed="error" in response or bool(_FAILED.search(text)))


def whole(saying: Saying, model: str) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    if saying.text or not saying.call:
        parts.append({"text": saying.text})
    if saying.call:
        parts.append({"functionCall": {"name": saying.call.tool.name, "args": saying.call.input}})
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": saying.input_tokens,
            "candidatesTokenCount": saying.output_tokens,
            "totalTokenCount": saying.input_tokens + saying.output_tokens,
        },
        "modelVersion": model,
    }


def stream(saying: Saying, model: str) -> Iterator[Event]:
    yield Event("", whole(saying, model))


def refusal(trouble: Trouble) -> Refusal:
    kind = _KINDS.get(trouble.status, "INTERNAL")
    error: dict[str, Any] = {"code": trouble.status, "status": kind, "message": trouble.message or kind}
    if trouble.reset_in is None:
        return Refusal({}, {"error": error})
    delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{trouble.reset_in:g}s"}
    return Refusal({}, {"error": {**error, "details": [delay]}})
