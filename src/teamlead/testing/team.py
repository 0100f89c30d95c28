"""How the scripted agent reaches its team: one call of a tool, over HTTP on the loopback."""

import json
import os
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from teamlead.system.environment import TEAM_TOKEN, TEAM_URL


def call(tool: str, given: dict[str, Any]) -> str:
    """Calls a tool, and returns what the team says. Raises OSError if there is no team."""
    if TEAM_URL not in os.environ:
        raise ConnectionError(f"there is no team to call {tool!r} of")
    url = urlsplit(os.environ[TEAM_URL])
    message = {
        "jsonrpc": "2.0",
        "id": os.urandom(8).hex(),
        "method": "tools/call",
        "params": {"name": tool, "arguments": given},
    }
    headers = {"Authorization": f"Bearer {os.environ[TEAM_TOKEN]}", "Content-Type": "application/json"}
    connection = HTTPConnection(url.netloc)
    connection.request("POST", url.path, json.dumps(message), headers)
    answer = json.loads(connection.getresponse().read())
    content = answer["result"]["content"] if "result" in answer else [{"text": answer["error"]["message"]}]
    return "\n".join(part["text"] for part in content)
