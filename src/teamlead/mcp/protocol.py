"""MCP as JSON-RPC: one message in, one answer out. Stateless, so that a client may come back at any time.

There is no stream from the server, and no session: what is waiting for an agent travels with its next answer.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, Literal

import msgspec

from teamlead import __version__
from teamlead.mcp.http import Answer
from teamlead.mcp.tools import INSTRUCTIONS, TOOLS

NEGOTIABLE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Protocol versions that a client may ask for, the newest first."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REFUSED = -32000
"""By HTTP's own means: the status says which."""


Id = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)] | str
"""What cannot be written back is no id."""


class Message(msgspec.Struct):
    jsonrpc: Literal["2.0"]
    method: str = ""
    """Empty: the answer to a request, of which this server makes none."""
    id: Id | msgspec.UnsetType = msgspec.UNSET
    """Unset: a notification, which nobody answers."""
    params: dict[str, Any] = {}


class Text(msgspec.Struct, tag="text"):
    text: str


class ToolResult(msgspec.Struct, rename="camel"):
    content: list[Text]
    is_error: bool = False


class Call(msgspec.Struct):
    """The parameters of `tools/call`."""

    name: str
    arguments: dict[str, Any] = {}


class Reply(msgspec.Struct):
    """What a tool gave, and what to do once the agent has it."""

    result: ToolResult
    delivered: Callable[[], Awaitable[None]] | None = None


Serve = Callable[[Call, Id], Awaitable[Reply]]
"""Carries out a tool call; the second argument is the request's own id."""


class ProtocolError(Exception):
    def __init__(self, code: int, message: str, status: int = 200) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


async def respond(body: bytes, serve: Serve) -> Answer:
    identity: Id | None = None
    try:
        message = _read(body)
        if isinstance(message.id, msgspec.UnsetType) or not message.method:
            return Answer(202)
        identity = message.id
        if message.method != "tools/call":
            return _success(identity, _result(message))
        reply = await serve(_call(message.params), identity)
        return _success(identity, reply.result)._replace(delivered=reply.delivered)
    except ProtocolError as error:
        return failure(error.status, error.code, error.message, identity)
    except Exception as error:  # noqa: BLE001 - the top: what goes wrong in one call must not end the leader
        return failure(500, INTERNAL_ERROR, f"nothing was recorded: {error!r}", identity)


def _read(body: bytes) -> Message:
    try:
        return msgspec.json.decode(body, type=Message)
    except msgspec.ValidationError as error:
        raise ProtocolError(INVALID_REQUEST, f"not one JSON-RPC message: {error}", 400) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError(PARSE_ERROR, f"not JSON: {error}", 400) from None


def _call(params: dict[str, Any]) -> Call:
    try:
        return msgspec.convert(params, Call)
    except msgspec.ValidationError as error:
        raise ProtocolError(INVALID_PARAMS, f"tools/call: {error}") from None


def _result(message: Message) -> object:
    match message.method:
        case "initialize":
            asked = message.params.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in NEGOTIABLE else NEGOTIABLE[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "teamlead", "version": __version__},
                "instructions": INSTRUCTIONS,
            }
        case "tools/list":
            return {"tools": [tool.listed() for tool in TOOLS]}
        case "ping" | "logging/setLevel":
            return {}
        case other:
            raise ProtocolError(METHOD_NOT_FOUND, f"no such method: {other[:100]!r}")


def _success(identity: Id, result: object) -> Answer:
    return Answer(200, msgspec.json.encode({"jsonrpc": "2.0", "id": identity, "result": result}))


def failure(
    status: int, code: int, message: str, identity: Id | None = None, *headers: tuple[str, str]
) -> Answer:
    error = {"code": code, "message": message}
    body = msgspec.json.encode({"jsonrpc": "2.0", "id": identity, "error": error})
    return Answer(status, body, headers)


def refusal(status: int, message: str, *headers: tuple[str, str]) -> Answer:
    """Refuses a request whose message was not read."""
    return failure(status, REFUSED, message, None, *headers)
