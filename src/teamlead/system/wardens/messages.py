"""What leader, nursery and wardens send each other."""

import contextlib
import errno
import os
import socket
from collections.abc import Mapping, Sequence
from typing import NamedTuple

UNSUPPORTED = 69
"""Exit code: this system cannot do it."""

FAREWELL = b"farewell"
"""The leader needs this nursery no more, and lives on. Without it, the end of its socket is its death."""


class StartRequest(NamedTuple):
    """The descriptors of a message, in this order; `kept` may be absent."""

    order: int
    control: int
    stdin: int
    stdout: int
    stderr: int
    kept: int = -1


CONTROL = StartRequest._fields.index("control")


class Message(NamedTuple):
    text: bytes
    fds: list[int]


def receive(source: socket.socket) -> Message:
    """Receives a message. It is empty if whoever held the other end is gone."""
    try:
        text, fds, *_ = socket.recv_fds(source, 16, len(StartRequest._fields), socket.MSG_CMSG_CLOEXEC)
    except ConnectionError:
        return Message(b"", [])
    return Message(text, fds)


def send(target: socket.socket, request: StartRequest) -> bool:
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


class Order(NamedTuple):
    """What a warden is told to start."""

    cwd: bytes
    umask: int
    """-1: as it is."""
    argv: list[bytes]
    env: dict[bytes, bytes]
    steps: list[bytes]
    """What the program's process does before it becomes the program (see `steps`)."""
    holds_room: bool
    """Whether the program starts another one in a room."""


def write_order(
    cwd: str,
    argv: Sequence[str],
    env: Mapping[str, str],
    steps: Sequence[str] = (),
    *,
    holds_room: bool = False,
    umask: int = -1,
) -> int:
    """Writes an order, and returns its descriptor. Raises OSError for words that no program can be given."""
    variables = [f"{name}={value}" for name, value in env.items()]
    words = [cwd, str(umask), "room" if holds_room else "", *_counted(argv), *_counted(steps), *variables]
    if any("\0" in word for word in words):
        raise OSError(errno.EINVAL, "a null byte in its arguments or environment")
    # A file, and not bytes in the message: arguments may be longer than any socket takes at once.
    order = os.memfd_create("order")
    os.write(order, b"\0".join(map(os.fsencode, words)))
    os.lseek(order, 0, os.SEEK_SET)
    return order


def read_order(descriptor: int) -> Order:
    """Reads an order, and closes its descriptor."""
    with open(descriptor, "rb") as file:
        cwd, umask, room, *words = file.read().split(b"\0")
    argv, words = _take(words)
    steps, words = _take(words)
    env = dict(word.split(b"=", 1) for word in words)
    return Order(cwd, int(umask), argv, env, steps, holds_room=bool(room))


def _counted(words: Sequence[str]) -> list[str]:
    return [str(len(words)), *words]


def _take(words: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    count = int(words[0])
    return words[1 : count + 1], words[count + 1 :]
