"""What is seen where in a room: a list of places, each above those that lie in it.

A deeper place always holds over the one that it lies in; of two for the same path, the later. Links are
followed here, where they mean what they mean to the user: the places themselves contain none. By its own name
a link is in the room too, if it lies in an emptied place: it shows no more than what it leads to.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import teamlead
from teamlead.ports.rooms import Room
from teamlead.system.rooms import users_home
from teamlead.system.rooms.paths import PROGRAMS, below, real
from teamlead.system.rooms.private_layers import Layer

Sight = Literal["read-only", "writable", "private", "hidden", "link"]
"""Private: an empty folder of its own. Hidden: an empty file or folder that stays so. Link: to `source`."""

VOLATILE = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - what lies there is what is hidden
"""Sockets of others: tmux, ssh-agent, X11, editors, D-Bus (and so `systemd-run`), docker."""
RESOLVERS = ("/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/run/current-system")
"""What /etc points at: without them no name is resolved, and on NixOS no program found."""


class Mount(NamedTuple):
    path: str
    sight: Sight
    source: str = ""
    is_file: bool = False


def mounts(
    room: Room, env: Mapping[str, str], layers: Iterable[Layer], program: str, named: Iterable[Layer] = ()
) -> list[Mount]:
    """Lists all mounts but the root, which is read-only, and /dev and /proc, which are the room's own.

    `named`: what a command names, if it lies in an emptied place. What is hidden stays hidden.
    """
    places = _Places(room)
    places.hide(env)
    places.expose()
    places.lay(layers)
    places.furnish()
    places.need(env, program)
    places.show_named(named)
    places.keep_from_sight()
    return places.sorted()


class _Places:
    def __init__(self, room: Room) -> None:
        self._room = room
        self._house = room.house
        self._home_name = os.path.normpath(room.house.home.expanduser())
        self._home = real(self._home_name)
        self._root = real(room.house.root)
        self._exposed = [path.expanduser() for path in room.house.exposed]
        self._volatile = {real(path) for path in VOLATILE}
        self._found: dict[str, Mount] = {}

    def add(self, path: str, sight: Sight, source: str = "") -> None:
        self._found[path] = Mount(path, sight, source)

    def sorted(self) -> list[Mount]:
        links = {path for path, mount in self._found.items() if mount.sight == "link"}
        # What lies below a link is there where that leads to.
        found = [
            mount for mount in self._found.values() if not links or links.isdisjoint(_parents(mount.path))
        ]
        return sorted(found, key=lambda mount: mount.path.count("/"))

    def hide(self, env: Mapping[str, str]) -> None:
        for path in self._volatile:
            self.add(path, "private")
        for path in RESOLVERS:
            if os.path.isdir(path):  # noqa: PTH112 - this runs at every start of a program
                self.add(path, "read-only", path)
        self.show_again("/etc/resolv.conf")
        if self._house.strict and os.path.isdir(self._home):  # noqa: PTH112
            self.add(self._home, "private")
            for name in users_home.TOOLCHAINS:
                self.show_again(f"{self._home}/{name}")
        elif not any(below(path, self._home) for path in self._found):
            self.show_again(self._home)
        for path in users_home.secrets(self._home, env):
            if os.access(path, os.F_OK):
                self._hide(real(path))

    def _hide(self, path: str) -> None:
        # What the repository holds at such a path is in the copy, and no secret to who works on it.
        if below(path, self._root) or below(self._home, path):
            return
        # Whoever wants no history calls it /dev/null.
        if below(path, "/dev"):
            return
        self._found[path] = Mount(path, "hidden", is_file=not os.path.isdir(path))  # noqa: PTH112

    def expose(self) -> None:
        own = [real(path) for path in self._room.writable if not self._leads_out(path)]
        shown = [*map(real, self._exposed), *own]
        for path in list(self._found):
            if self._found[path].sight == "hidden" and any(below(path, other) for other in shown):
                del self._found[path]
        for path in shown:
            if os.path.exists(path):  # noqa: PTH110
                self.add(path, "writable", path)

    def lay(self, layers: Iterable[Layer]) -> None:
        exposed = [real(path) for path in self._exposed]
        for layer in layers:
            linked = layer.original != layer.path
            if any(below(layer.path, path) for path in exposed) or (linked and self._secret(layer.original)):
                continue
            self.add(layer.path, layer.sight, layer.merged)
            if linked:
                # Programs in it may know it by its own path.
                self.show_again(layer.original)

    def _secret(self, path: str) -> bool:
        """Whether it holds something that is to be hidden, or lies in it."""
        hidden = [mount.path for mount in self._found.values() if mount.sight == "hidden"]
        hidden += [real(self._house.state), real(self._house.common_dir)]
        return any(below(path, other) or below(other, path) for other in hidden)

    def furnish(self) -> None:
        """Adds what every room has. What the user exposes may lie around it, and never shows it."""
        room, house = self._room, self._house
        git = real(house.common_dir)
        if not below(git, self._root):
            self.add(git, "hidden")
        self.add(real(house.state), "hidden")
        # A link outside: its place is meant, not its target.
        objects = f"{real(house.objects.parent)}/{house.objects.name}"
        self.add(objects, "read-only", real(house.common_dir / "objects"))
        for place, source in house.lent:
            self.add(f"{real(house.state)}/{place.relative_to(house.state)}", "read-only", real(source))
        for path in (real(room.git_dir), real(room.copy)):
            self.add(path, "writable", path)
        self.add(self._root, "writable", real(room.copy))
        for shown in (*room.readable, *room.guarded):
            if shown.exists() and not self._leads_out(shown):
                self.add(real(shown), "read-only", real(shown))
        for source, relative in room.mounted:
            if source.exists():
                self.add(f"{self._root}/{relative}", "read-only", real(source))
        self.link(self._home_name, self._home)
        for name in house.names:
            self.link(str(name), self._root)

    def link(self, name: str, place: str) -> None:
        if name != place and self._absent(name):
            self.add(name, "link", place)

    def _leads_out(self, path: Path) -> bool:
        """Whether a link leads out of what the program can write: it would see what the link points at."""
        own = (self._room.copy, self._room.git_dir, *self._room.writable)
        return any(below(str(path), str(place)) and not below(real(path), real(place)) for place in own)

    def need(self, env: Mapping[str, str], program: str) -> None:
        """Adds what a program needs to run at all."""
        self._need_our_own()
        for folder in map(str, self._house.borrowed):
            self.show_again(folder)
        for folder in dict.fromkeys(env.get("PATH", "").split(":")):
            if folder.startswith("/"):
                self._need_programs(os.path.normpath(folder))
        for path in {program, real(program)} if program else ():
            self._need_programs(os.path.dirname(path))  # noqa: PTH120
            self.show_again(path)

    def _need_our_own(self) -> None:
        """Adds teamlead itself: agents call us back, and scripted ones are ours."""
        if below(sys.prefix, self._root):
            # A virtual environment in the checkout itself: no copy has it.
            provided = (other for other in self._found if other != self._root and below(other, self._root))
            if not any(below(sys.prefix, other) for other in provided):
                self.add(sys.prefix, "read-only", sys.prefix)
        for path in (sys.prefix, sys.base_prefix, os.path.dirname(teamlead.__file__)):  # noqa: PTH120
            self.show_again(path)

    def _need_programs(self, folder: str) -> None:
        place = real(folder)
        for path in {place, folder}:
            parent, name = os.path.split(path)
            if name in PROGRAMS and self._absent(path):
                # Their libraries lie beside them.
                around = parent if path == place else real(parent)
                if not any(below(other, around) for other in self._found):
                    self.show_again(parent)
        self._show(folder, place)

    def show_named(self, layers: Iterable[Layer]) -> None:
        for layer in layers:
            place = layer.original
            around = self._around(place)
            empty = around is not None and around.sight == "private" and around.path in self._volatile
            if empty and not any(below(other, place) for other in self._found):
                self.add(place, layer.sight, layer.merged)
            self.link(layer.path, place)

    def keep_from_sight(self) -> None:
        """Last, so that nothing shows it again. What lies in the checkout is no part of a copy anyway."""
        for path in map(real, self._room.unseen):
            if os.path.isfile(path) and not below(path, self._root) and not self._absent(path):  # noqa: PTH113
                self._found[path] = Mount(path, "hidden", is_file=True)

    def show_again(self, path: str) -> None:
        """Shows what lies in an emptied place, by the name of its link too, if it has one."""
        self._show(path, real(path))

    def _show(self, path: str, place: str) -> None:
        if (self._absent(place) or self._absent(path)) and os.path.exists(place):  # noqa: PTH110
            if self._absent(place):
                self.add(place, "read-only", place)
            self.link(path, place)

    def _absent(self, path: str) -> bool:
        """Whether it lies in a place that is empty in the room."""
        if path in self._found:
            return False
        found = self._around(path)
        return found is not None and found.sight in ("private", "hidden")

    def _around(self, path: str) -> Mount | None:
        return next((self._found[above] for above in _parents(path) if above in self._found), None)


def _parents(path: str) -> Iterator[str]:
    while path != "/":
        path = os.path.dirname(path)  # noqa: PTH120
        yield path
