"""A program enters a room: what is started instead of it, and how."""

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.ports.rooms import Means, Room
from teamlead.system.rooms import bubblewrap, landlock, private_layers, seatbelt
from teamlead.system.rooms.mounts import VOLATILE, Mount, mounts
from teamlead.system.rooms.paths import folders_of_programs
from teamlead.system.rooms.private_layers import Layer


class Entrance(NamedTuple):
    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str]
    steps: Sequence[str] = ()
    """For the warden, before the start."""
    holds_room: bool = False
    """Whether it is not the program itself that is started, but the one that holds its room."""


def enter(argv: Sequence[str], cwd: Path, env: Mapping[str, str], room: Room, means: Means) -> Entrance:
    """Raises OSError if there is no such program, or no such folder to start it in."""
    for folder in room.writable:
        if not folder.exists():
            folder.mkdir(mode=0o700, parents=True)
    inside = room.seen(cwd)
    program = _find(argv[0], inside, env, room)
    caches = private_layers.caches(room, env, overlays=means.overlays)
    shown = [*caches.layers, *private_layers.layered(room, overlays=means.overlays)]
    folders = folders_of_programs(argv, VOLATILE)
    named = list(private_layers.beside_programs(room, folders, overlays=means.overlays))
    places = mounts(room, env, shown, program, named)
    variables = _environment(env, room) | caches.variables
    match room.house.kind:
        case "bubblewrap":
            prefix = bubblewrap.arguments(means.program, room, places, str(inside))
            steps = [
                *_overlays([*shown, *named], places),
                *_enclosure(means),
                *landlock.scope(room, means.landlock),
            ]
            return Entrance([*prefix, *argv], Path("/"), variables, steps, holds_room=True)
        case "landlock":
            steps = ["keyring", *landlock.alone(room, places, means.landlock)]
            return Entrance(argv, cwd, variables, steps)
        case "seatbelt":
            return Entrance([*seatbelt.arguments(room, places), *argv], cwd, variables)


def _environment(env: Mapping[str, str], room: Room) -> dict[str, str]:
    # Where sockets of the user's session are.
    kept = {name: value for name, value in env.items() if name != "XDG_RUNTIME_DIR"}
    wanted = Path(env.get("TMPDIR") or "/")
    if any(wanted.is_relative_to(folder) for folder in room.writable):
        return kept
    return kept | {"TMPDIR": private_layers.temporary(room)}


def _overlays(shown: Sequence[Layer], places: Sequence[Mount]) -> list[str]:
    sources = {mount.source for mount in places}
    overlays = [layer for layer in shown if layer.lower and layer.merged in sources]
    steps = ["namespace"] if overlays else []
    for layer in overlays:
        otherwise = "show" if layer.else_shown else "empty"
        steps += ["overlay", layer.lower, layer.upper, layer.work, layer.merged, otherwise]
    return steps


def _enclosure(means: Means) -> list[str]:
    # Where overlays work, a warden may make user namespaces; elsewhere that may be for bubblewrap alone.
    enclose = ["enclose"] if means.overlays or os.geteuid() == 0 else []
    return [*enclose, "keyring"]


def _find(name: str, cwd: Path, env: Mapping[str, str], room: Room) -> str:
    """Finds the program's path in the room. What holds the room would tell a failure in words of its own."""
    if not _outside(cwd, room).is_dir():
        raise NotADirectoryError(errno.ENOENT, os.strerror(errno.ENOENT))
    folders = [""] if "/" in name else env.get("PATH", os.defpath).split(":")
    forbidden = False
    for folder in folders:
        path = cwd / folder / name
        place = _outside(path, room)
        if place.is_file():
            if os.access(place, os.X_OK):
                return os.path.normpath(path)
            forbidden = True
    number = errno.EACCES if forbidden else errno.ENOENT
    raise OSError(number, os.strerror(number))


def _outside(path: Path, room: Room) -> Path:
    """Returns where on disk lies what a program sees at a path in the room."""
    path = Path(os.path.normpath(path))
    if room.house.kind != "bubblewrap" or not path.is_relative_to(room.house.root):
        return path
    relative = path.relative_to(room.house.root)
    for source, place in (*room.mounted, *room.layered):
        if relative.is_relative_to(place):
            return source / relative.relative_to(place)
    # What we run in is shown also if it lies in the checkout.
    return path if path.is_relative_to(sys.prefix) else room.copy / relative
