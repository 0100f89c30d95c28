"""JSON-RPC 2.0, one frame a line."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from teamlead.runners.untrusted_fields import table, text
from teamlead.system.text import clip, printable

METHOD_NOT_FOUND = -32601
INVALID_REQUEST = -32600
AUTHENTICATION_REQUIRED = -32000
LONGEST_PROBLEM = 2000

Frame = dict[str, Any]


class Request(NamedTuple):
    method: str
    params: Mapping[str, Any]


class RpcError(Exception):
    """The error that answers a request."""

    def __init__(self, code: object, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def encode(**frame: Any) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", **frame}) + b"\n"


def decode(line: bytes) -> Frame | None:
    """Returns None for what is no frame."""
    try:
        frame = msgspec.json.decode(line.decode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return None
    return frame if isinstance(frame, dict) and ("method" in frame or "id" in frame) else None


def problem(error: object) -> RpcError:
    """Finds what happened: agents hide it in `data`, under names of their own."""
    told = table(error)
    data = told.get("data")
    further = [text(part) for part in (data, *table(data).values()) if isinstance(part, str)]
    words = [text(told.get("message")) or "an error without a message", *further]
    return RpcError(told.get("code"), clip(printable(": ".join(filter(None, words))), LONGEST_PROBLEM))
