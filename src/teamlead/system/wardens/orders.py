"""What a warden is told to start: written by the leader, read by the warden."""

import errno
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Order(NamedTuple):
    cwd: bytes
    umask: int
    """-1: as it is."""
    argv: list[bytes]
    env: dict[bytes, bytes]
    steps: list[bytes]
    """What the program's process does before it becomes the program (see `steps`)."""
    holds_room: bool
    """Whether the program starts another one in a room (see `rooms`)."""


def write(
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


def read(descriptor: int) -> Order:
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
