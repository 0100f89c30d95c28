"""A room as a command line of bubblewrap."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from teamlead.ports.rooms import Room
from teamlead.system.rooms.mounts import Mount

NOTHING = str(Path(__file__).with_name("nothing"))
"""An empty file. Not /dev/null: a device cannot be opened there, and some programs stop at that."""

ALONE: tuple[str, ...] = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"),
    # Nothing outlives the warden; nobody types into the user's terminal.
    *("--die-with-parent", "--new-session"),
    # As root a room without this is none: whatever was mounted could be unmounted.
    *("--cap-drop", "ALL"),
)
NESTED = ("--cap-add", "CAP_SETFCAP")
"""Root needs it to make a user namespace with itself in it, as agents' own sandboxes do. It gives no power
over what lies outside: files get capabilities that count in the room's own namespace only."""
KERNEL = "/proc/sys"
"""To the kernel, root in a room is root, who may change its settings. One of them names a program that it
starts, outside of every room."""


def arguments(program: str, room: Room, mounts: Iterable[Mount], cwd: str) -> list[str]:
    """Returns the words before the command."""
    nested = NESTED if os.geteuid() == 0 else ()
    offline = () if room.network else ("--unshare-net",)
    return [program, *ALONE, *nested, *offline, *_disk(mounts), "--chdir", cwd, "--"]


def _disk(mounts: Iterable[Mount]) -> Iterator[str]:
    yield from ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    if os.geteuid() == 0:
        yield from ("--ro-bind", KERNEL, KERNEL)
    emptied = []
    for mount in mounts:
        match mount.sight:
            case "read-only":
                yield from ("--ro-bind", mount.source, mount.path)
            case "writable":
                device = mount.path.startswith("/dev/")
                yield from ("--dev-bind" if device else "--bind", mount.source, mount.path)
            case "link":
                yield from ("--symlink", mount.source, mount.path)
            case "private":
                yield from ("--tmpfs", mount.path)
            case "hidden" if mount.is_file:
                yield from ("--ro-bind", NOTHING, mount.path)
            case "hidden":
                yield from ("--tmpfs", mount.path)
                emptied.append(mount.path)
    # Last: before, places were made in them.
    for path in emptied:
        yield from ("--remount-ro", path)
