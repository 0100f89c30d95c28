"""A team's MCP server for tests, in one file: `python team.py CALLS`. It answers and notes each call."""

import json
import sys
from pathlib import Path
from typing import Any

TEXT = {"type": "string"}
TOOLS = [
    {
        "name": "ask_human",
        "description": "Ask.",
        "inputSchema": {
            "type": "object",
            "properties": {"question": TEXT, "options": {"type": "array", "items": TEXT}},
            "required": ["question"],
        },
    },
    {
        "name": "send_message",
        "description": "Send.",
        "inputSchema": {"type": "object", "properties": {"to": TEXT, "text": TEXT}},
    },
]
ANSWERS = {"ask_human": "User's answer: blue", "send_message": "sent"}


def answer(request: Any, calls: Path) -> dict[str, Any]:
    match request["method"]:
        case "initialize":
            version = request["params"]["protocolVersion"]
            server = {"name": "team", "version": "1"}
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
        case "tools/list":
            return {"tools": TOOLS}
        case "tools/call":
            call = request["params"]
            with calls.open("a", encoding="utf-8") as file:
                file.write(json.dumps({call["name"]: call["arguments"]}) + "\n")
            return {"content": [{"type": "text", "text": ANSWERS[call["name"]]}]}
    return {}


if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            result = answer(request, Path(sys.argv[1]))
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
