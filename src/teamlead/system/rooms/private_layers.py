"""Folders that are read as the user has them, and written privately: caches, what projects install.

What is written lies in the room's scratch folder, on top of what the user has: an overlay, which the warden
mounts (`wardens/steps.py`). Where there are no overlays, caches are private and empty, and layers read-only.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from teamlead.ports.rooms import Room
from teamlead.system.rooms.paths import real
from teamlead.system.rooms.users_home import CACHES, TOOLCHAINS


class Layer(NamedTuple):
    path: str
    """Where it is seen."""
    sight: Literal["writable", "read-only", "private"]
    merged: str = ""
    """What is seen there."""
    lower: str = ""
    """The user's own folder, if it lies below what is written."""
    else_shown: bool = False
    """Whether the user's own folder is seen, read-only, should the overlay fail after all."""

    @property
    def original(self) -> str:
        """The user's own folder, which lies elsewhere if a link leads to it."""
        return self.lower or (self.merged if self.sight == "read-only" else self.path)

    @property
    def upper(self) -> str:
        return f"{os.path.dirname(self.merged)}/upper"  # noqa: PTH120

    @property
    def work(self) -> str:
        return f"{os.path.dirname(self.merged)}/work"  # noqa: PTH120


class Caches(NamedTuple):
    layers: list[Layer]
    variables: dict[str, str]
    """For caches that the user does not have yet: there is no place to show a private one at."""


def layered(room: Room, *, overlays: bool) -> Iterator[Layer]:
    root = real(room.house.root)
    for source, relative in room.layered:
        if not source.exists():
            continue
        yield _layer(room, f"{root}/{relative}", real(source), overlays=overlays and source.is_dir())


def beside_programs(room: Room, folders: Iterable[str], *, overlays: bool) -> Iterator[Layer]:
    """Around these, and as much of it as folders of programs alone."""
    for folder in folders:
        for path in (os.path.dirname(folder), folder):  # noqa: PTH120
            place = real(path)
            if os.path.isdir(place):  # noqa: PTH112
                yield _layer(room, path, place, overlays=overlays)


def caches(room: Room, env: Mapping[str, str], *, overlays: bool) -> Caches:
    found = Caches([], {})
    home = real(room.house.home.expanduser())
    root = real(room.house.root)
    missing = []
    for cache in CACHES:
        path = env.get(cache.variable) or f"{home}/{cache.default}"
        if os.path.isdir(path) and room.house.kind == "bubblewrap":  # noqa: PTH112 - at every start
            place = real(path)
            bare = room.house.strict and cache.default.split("/")[0] not in TOOLCHAINS
            if not Path(place).is_relative_to(root):
                found.layers.append(_cache(room, place, overlays=overlays and not bare))
        elif cache.variable:
            missing.append(cache.variable)
    private = temporary(room)
    if room.scratch:
        private = _folder(room.scratch, "private", *missing)
        found.layers.append(Layer(private, "writable", private))
    found.variables.update({name: f"{private}/{name}" for name in missing})
    return found


def cache_places(room: Room, env: Mapping[str, str]) -> list[str]:
    """Lists where programs in the room may write to caches."""
    return [layer.path for layer in caches(room, env, overlays=False).layers]


def temporary(room: Room) -> str:
    """Returns the room's temporary folder: where mounts are impossible, /tmp is everybody's."""
    if room.house.kind == "bubblewrap" or not room.scratch:
        return "/tmp"  # noqa: S108 - the room's own
    return _folder(room.scratch, "tmp")


def _cache(room: Room, path: str, *, overlays: bool) -> Layer:
    if not room.scratch:
        return Layer(path, "private")
    return Layer(path, "writable", _merged(room.scratch, path), path if overlays else "")


def _layer(room: Room, path: str, lower: str, *, overlays: bool) -> Layer:
    if overlays and room.scratch and room.house.kind == "bubblewrap":
        return Layer(path, "writable", _merged(room.scratch, path), lower, else_shown=True)
    return Layer(path, "read-only", lower)


def _merged(scratch: Path, path: str) -> str:
    digest = hashlib.blake2b(os.fsencode(path), digest_size=4).hexdigest()
    folder = _folder(scratch, f"{os.path.basename(path)}-{digest}", "upper", "work", "merged")  # noqa: PTH119
    return f"{folder}/merged"


def _folder(scratch: Path, name: str, *inside: str) -> str:
    folder = f"{real(scratch)}/{name}"
    for path in (folder, *(f"{folder}/{one}" for one in inside)):
        os.makedirs(path, mode=0o700, exist_ok=True)  # noqa: PTH103
    return folder
