"""What leader, nursery and wardens send each other."""

import contextlib
import socket
from typing import NamedTuple

UNSUPPORTED = 69
"""Exit code: this system cannot do it."""

FAREWELL = b"farewell"
"""The leader needs this nursery no more, and lives on. Without it, the end of its socket is its death."""


class Request(NamedTuple):
    """The descriptors of a message, in this order; `kept` may be absent."""

    order: int
    control: int
    stdin: int
    stdout: int
    stderr: int
    kept: int = -1


CONTROL = Request._fields.index("control")


class Message(NamedTuple):
    text: bytes
    fds: list[int]


def receive(source: socket.socket) -> Message:
    """Receives a message. It is empty if whoever held the other end is gone."""
    try:
        text, fds, *_ = socket.recv_fds(source, 16, len(Request._fields), socket.MSG_CMSG_CLOEXEC)
    except ConnectionError:
        return Message(b"", [])
    return Message(text, fds)


def send(target: socket.socket, request: Request) -> bool:
    try:
        socket.send_fds(target, [b"."], [fd for fd in request if fd >= 0], socket.MSG_NOSIGNAL)
    except OSError:
        return False
    return True


def tell(descriptor: int, line: str) -> None:
    """Sends words, and needs no other descriptor: there may be none."""
    control = socket.socket(fileno=descriptor)
    try:
        with contextlib.suppress(OSError):
            control.send(f"{line}\n".encode(), socket.MSG_NOSIGNAL | socket.MSG_DONTWAIT)
    finally:
        control.detach()
