"""The team's tools over stdin and stdout, for programs that know no other way: each line goes to the leader.

It is started with every such agent, so it imports neither asyncio, msgspec nor an HTTP client. Each message
has a thread and a connection of its own, so that a question which waits blocks nothing else.
"""

import json
import socket
import sys
from threading import Lock, Thread
from typing import Any, Final, NamedTuple

LAST_ANSWERS: Final = 1.0
"""Seconds for the calls that are under way when the input ends."""
PARSE_ERROR: Final = -32700
UNREACHABLE: Final = -32000


class Leader(NamedTuple):
    host: str
    port: int
    path: str
    token: str


class Bridge:
    def __init__(self, leader: Leader) -> None:
        self._leader = leader
        self._printing = Lock()

    def run(self) -> None:
        """Runs until the end of the input."""
        threads: list[Thread] = []
        for line in filter(bytes.strip, sys.stdin.buffer):
            threads = [thread for thread in threads if thread.is_alive()]
            threads.append(Thread(target=self._pass_on, args=(line.strip(),), daemon=True))
            threads[-1].start()
        for thread in threads:
            thread.join(LAST_ANSWERS / len(threads))

    def _pass_on(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            self._print(_error(None, PARSE_ERROR, f"not JSON: {error}"))
            return
        identity = message.get("id") if isinstance(message, dict) else None
        try:
            status, body = _post(self._leader, line)
        except OSError as error:
            reason = f"the leader of this team is gone ({error}): end your turn; your work is kept"
            status, body = 503, _error(None, UNREACHABLE, reason)
        if status == 200:
            self._print(body)
        elif identity is not None or not isinstance(message, dict):
            self._print(json.dumps({**json.loads(body), "id": identity}).encode())

    def _print(self, answer: bytes) -> None:
        with self._printing:
            sys.stdout.buffer.write(answer + b"\n")
            sys.stdout.buffer.flush()


def _post(leader: Leader, body: bytes) -> tuple[int, bytes]:
    """Sends a message, and returns the answer's status and body."""
    head = (
        f"POST {leader.path} HTTP/1.1\r\nHost: {leader.host}:{leader.port}\r\n"
        f"Authorization: Bearer {leader.token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection((leader.host, leader.port)) as connection:
        connection.sendall(head.encode("ascii") + body)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    first, _, rest = answer.partition(b"\r\n")
    headers, _, content = rest.partition(b"\r\n\r\n")
    length = headers.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    if not length or len(content) < int(length):
        raise ConnectionError("it ended in the midst of an answer")
    return int(first.split()[1]), content


def _error(identity: Any, code: int, message: str) -> bytes:
    document = {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}}
    return json.dumps(document).encode()
