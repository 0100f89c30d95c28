"""Landlock: an addition to a room, and all there is of one where namespaces are forbidden.

Alone it keeps a program from what it may not read or write. It makes nothing lie anywhere else: the copy is
seen at its own path. Of what is hidden, the names can be listed, and sockets be connected to.

What is allowed is allowed with all that lies below. So a folder with something hidden in it is allowed piece
by piece, and what is made there later is out of reach.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator

from teamlead.ports.rooms import Room
from teamlead.system.rooms.mounts import Mount
from teamlead.system.rooms.paths import below, real

CONNECTING = 4
SCOPES = 6
"""The versions that know them."""
NOT_ABSTRACT_SOCKETS = 1
NOT_SIGNALS = 2
TO_CONNECT = 2

EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1, 2, 4, 8
TRUNCATE = 1 << 14
CONTROL_DEVICE = 1 << 15
READ = EXECUTE | READ_FILE | READ_FOLDER
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | CONTROL_DEVICE
KINDS_OF_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many bits each version has."""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm")


def scope(room: Room, version: int) -> list[str]:
    """Makes rules for a room of bubblewrap, none about files: who may not reach some may mount nothing."""
    return _restricted(0, room, version, [])


def alone(room: Room, mounts: Iterable[Mount], version: int) -> list[str]:
    every = (1 << KINDS_OF_ACCESS[min(version, max(KINDS_OF_ACCESS))]) - 1
    allowed: list[str] = []
    for access, path in _allowed(room, list(mounts), every):
        possible = access if os.path.isdir(path) else access & OF_FILES  # noqa: PTH112 - at every start
        allowed += ["path", str(possible & every), path]
    return _restricted(every, room, version, allowed)


def _restricted(files: int, room: Room, version: int, allowed: list[str]) -> list[str]:
    ports = () if not room.network else room.ports
    connect = TO_CONNECT if ports is not None and version >= CONNECTING else 0
    scopes = NOT_ABSTRACT_SOCKETS | NOT_SIGNALS if version >= SCOPES else 0
    if not (files or connect or scopes):
        return []
    open_ports = [word for port in ports or () if connect for word in ("port", str(port))]
    return ["restrict", str(files), str(connect), str(scopes), *allowed, *open_ports, "confine"]


def _allowed(room: Room, mounts: list[Mount], every: int) -> Iterator[tuple[int, str]]:
    closed = {real(room.house.common_dir), "/dev"}
    closed |= {mount.path for mount in mounts if mount.sight in ("hidden", "private")}
    yield READ_FOLDER, "/"
    yield from _pieces("/", READ, closed)
    for name in DEVICES:
        yield every, f"/dev/{name}"
    # What is installed in it is used from there; and in a temporary folder it would be closed with the rest.
    yield from _pieces(real(room.house.root), READ, closed)
    for mount in mounts:
        if mount.sight == "writable":
            yield from _pieces(mount.source, every, closed)
        elif mount.sight == "read-only":
            yield from _pieces(mount.source, READ, closed)
        elif mount.sight == "private" and mount.path.endswith("tmp") and not _inside(mount.path, closed):
            yield every, mount.path
    if room.scratch:
        yield every, real(room.scratch)


def _pieces(path: str, access: int, closed: set[str]) -> Iterator[tuple[int, str]]:
    """Yields all of a folder but what is closed in it."""
    if not _inside(path, closed):
        yield access, path
        return
    with contextlib.suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            # What a link points at is allowed by its own path, or not at all.
            if entry.path not in closed and not entry.is_symlink():
                yield from _pieces(entry.path, access, closed)


def _inside(path: str, closed: set[str]) -> bool:
    return any(other != path and below(other, path) for other in closed)
