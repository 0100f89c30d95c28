"""One request to the scripted model: which interface it is for, how it is answered, and how it is kept."""

import json
import os
import re
import select
import signal
import socket
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol
from urllib.parse import urlsplit

from teamlead.rehearsal import anthropic, gemini, responses
from teamlead.rehearsal.conversation import Conversation, Crash, Reply, Saying, Silence, Trouble, Unreadable
from teamlead.rehearsal.model_interface import Interface

_SECRET = ("authorization", "key", "token", "cookie")


class KeptRequest(NamedTuple):
    """A request without its credentials."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    content: bytes
    task: str = ""
    """Or who is consulted. Empty: it named none."""
    attempt: int = 1
    purpose: str = ""
    """What somebody is consulted for."""

    @property
    def body(self) -> Any:
        """The decoded body; None where it is no JSON."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            return None


def without_secrets(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {
        name.lower(): value
        for name, value in headers
        if not any(secret in name.lower() for secret in _SECRET)
    }


ANTHROPIC = Interface(anthropic.TOOLBOX, anthropic.read, anthropic.whole, anthropic.stream, anthropic.refusal)
RESPONSES = Interface(responses.TOOLBOX, responses.read, responses.whole, responses.stream, responses.refusal)
GEMINI = Interface(gemini.TOOLBOX, gemini.read, gemini.whole, gemini.stream, gemini.refusal)


class Route(NamedTuple):
    interface: Interface
    purpose: Literal["reply", "stream", "count", "models", "socket", "unknown"]
    """A reply is streamed where its path or its body asks for it."""


_ROUTES = (
    ("POST", re.compile(r"(/v1)?/messages"), Route(ANTHROPIC, "reply")),
    ("POST", re.compile(r"(/v1)?/messages/count_tokens"), Route(ANTHROPIC, "count")),
    ("POST", re.compile(r"(/v1)?/responses"), Route(RESPONSES, "reply")),
    ("GET", re.compile(r"(/v1)?/responses"), Route(RESPONSES, "socket")),
    ("POST", re.compile(r"(/v1\w*)?/models/[^/]+:generateContent"), Route(GEMINI, "reply")),
    ("POST", re.compile(r"(/v1\w*)?/models/[^/]+:streamGenerateContent"), Route(GEMINI, "stream")),
    ("POST", re.compile(r"(/v1\w*)?/models/[^/]+:countTokens"), Route(GEMINI, "count")),
    ("GET", re.compile(r"(/v1\w*)?/models"), Route(RESPONSES, "models")),
)


def find(method: str, path: str) -> Route:
    for wanted, pattern, route in _ROUTES:
        if method == wanted and pattern.fullmatch(path):
            return route
    return Route(ANTHROPIC, "unknown")


LARGEST = 64 * 1024 * 1024
LOOK_EVERY = 0.2
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
NO_MODELS = {"object": "list", "data": [], "models": [], "has_more": False}


class Model(Protocol):
    closing: threading.Event

    def note(self, request: KeptRequest) -> None: ...

    def choose(self, route: Route, asked: Conversation) -> Reply: ...


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An event is sent at once, however small.
    disable_nagle_algorithm = True
    model: Model

    def log_message(self, *_: object) -> None:
        """Prints nothing: requests are kept instead."""

    def _answer(self) -> None:
        path = urlsplit(self.path).path
        route = find(self.command, path)
        content = self._read()
        request = KeptRequest(self.command, path, without_secrets(self.headers.items()), content)
        body = request.body
        asked = _asked(route, body)
        if isinstance(asked, Conversation) and (part := asked.part):
            request = request._replace(task=part.task, attempt=part.attempt, purpose=part.purpose)
        self.model.note(request)
        match route.purpose, asked:
            case "models", _:
                self._send(200, NO_MODELS)
            case "socket", _:
                self._refuse(route, Trouble(426, "there is no web socket here; use POST"))
            case "unknown", _:
                self._refuse(route, Trouble(404, f"there is no {self.command} {path}"))
            case _, Trouble() as trouble:
                self._refuse(route, trouble)
            case "count", _:
                tokens = len(content) // 4
                self._send(200, {"input_tokens": tokens, "totalTokens": tokens})
            case _, Conversation() as conversation:
                self._reply(route, body, self.model.choose(route, conversation))

    do_GET = do_POST = do_HEAD = _answer  # noqa: N815 - names of http.server

    def _read(self) -> bytes:
        length = self.headers.get("content-length", "0")
        if length.isdecimal() and int(length) <= LARGEST:
            return self.rfile.read(int(length))
        # What follows on this connection can no longer be told from a request.
        self.close_connection = True
        return b""

    def _reply(self, route: Route, body: Mapping[str, Any], reply: Reply) -> None:
        if reply.after and not self._stays(reply.after):
            self.close_connection = True
            return
        model = str(body.get("model", "scripted"))
        match reply.what:
            case Trouble() as trouble:
                self._refuse(route, trouble)
            case Saying() as saying if route.purpose == "stream" or body.get("stream") is True:
                self._stream(route, saying, model)
            case Saying(broken=False) as saying:
                self._send(200, route.interface.whole(saying, model))
            case Silence():
                self._stays(float("inf"))
                self.close_connection = True
            case Crash():
                _kill_asker(self.connection)
                self.close_connection = True
            case Saying():
                self.close_connection = True

    def _stays(self, seconds: float) -> bool:
        """Lets time pass, and returns whether the program still waits then."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            # All of the request has been read: what can be read now is its end.
            gone, _, _ = select.select([self.connection], [], [], min(left, LOOK_EVERY))
            if gone or self.model.closing.is_set():
                return False
        return True

    def _stream(self, route: Route, saying: Saying, model: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("cache-control", "no-cache")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        events = list(route.interface.stream(saying, model))
        for event in events[: len(events) // 2] if saying.broken else events:
            name = f"event: {event.name}\n" if event.name else ""
            self._chunk(f"{name}data: {json.dumps(event.data)}\n\n".encode())
        if saying.broken:
            # Without the last chunk it ends too early.
            self.close_connection = True
        else:
            self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _refuse(self, route: Route, trouble: Trouble) -> None:
        refusal = route.interface.refusal(trouble)
        body = trouble.body.encode() if trouble.body else json.dumps(refusal.body).encode()
        self._send_bytes(trouble.status, body, {**refusal.headers, **trouble.headers})

    def _send(self, status: int, body: Mapping[str, Any]) -> None:
        self._send_bytes(status, json.dumps(body).encode())

    def _send_bytes(self, status: int, body: bytes, headers: Mapping[str, str] = NO_HEADERS) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _asked(route: Route, body: object) -> Conversation | Trouble:
    if not isinstance(body, dict):
        return Trouble(400, "the body must be a JSON object")
    try:
        return route.interface.read(body)
    except Unreadable as problem:
        return Trouble(400, str(problem))


def _kill_asker(connection: socket.socket) -> None:
    """Kills the process at the other end, but never this one. Where it cannot be traced, nobody is killed."""
    inode = _inode(connection.getpeername()[1], connection.getsockname()[1])
    for pid in _owners(inode) if inode else ():
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _inode(its_port: int, our_port: int) -> str:
    try:
        rows = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
    except OSError:
        return ""
    ends = re.compile(rf"\s*\d+: \w+:{its_port:04X} \w+:{our_port:04X} ")
    return next((row.split()[9] for row in rows if ends.match(row)), "")


def _owners(inode: str) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        # Processes of others, or gone meanwhile.
        with suppress(OSError):
            links = {str(file.readlink()) for file in (process / "fd").iterdir()}
            if f"socket:[{inode}]" in links and int(process.name) != os.getpid():
                found.append(int(process.name))
    return found
